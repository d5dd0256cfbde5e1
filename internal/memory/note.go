package memory

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	markdown "github.com/yuin/goldmark/text"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// A note is a parsed markdown file. Offsets are into src.
type note struct {
	src      []byte
	start    int // offset after the byte order mark and the front matter
	sections []section
	blocks   []block // all blocks, in order
	last     int     // offset of the last top-level block
}

// A section is a top-level heading of the note with what follows up to the next one. The first
// section has no heading; it is the text before them.
type section struct {
	title string
	level int // level of the heading, 1 to 6; 0 for none
	body  int // offset of the line after the heading
	end   int // offset of the next heading
	close int // the same, or the offset of a rule that the author drew above it
	items []item
	list  *list // the last list
}

// An item is an item of a top-level list.
type item struct{ start, end int }

// A list holds the style of a list in the note.
type list struct {
	loose  bool
	marker byte // - * + . )
	end    int
}

// A block is a leaf of the document with its kind and text. Two documents with the same blocks have
// the same meaning.
type block struct {
	kind  string
	depth int
	text  string
}

// errNoMarkdown means that a text is not markdown.
var errNoMarkdown = errors.New("not markdown")

// MaxNesting is the deepest nesting of lists and quotations in a text that is parsed as markdown;
// see TooDeep.
const MaxNesting = 100

var byteOrderMark = []byte("\ufeff")

// How large a note may be to be edited, of which agents read all.
const (
	maxNote      = 2 << 20 // bytes
	maxNoteLines = 20_000
)

// blocks returns a parser of blocks alone, which may be used by several goroutines. It
// has no inline parsers, for the sections do not depend on what a paragraph says. Nor
// does it have link definitions, which take a time that grows with their square.
var blocks = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// parse finds the sections of src.
func parse(src []byte) (*note, error) {
	if len(src) > maxNote {
		return nil, fmt.Errorf("%w that can be edited: it has %d bytes, at most %d are edited", errNoMarkdown, len(src), maxNote)
	}
	if n := bytes.Count(src, []byte("\n")); n > maxNoteLines {
		return nil, fmt.Errorf("%w that can be edited: it has %d lines, at most %d are edited", errNoMarkdown, n, maxNoteLines)
	}
	switch at := bytes.IndexByte(src, 0); {
	case at >= 0:
		return nil, fmt.Errorf("%w: it holds a zero byte, on line %d", errNoMarkdown, lineOf(src, at))
	case !utf8.Valid(src):
		return nil, fmt.Errorf("%w: it is not UTF-8 on line %d", errNoMarkdown, lineOf(src, text.InvalidUTF8(src)))
	}
	if line := TooDeep(src); line > 0 {
		return nil, fmt.Errorf("%w that can be edited: on line %d lists and quotations stand more than %d deep in one another", errNoMarkdown, line, MaxNesting)
	}
	n := &note{src: src, start: frontMatter(src)}
	n.last = n.start
	root := blocks().Parse(markdown.NewReader(src[n.start:]))
	n.sections = []section{{body: n.start}}
	for b := root.FirstChild(); b != nil; b = b.NextSibling() {
		now := &n.sections[len(n.sections)-1]
		n.last = n.place(b)
		if b.Kind() != ast.KindHeading {
			now.close = 0
		}
		switch b := b.(type) {
		case *ast.Heading:
			now.finish(n.last)
			n.sections = append(n.sections, section{title: n.title(b), level: b.Level, body: n.behind(b)})
		case *ast.List:
			n.note(now, b)
		case *ast.ThematicBreak:
			now.close = n.last
		}
		n.leaves(b, 0)
	}
	n.sections[len(n.sections)-1].finish(len(src))
	return n, nil
}

// finish sets the end of a section.
func (s *section) finish(end int) {
	if s.end = end; s.close == 0 {
		s.close = end
	}
}

// note adds a list to its section.
func (n *note) note(s *section, l *ast.List) {
	end := len(n.src)
	if next := l.NextSibling(); next != nil {
		end = n.place(next)
	}
	for i := l.FirstChild(); i != nil; i = i.NextSibling() {
		at := n.place(i)
		if k := len(s.items); k > 0 && i.PreviousSibling() != nil {
			s.items[k-1].end = at
		}
		s.items = append(s.items, item{at, end})
	}
	end = n.start + len(bytes.TrimRight(n.src[n.start:end], " \t\r\n"))
	if k := len(s.items); k > 0 {
		s.items[k-1].end = end
	}
	s.list = &list{loose: !l.IsTight && l.ChildCount() > 1, marker: l.Marker, end: end}
}

