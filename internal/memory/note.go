package memory

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/forgemind/forgemind/internal/block"
	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A note is a markdown file as far as entries are concerned. Offsets are into
// src.
type note struct {
	src      []byte
	start    int // behind the byte order mark and the front matter
	sections []section
	blocks   []leaf // all of them, in their order
	last     int    // where the last one begins that stands in no other
}

// A section is a heading of the note itself, not of a quotation or a list, with
// what follows up to the next one. The first has no heading: it is what stands
// before them.
type section struct {
	title string
	level int // of the heading, 1 to 6; 0 where there is none
	body  int // where the line behind the heading begins
	end   int // where the next heading begins
	close int // the same, or where the line begins that the author drew above it
	items []item
	list  *list // the last one
}

// An item is one of a list of the note itself.
type item struct{ start, end int }

// A list is what its author wrote it like.
type list struct {
	loose  bool
	marker byte // - * + . )
	end    int
}

// A leaf is a block of the document: what it is and what it says. Two documents
// with the same leaves are the same to whoever reads them.
type leaf struct {
	kind  string
	depth int
	text  string
}

// errNoMarkdown is what Add and Read refuse.
var errNoMarkdown = errors.New("not markdown")

// parse finds the sections of src.
func parse(src []byte) (*note, error) {
	switch at := bytes.IndexByte(src, 0); {
	case at >= 0:
		return nil, fmt.Errorf("%w: it holds a zero byte, on line %d", errNoMarkdown, lineOf(src, at))
	case !utf8.Valid(src):
		return nil, fmt.Errorf("%w: it is not UTF-8 on line %d", errNoMarkdown, lineOf(src, invalid(src)))
	}
	if line := block.TooDeep(src); line > 0 {
		return nil, fmt.Errorf("%w that can be edited: on line %d lists and quotations stand more than %d deep in one another", errNoMarkdown, line, block.MaxNesting)
	}
	n := &note{src: src, start: block.Start(src)}
	n.last = n.start
	// No inline parsers: what a paragraph says is all the same here. Nor link
	// definitions, which are found in a time that grows with their square.
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(src[n.start:]))
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

// finish says where a section ends.
func (s *section) finish(end int) {
	if s.end = end; s.close == 0 {
		s.close = end
	}
}

// note takes a list into its section.
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

// leaves notes the blocks in b.
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
	if kind == "TextBlock" { // a paragraph of a list without blank lines
		kind = "Paragraph"
	}
	n.blocks = append(n.blocks, leaf{kind, depth, says.String()})
	for c := b.FirstChild(); c != nil; c = c.NextSibling() {
		n.leaves(c, depth+1)
	}
}

// title is what a heading says.
func (n *note) title(h *ast.Heading) string {
	var parts []string
	for i := range h.Lines().Len() {
		s := h.Lines().At(i)
		parts = append(parts, strings.TrimSpace(string(s.Value(n.src[n.start:]))))
	}
	return strings.Join(parts, " ")
}

// behind is where the line behind a heading begins: behind the underline, where
// it has one.
func (n *note) behind(h *ast.Heading) int {
	first := n.place(h)
	end := n.lineEnd(first)
	if k := h.Lines().Len(); k > 0 && !bytes.HasPrefix(bytes.TrimLeft(n.src[first:end], " \t"), []byte("#")) {
		end = n.lineEnd(n.lineEnd(n.start + h.Lines().At(k-1).Start))
	}
	return end
}

// place is where the line begins that a block begins in.
func (n *note) place(b ast.Node) int { return n.lineStart(n.start + max(0, b.Pos())) }

// lineStart is where the line of an offset begins, lineEnd where the next one
// does.
func (n *note) lineStart(at int) int {
	return max(n.start, bytes.LastIndexByte(n.src[:at], '\n')+1)
}

func (n *note) lineEnd(at int) int {
	if i := bytes.IndexByte(n.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(n.src)
}

// marker is how an item of a list begins, with the spaces around.
var marker = lazyregexp.New(`^([ \t]*)([-*+]|([0-9]{1,9})([.)]))([ \t]*)(\[[ xX]\][ \t]+)?`)

// text is what an item says: without its marker, and without the indent of its
// other lines.
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

// called gives the section of a title, nil where there is none.
func (n *note) called(title string) *section {
	want := plain(title)
	i := slices.IndexFunc(n.sections, func(s section) bool { return s.level > 0 && plain(s.title) == want })
	if i < 0 {
		return nil
	}
	return &n.sections[i]
}

// plain is a title as titles are compared: its words in lower case, without
// signs and without the number in front of it.
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

func lineOf(src []byte, at int) int { return bytes.Count(src[:at], []byte("\n")) + 1 }

// invalid is the offset of the first byte that is not UTF-8.
func invalid(src []byte) int {
	at := 0
	for at < len(src) {
		r, size := utf8.DecodeRune(src[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}
