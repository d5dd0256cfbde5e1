package block

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// An edit replaces src[start:end].
type edit struct {
	start, end int
	text       string
}

// apply carries edits out.
func apply(src []byte, edits []edit) []byte {
	if len(edits) == 0 {
		return src
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, src[at:e.start]...), e.text...)
		at = e.end
	}
	return append(out, src[at:]...)
}

// renewal writes a block anew, with the lines of people that stood in it behind it.
func (p *page) renewal(s *span, b Block, moved []string) []edit {
	if s.intact && s.closed && slices.Equal(p.lines(s.body, s.bodyEnd), b.Lines) {
		return nil
	}
	eol := p.newline(s.start)
	out := strings.Join(append(b.marked(), moved...), eol) + eol
	switch end := s.end == len(p.src); {
	case end && s.end > s.start && !bytes.HasSuffix(p.src, []byte("\n")): // the last line has no newline, and gets none
		out = strings.TrimSuffix(out, eol)
	case end && s.start > p.start && p.src[s.start-1] != '\n': // nor has the heading, with which the document ends
		out = eol + strings.TrimSuffix(out, eol)
	case !end && (s.start == s.end && p.next(s.end) == s.end || len(moved) > 0 && len(bytes.TrimSpace(p.line(s.end))) > 0):
		out += eol // what follows at once is something else
	}
	return []edit{{s.start, s.end, out}}
}

// strangers returns the lines in a span that were not rendered, without blank ones around them.
func (p *page) strangers(s *span, b Block) (lines []string) {
	if s.intact {
		return nil
	}
	known := b.known()
	for at := s.body; at < s.bodyEnd; at = p.lineEnd(at) {
		line := string(p.line(at))
		m, isMark := p.markAt(at)
		rendered := known[bare(line)] || isMark && p.named[m.name]
		if blank := strings.TrimSpace(line) == ""; p.isCode(at) || !rendered && !(blank && len(lines) == 0) {
			lines = append(lines, line)
		}
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// removals takes out what a merge that kept both sides left twice: of the other spans of a block all but people's lines,
// and the heading where nothing stands under it then.
func (p *page) removals(first *span, b Block) (edits []edit) {
	for i := range p.spans {
		s := &p.spans[i]
		if s == first || s.name != b.Name {
			continue
		}
		lines, h, end := p.strangers(s, b), p.heading(s.start), p.outer(s.end)
		e := edit{s.start, s.end, ""}
		if len(lines) > 0 {
			eol := p.newline(s.start)
			e.text = strings.Join(lines, eol) + eol
		} else if h.title == b.Title && len(bytes.TrimSpace(p.src[h.behind:s.start])) == 0 && len(bytes.TrimSpace(p.src[s.end:end])) == 0 {
			e = edit{h.start, end, ""}
		}
		edits = append(edits, e)
	}
	return edits
}

// insert returns the document with block i, which it does not have, behind the block before it, else in front of the one
// after it, else at the end.
func (p *page) insert(blocks []Block, i int) []byte {
	at := len(p.src)
	for k := i - 1; k >= 0; k-- {
		if s := p.place(blocks[k].Name); s != nil {
			return p.insertAt(p.outer(s.end), blocks[i])
		}
	}
	for _, b := range blocks[i+1:] {
		if s := p.place(b.Name); s != nil {
			at = p.heading(s.start).start
			break
		}
	}
	return p.insertAt(at, blocks[i])
}

// insertAt returns the document with a block and its heading at an offset, where a line begins or the document ends.
func (p *page) insertAt(at int, b Block) []byte {
	eol := p.newline(at)
	text := strings.Join(b.section(), "\n")
	before := p.src[p.start:at]
	switch {
	case len(before) > 0 && before[len(before)-1] != '\n': // the last line has no newline, and gets none
		text = "\n\n" + text
	case len(before) > 0 && !endsBlank(before):
		text = "\n" + text + "\n"
	default:
		text += "\n"
	}
	if at < len(p.src) {
		text += "\n"
	}
	return apply(p.src, []edit{{at, at, strings.ReplaceAll(text, "\n", eol)}})
}

// endsBlank reports whether text ends with a blank line.
func endsBlank(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	return len(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])) == 0
}