// leaves collects the leaf blocks below b.
func (n *note) leaves(b ast.Node, depth int) {
	if b.Type() == ast.TypeInline {
		return
	}
	var says strings.Builder
	if lines := b.Lines(); lines != nil {
		for i := range lines.Len() {
			s := lines.At(i)
			says.WriteString(strings.TrimSpace(string(s.Value(n.src[n.start:]))) + "\n")
		}
	}
	kind := b.Kind().String()
	if kind == "TextBlock" { // a paragraph in a list without blank lines
		kind = "Paragraph"
	}
	n.blocks = append(n.blocks, block{kind, depth, says.String()})
	for c := b.FirstChild(); c != nil; c = c.NextSibling() {
		n.leaves(c, depth+1)
	}
}

// title returns the text of a heading.
func (n *note) title(h *ast.Heading) string {
	var parts []string
	for i := range h.Lines().Len() {
		s := h.Lines().At(i)
		parts = append(parts, strings.TrimSpace(string(s.Value(n.src[n.start:]))))
	}
	return strings.Join(parts, " ")
}

// behind returns the offset of the line after a heading and its underline.
func (n *note) behind(h *ast.Heading) int {
	first := n.place(h)
	end := n.lineEnd(first)
	if k := h.Lines().Len(); k > 0 && !bytes.HasPrefix(bytes.TrimLeft(n.src[first:end], " \t"), []byte("#")) {
		end = n.lineEnd(n.lineEnd(n.start + h.Lines().At(k-1).Start))
	}
	return end
}

// place returns the offset of the line in which a block begins.
func (n *note) place(b ast.Node) int { return n.lineStart(n.start + max(0, b.Pos())) }

// lineStart returns the beginning of the line of an offset, lineEnd the beginning of the next line.
func (n *note) lineStart(at int) int {
	return max(n.start, bytes.LastIndexByte(n.src[:at], '\n')+1)
}

func (n *note) lineEnd(at int) int {
	if i := bytes.IndexByte(n.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(n.src)
}

// marker matches the beginning of a list item, with the spaces around it.
var marker = lazyregexp.New(`^([ \t]*)([-*+]|([0-9]{1,9})([.)]))([ \t]*)(\[[ xX]\][ \t]+)?`)

// text returns the text of an item without its marker and without the indentation of its other
// lines.
func (n *note) text(i item) string {
	raw := strings.ReplaceAll(string(n.src[i.start:i.end]), "\r\n", "\n")
	mark := marker.FindString(raw)
	lines := strings.Split(strings.TrimRight(raw[len(mark):], " \t\n"), "\n")
	for k := 1; k < len(lines); k++ {
		indent := len(lines[k]) - len(strings.TrimLeft(lines[k], " \t"))
		lines[k] = lines[k][min(indent, len(mark)):]
	}
	return strings.Join(lines, "\n")
}

// called returns the section with a title, or nil.
func (n *note) called(title string) *section {
	want := plain(title)
	i := slices.IndexFunc(n.sections, func(s section) bool { return s.level > 0 && plain(s.title) == want })
	if i < 0 {
		return nil
	}
	return &n.sections[i]
}

// plain returns a title for comparisons: its words in lower case, without punctuation and without a
// number at the beginning.
func plain(title string) string {
	title, _, _ = strings.Cut(title, "{#")
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) || r == '\ufe0f' || r == '\u20e3'
	})
	for len(words) > 1 && strings.Trim(words[0], "0123456789") == "" {
		words = words[1:]
	}
	return strings.Join(words, " ")
}

// frontMatter returns the offset at which the markdown begins, after a byte order mark and lines
// between two `---`.
func frontMatter(src []byte) int {
	start := len(src) - len(bytes.TrimPrefix(src, byteOrderMark))
	line := func(at int) (string, int) {
		text, _, found := bytes.Cut(src[at:], []byte("\n"))
		end := at + len(text)
		if found {
			end++
		}
		return strings.TrimRight(string(text), " \t\r"), end
	}
	first, at := line(start)
	if first != "---" {
		return start
	}
	for at < len(src) {
		var text string
		if text, at = line(at); text == "---" || text == "..." {
			return at
		}
	}
	return start
}

// TooDeep returns the first line of a text that is nested deeper than MaxNesting, or 0. The time to
// parse markdown grows with the square of the depth.
func TooDeep(src []byte) int {
	line := 0
	for text := range bytes.Lines(src) {
		line++
		markers := 0
		for i, c := range text {
			if c == '>' || (c == ' ' || c == '\t') && i > 0 && bytes.IndexByte([]byte("-*+.)"), text[i-1]) >= 0 {
				markers++
			} else if bytes.IndexByte([]byte(" \t-*+.)0123456789"), c) < 0 {
				break
			}
		}
		if markers > MaxNesting {
			return line
		}
	}
	return 0
}

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }
