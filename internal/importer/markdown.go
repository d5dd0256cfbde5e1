package importer

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/yaml"
)

// A line is a line of a Markdown text.
type line struct {
	at   int // 1-based
	text string
	code bool // inside of a fence
}

// A section is a heading with the lines up to the next one.
type section struct {
	title string
	level int // 0 for the lines before the first heading
	at    int // the line of the heading
	lines []line
}

// A page is a Markdown text.
type page struct {
	front    map[string]any
	frontErr error
	sections []section // the first has level 0
}

var (
	headingLine = lazyregexp.New(`^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	fenceMark   = lazyregexp.New("^ {0,3}(?:[-*+] +)?(```+|~~~+)")
	bulletLine  = lazyregexp.New(`^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(.*)$`)
	checkBox    = lazyregexp.New(`^\[([ xX])\][ \t]+(.*)$`)
	linkText    = lazyregexp.New(`!?\[([^\[\]]*)\]\(([^()\s]*)(?:\s+"[^"]*")?\)`)
	htmlTag     = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
	escaped     = lazyregexp.New(`\\([\\*_\[\]()#+.!|<>-])`)
	titleAnchor = lazyregexp.New(`\s*\{#[^{}]*\}\s*$`)
)

// readPage parses the parts of a Markdown text that importers need.
func readPage(src []byte) page {
	src = []byte(strings.TrimPrefix(string(src), "\ufeff"))
	head, body, first := yaml.Split(src)
	p := page{sections: []section{{at: first}}}
	if head != nil {
		p.frontErr = yaml.Decode(head, 2, &p.front)
	}
	fence, number, previous := "", first-1, ""
	for raw := range strings.Lines(withoutComments(string(body))) {
		number++
		raw = strings.TrimRight(raw, "\r\n")
		last := &p.sections[len(p.sections)-1]
		mark := ""
		if m := fenceMark.FindStringSubmatch(raw); m != nil {
			mark = m[1]
		}
		switch {
		case fence == "" && mark != "":
			fence = mark
			last.lines = append(last.lines, line{number, raw, true})
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
			last.lines = append(last.lines, line{number, raw, true})
		default:
			if m := headingLine.FindStringSubmatch(raw); m != nil {
				p.sections = append(p.sections, section{title: heading(m[2]), level: len(m[1]), at: number})
			} else if level := underline(raw); level > 0 && strings.TrimSpace(previous) != "" && bulletLine.FindStringIndex(previous) == nil && !strings.HasPrefix(previous, "|") {
				last.lines = last.lines[:len(last.lines)-1]
				p.sections = append(p.sections, section{title: heading(previous), level: level, at: number - 1})
				raw = ""
			} else {
				last.lines = append(last.lines, line{number, raw, false})
			}
		}
		previous = raw
		if fence != "" || len(p.sections) > 0 && len(p.sections[len(p.sections)-1].lines) == 0 {
			previous = ""
		}
	}
	return p
}

// underline returns the level of the heading that a line underlines, or 0.
func underline(s string) int {
	s = strings.TrimSpace(s)
	switch {
	case len(s) >= 3 && strings.Trim(s, "=") == "":
		return 1
	case len(s) >= 3 && strings.Trim(s, "-") == "":
		return 2
	}
	return 0
}

// heading returns the text of a heading.
func heading(s string) string { return plain(titleAnchor.ReplaceAllString(s, "")) }

// withoutComments blanks the HTML comments of a text and keeps its lines.
func withoutComments(s string) string {
	var out strings.Builder
	for {
		start := strings.Index(s, "<!--")
		if start < 0 {
			break
		}
		end := strings.Index(s[start:], "-->")
		if end < 0 {
			break
		}
		out.WriteString(s[:start])
		out.WriteString(strings.Repeat("\n", strings.Count(s[start:start+end], "\n")))
		s = s[start+end+len("-->"):]
	}
	out.WriteString(s)
	return out.String()
}

// plain returns a Markdown text without links, emphasis and tags.
func plain(s string) string {
	s = linkText.ReplaceAllString(s, "$1")
	s = htmlTag.ReplaceAllString(s, "")
	for _, mark := range []string{"**", "__"} {
		s = strings.ReplaceAll(s, mark, "")
	}
	s = strings.TrimSpace(s)
	for _, mark := range []string{"*", "_"} {
		if len(s) > 2 && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) && !strings.HasPrefix(s, mark+" ") {
			s = s[1 : len(s)-1]
		}
	}
	return strings.TrimSpace(escaped.ReplaceAllString(s, "$1"))
}

// A bullet is an item of a list, with the lines that continue it.
type bullet struct {
	at     int
	indent int
	text   string
	box    string // " " or "x" for an item with a check box
}

// bullets returns the items of the lists in lines.
func bullets(lines []line) (all []bullet) {
	open := false
	for _, l := range lines {
		if l.code {
			continue
		}
		if m := bulletLine.FindStringSubmatch(l.text); m != nil {
			b := bullet{at: l.at, indent: len(strings.ReplaceAll(m[1], "\t", "    ")), text: m[2]}
			if c := checkBox.FindStringSubmatch(b.text); c != nil {
				b.box, b.text = strings.ToLower(c[1]), c[2]
			}
			all = append(all, b)
			open = true
			continue
		}
		trimmed := strings.TrimSpace(l.text)
		switch indented := l.text != strings.TrimLeft(l.text, " \t"); {
		case trimmed == "":
			open = false
		case open || indented && len(all) > 0 && l.at == all[len(all)-1].at+1:
			all[len(all)-1].text += " " + trimmed
		}
	}
	return all
}

// paragraphs returns the paragraphs of lines that are in no list, no table and no fence.
func paragraphs(lines []line) (all []bullet) {
	open := false
	for _, l := range lines {
		trimmed := strings.TrimSpace(l.text)
		if l.code || trimmed == "" || strings.HasPrefix(trimmed, "|") || bulletLine.FindStringIndex(l.text) != nil || underline(l.text) > 0 {
			open = false
			continue
		}
		if !open || len(all) == 0 {
			if strings.HasPrefix(l.text, "  ") { // continues an item of a list
				continue
			}
			all = append(all, bullet{at: l.at, text: trimmed})
			open = true
			continue
		}
		all[len(all)-1].text += " " + trimmed
	}
	return all
}

// joined returns the text of lines without code as one paragraph.
func joined(lines []line) string {
	var parts []string
	for _, l := range lines {
		if t := strings.TrimSpace(l.text); !l.code && t != "" {
			parts = append(parts, plain(t))
		}
	}
	return strings.Join(parts, " ")
}
