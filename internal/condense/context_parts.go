package condense

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A contextFile is a parsed CONTEXT.md.
type contextFile struct {
	src   []byte
	parts []contextPart
}

// A contextPart is a heading with the text up to the next heading. Offsets are into the file.
type contextPart struct {
	title string
	level int
	key   string // the section; "" for one that people added

	start  int // of the line of the heading
	behind int // after the heading
	end    int // of the next heading

	marked  bool   // a mark follows the heading
	mark    int    // of the line of the mark
	markEnd int    // after the mark
	hash    string // in the mark
	body    int    // start of the text after the mark
	bodyEnd int    // end of that text, without the newline
	intact  bool   // the text is as forgemind wrote it
	empty   bool   // the section has nothing but its mark
}

// state returns the state of a section.
func (p *contextPart) state() string {
	switch {
	case p.intact:
		return Generated
	case p.marked:
		return Edited
	}
	return Own
}

// contextMarkLine matches the mark of a generated section: the section, the number of lines, and
// their hash.
var contextMarkLine = lazyregexp.New(`^<!-- forgemind: ([a-z-]+) ([0-9]{1,4}) ([0-9a-z]{12}) -->$`)

func contextMark(key string, lines []string) string {
	return fmt.Sprintf("<!-- forgemind: %s %d %s -->", key, len(lines), contextHash(key, lines))
}

// contextHash returns the hash of lines, which does not depend on line ends.
func contextHash(key string, lines []string) string {
	return schema.DerivedID("", []byte(key+"\n"+strings.Join(lines, "\n")))
}

// contextTitles maps the titles of sections, and the first words of titles, to sections.
var contextTitles = map[string]string{
	"current state": "current-state",
	"key decisions": "key-decisions", "key decisions most recent first": "key-decisions",
	"active constraints":   "active-constraints",
	"superseded decisions": "superseded-decisions",
}

// parseContext finds the sections of src.
func parseContext(src []byte) *contextFile {
	f := &contextFile{src: src}
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(src))
	for b := root.FirstChild(); b != nil; b = b.NextSibling() {
		h, ok := b.(*ast.Heading)
		if !ok {
			continue
		}
		p := contextPart{level: h.Level, start: f.lineStart(max(0, h.Pos())), end: len(src)}
		p.behind = f.lineEnd(p.start)
		var words []string
		for i := range h.Lines().Len() {
			line := h.Lines().At(i)
			words = append(words, strings.TrimSpace(string(line.Value(src))))
			if !bytes.HasPrefix(bytes.TrimLeft(src[p.start:p.behind], " \t"), []byte("#")) || i > 0 { // after the underline
				p.behind = max(p.behind, f.lineEnd(f.lineEnd(line.Start)))
			}
		}
		p.title = strings.Join(words, " ")
		if k := len(f.parts); k > 0 {
			f.parts[k-1].end = p.start
		}
		f.parts = append(f.parts, p)
	}
	for i := range f.parts {
		f.readMark(&f.parts[i])
	}
	return f
}

// readMark reads a section's mark and checks the text against it.
func (f *contextFile) readMark(p *contextPart) {
	p.key = contextTitles[contextTitle(p.title)]
	p.mark = f.skipBlank(p.behind, p.end)
	p.empty = p.mark == p.end
	m := contextMarkLine.FindSubmatch(f.line(p.mark))
	if p.empty || m == nil || !slices.Contains(contextKeys(), string(m[1])) {
		return
	}
	p.key, p.hash, p.marked = string(m[1]), string(m[3]), true
	p.markEnd = f.lineEnd(p.mark)
	p.body = f.skipBlank(p.markEnd, p.end)
	p.empty = p.body == p.end
	n, _ := strconv.Atoi(string(m[2]))
	at := p.body
	for k := range n {
		if at >= p.end {
			return
		}
		p.bodyEnd = at + len(f.line(at))
		if at = f.lineEnd(at); k == n-1 {
			p.intact = contextHash(p.key, f.lines(p.body, p.bodyEnd)) == p.hash
		}
	}
}

func contextKeys() []string {
	return []string{"current-state", "key-decisions", "active-constraints", "superseded-decisions"}
}

// contextTitle returns a title for comparisons.
func contextTitle(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// part returns the section with a key, or nil. Of several it returns the first that is unchanged
// since forgemind wrote it, else the first with a mark, else the first.
func (f *contextFile) part(key string) *contextPart {
	var best *contextPart
	rank := func(p *contextPart) int {
		switch {
		case p == nil:
			return 0
		case p.intact:
			return 3
		case p.marked:
			return 2
		}
		return 1
	}
	for i := range f.parts {
		if p := &f.parts[i]; p.key == key && rank(p) > rank(best) {
			best = p
		}
	}
	return best
}

// outer returns the end of a section including its subsections.
func (f *contextFile) outer(p *contextPart) int {
	for i := range f.parts {
		if q := &f.parts[i]; q.start > p.start && q.level <= p.level {
			return q.start
		}
	}
	return len(f.src)
}

// lines returns the lines of src[start:end] without line ends.
func (f *contextFile) lines(start, end int) []string {
	lines := strings.Split(string(f.src[start:end]), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// contextStarts reports whether lines begin with the lines of with.
func contextStarts(lines, with []string) bool {
	return len(lines) >= len(with) && slices.Equal(lines[:len(with)], with)
}

// line returns the line at an offset without its line end.
func (f *contextFile) line(at int) []byte {
	line, _, _ := bytes.Cut(f.src[at:], []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

func (f *contextFile) lineStart(at int) int { return bytes.LastIndexByte(f.src[:at], '\n') + 1 }

func (f *contextFile) lineEnd(at int) int {
	if i := bytes.IndexByte(f.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(f.src)
}

// lineEnding returns the line end of the line src[start:end].
func (f *contextFile) lineEnding(start, end int) string {
	return string(f.src[start+len(f.line(start)) : end])
}

// skipBlank returns the offset of the first line after at that is not blank.
func (f *contextFile) skipBlank(at, end int) int {
	for at < end && len(bytes.TrimSpace(f.line(at))) == 0 {
		at = f.lineEnd(at)
	}
	return min(at, end)
}

// newline returns the line end that is used around an offset.
func (f *contextFile) newline(at int) string {
	end := bytes.IndexByte(f.src[at:], '\n')
	if end >= 0 {
		end += at
	} else {
		end = bytes.LastIndexByte(f.src, '\n')
	}
	if end > 0 && f.src[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// contextBlankEnd reports whether text ends with a blank line.
func contextBlankEnd(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	return len(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])) == 0
}
