package audit

import "strings"

// blocks splits a text into blocks. In markdown it leaves out HTML comments and fenced
// code, because nobody follows them. In other files it leaves out comment marks.
func blocks(src string, markdown bool) []*block {
	p := parting{below: &section{}}
	var hide hidden
	for line := range strings.Lines(src) {
		p.n++
		line = strings.TrimRight(line, "\r\n")
		if !markdown {
			p.take(commentMark.ReplaceAllString(line, ""))
			continue
		}
		line, seen := hide.seen(line)
		if !seen {
			p.end()
			continue
		}
		if level, title := heading(line); level > 0 {
			p.end()
			p.under(level, title)
		} else if level := underline(line); level > 0 && p.alone {
			title := strings.TrimSpace(p.text.String())
			p.text.Reset()
			p.open = nil
			p.under(level, title[:min(len(title), maxHeading)])
		} else {
			p.take(line)
		}
	}
	p.end()
	return p.all
}

// A parting is the state of splitting a text into blocks.
type parting struct {
	all    []*block
	n      int // lines so far
	open   *block
	text   strings.Builder // the text of the open block
	alone  bool            // the open block is one line and not a list item
	titles [7]string
	below  *section
	intro  *block // the last block that is not a list item
	items  []indented
}

// An indented block is a list item that may have items below it.
type indented struct {
	indent int
	block  *block
}

func (p *parting) end() {
	if p.open == nil {
		return
	}
	p.open.text = p.text.String()
	p.text = strings.Builder{}
	p.all = append(p.all, p.open)
	p.open, p.alone = nil, false
}

// under begins the section below a heading.
func (p *parting) under(level int, title string) {
	p.titles[level] = title
	clear(p.titles[level+1:])
	p.below, p.intro, p.items, p.alone = newSection(p.titles[:]), nil, p.items[:0], false
}

// take handles a line that is not a heading.
func (p *parting) take(line string) {
	if strings.TrimSpace(line) == "" {
		p.end()
		return
	}
	rest, isItem := item(line)
	row := strings.HasPrefix(strings.TrimSpace(line), "|")
	if isItem || row {
		p.end()
	}
	p.alone = p.open == nil && !isItem && !row
	if p.open == nil {
		p.open = &block{line: p.n, section: p.below}
		p.place(line, isItem)
	}
	if room := maxBlock - p.text.Len(); room > 0 {
		p.text.WriteString(rest[:min(len(rest), room)])
		p.text.WriteByte('\n')
	}
}

// place finds the block that introduces the open block.
func (p *parting) place(line string, isItem bool) {
	if !isItem {
		p.intro, p.items = p.open, p.items[:0]
		return
	}
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	for len(p.items) > 0 && p.items[len(p.items)-1].indent >= indent {
		p.items = p.items[:len(p.items)-1]
	}
	p.open.lead = p.intro
	if n := len(p.items); n > 0 {
		p.open.lead = p.items[n-1].block
	}
	p.items = append(p.items, indented{indent, p.open})
}

func newSection(titles []string) *section {
	return &section{heading: strings.TrimSpace(strings.Join(titles, " "))}
}

// heading returns the level and the text of a heading. The level is 0 if the line is
// not a heading.
func heading(line string) (level int, title string) {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || !strings.HasPrefix(rest, "#") {
		return 0, ""
	}
	title = strings.TrimLeft(rest, "#")
	level = len(rest) - len(title)
	if level > 6 || title == "" || title[0] != ' ' && title[0] != '\t' {
		return 0, ""
	}
	title = strings.Trim(title, " \t")
	return level, strings.TrimRight(title[:min(len(title), maxHeading)], " \t#")
}

// item returns the text of a list item and reports whether the line is one.
func item(line string) (rest string, ok bool) {
	rest = strings.TrimLeft(line, " \t")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	mark := rest[min(digits, len(rest)):]
	switch {
	case mark == "" || digits > 9:
		return line, false
	case digits == 0 && strings.IndexByte("-*+", mark[0]) < 0, digits > 0 && mark[0] != '.' && mark[0] != ')':
		return line, false
	}
	said := strings.TrimLeft(mark[1:], " \t")
	if len(said) == len(mark)-1 {
		return line, false
	}
	return said, true
}

// underline returns the level of the heading that a line makes of the line above it, 0
// if it makes none.
func underline(line string) int {
	line = strings.TrimRight(line, " \t")
	switch {
	case len(line) < 2:
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// hidden tracks the text that a reader of markdown does not see, or sees as code.
type hidden struct {
	comment bool
	fence   string // the fence of the current code block; "" outside
}

// seen returns the visible text of a line. It returns false if the line is code.
func (h *hidden) seen(line string) (string, bool) {
	if !h.comment {
		text := strings.TrimLeft(line, " \t")
		n := len(text) - len(strings.TrimLeft(text, "`"))
		if n == 0 {
			n = len(text) - len(strings.TrimLeft(text, "~"))
		}
		switch {
		case h.fence != "":
			if n >= len(h.fence) && text[0] == h.fence[0] && strings.TrimSpace(text[n:]) == "" {
				h.fence = ""
			}
			return "", false
		case n >= 3 && !strings.Contains(text[n:], "`"):
			h.fence = text[:n]
			return "", false
		}
	}
	return h.uncommented(line), true
}

// uncommented returns a line without HTML comments.
func (h *hidden) uncommented(line string) string {
	if !h.comment && !strings.Contains(line, "<!--") {
		return line
	}
	var kept strings.Builder
	for line != "" {
		mark := "<!--"
		if h.comment {
			mark = "-->"
		}
		before, after, found := strings.Cut(line, mark)
		if !h.comment {
			kept.WriteString(before)
		}
		if !found {
			break
		}
		h.comment, line = !h.comment, after
	}
	return kept.String()
}
