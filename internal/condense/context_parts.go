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

// A contextFile is a CONTEXT.md as far as its sections are concerned.
type contextFile struct {
	src   []byte
	parts []contextPart
}

// A contextPart is a heading with what follows it, up to the next heading.
// Offsets are into the file.
type contextPart struct {
	title string
	level int
	key   string // which of the sections it is; "" for one that people added

	start  int // of the heading's line
	behind int // behind the heading
	end    int // where the next heading begins

	marked  bool   // a mark stands below the heading
	mark    int    // where the mark's line begins
	markEnd int    // behind it
	hash    string // that the mark names
	body    int    // where the text begins that the mark is about
	bodyEnd int    // where it ends, without the newline
	intact  bool   // it is what forgemind wrote
	empty   bool   // nothing stands in the section but its mark
}

// state says how a section stands.
func (p *contextPart) state() string {
	switch {
	case p.intact:
		return Generated
	case p.marked:
		return Edited
	}
	return Own
}

// contextMarkLine is the mark of a generated section: which it is, how many
// lines, and their hash.
var contextMarkLine = lazyregexp.New(`^<!-- forgemind: ([a-z-]+) ([0-9]{1,4}) ([0-9a-z]{12}) -->$`)

func contextMark(key string, lines []string) string {
	return fmt.Sprintf("<!-- forgemind: %s %d %s -->", key, len(lines), contextHash(key, lines))
}

// contextHash is that of lines, whatever they end with.
func contextHash(key string, lines []string) string {
	return schema.DerivedID("", []byte(key+"\n"+strings.Join(lines, "\n")))
}

// contextTitles are the sections by the titles they have, and by the first words
// of those.
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
			if !bytes.HasPrefix(bytes.TrimLeft(src[p.start:p.behind], " \t"), []byte("#")) || i > 0 { // behind the line below it
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

// readMark finds a section's mark, and whether what it is about stands there.
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

// contextTitle is a title as titles are compared.
func contextTitle(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// part is the section of a key: the first that is as forgemind wrote it, else
// the first with a mark, else the first of that title; nil where there is none.
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

// outer is where a section ends together with the sections below it.
func (f *contextFile) outer(p *contextPart) int {
	for i := range f.parts {
		if q := &f.parts[i]; q.start > p.start && q.level <= p.level {
			return q.start
		}
	}
	return len(f.src)
}

// lines are those of src[start:end], whatever they end with.
func (f *contextFile) lines(start, end int) []string {
	lines := strings.Split(string(f.src[start:end]), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// contextStarts says whether lines begin with others.
func contextStarts(lines, with []string) bool {
	return len(lines) >= len(with) && slices.Equal(lines[:len(with)], with)
}

// line is the line at an offset, without what ends it.
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

// lineEnding is what ends the line src[start:end].
func (f *contextFile) lineEnding(start, end int) string {
	return string(f.src[start+len(f.line(start)) : end])
}

// skipBlank is where the first line begins, from at, that is not blank.
func (f *contextFile) skipBlank(at, end int) int {
	for at < end && len(bytes.TrimSpace(f.line(at))) == 0 {
		at = f.lineEnd(at)
	}
	return min(at, end)
}

// newline is how lines end around an offset.
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

// contextBlankEnd says whether text ends with a blank line.
func contextBlankEnd(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("\n"))
	return len(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])) == 0
}
