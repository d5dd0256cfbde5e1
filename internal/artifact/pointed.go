package artifact

import (
	"iter"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// What is parsed at a time takes the square of its length, in the hands of who
// wants it to; so markdown is taken piece by piece.
const (
	maxMarkdown    = 128 << 10 // bytes of a text whose links are looked for
	maxPiece       = 8 << 10   // bytes that are parsed at a time
	maxDefinitions = 2 << 10   // bytes of link definitions that each piece is parsed with
)

// pointed are the files of the project that the links and images of a markdown
// text lead to, relative to the file name.
func pointed(name string, body []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		p := linkParser()
		for piece := range pieces(string(body[:min(len(body), maxMarkdown)])) {
			stopped := false
			ast.Walk(p.Parse(text.NewReader([]byte(piece))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				file, ok := leadsTo(name, n)
				if stopped = ok && entering && !yield(file); stopped {
					return ast.WalkStop, nil
				}
				return ast.WalkContinue, nil
			})
			if stopped {
				return
			}
		}
	}
}

// linkParser parses what links can stand in, or cannot. Emphasis is left out.
func linkParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
}

// leadsTo is the file that a node is a link to, or an image of.
func leadsTo(name string, n ast.Node) (string, bool) {
	var to []byte
	switch n := n.(type) {
	case *ast.Link:
		to = n.Destination
	case *ast.Image:
		to = n.Destination
	}
	u, err := url.Parse(string(to))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return "", false
	}
	return usable(path.Join(path.Dir(name), u.Path))
}

// definition is a line that gives a link its destination.
var definition = lazyregexp.New(`^ {0,3}\[[^\]]+\]: *\S`)

// pieces parts a markdown text without its fenced code at blank lines, or at
// other ones where there are none. Lines that are longer than a piece are left
// out. Each piece ends with the text's link definitions.
func pieces(body string) iter.Seq[string] {
	var lines, definitions []string
	fence, room := "", maxDefinitions
	for l := range strings.Lines(body) {
		mark := strings.TrimLeft(l, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
			l = "\n"
		case strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~"):
			fence, l = mark[:3], "\n"
		case len(l) <= room && definition.MatchString(l):
			definitions = append(definitions, l)
			room -= len(l)
		}
		if len(l) <= maxPiece {
			lines = append(lines, l)
		}
	}
	tail := "\n\n" + strings.Join(definitions, "")
	return func(yield func(string) bool) {
		var b strings.Builder
		for _, l := range lines {
			full := b.Len()+len(l) > maxPiece
			if full || b.Len() > maxPiece/2 && strings.TrimSpace(l) == "" {
				if !yield(b.String() + tail) {
					return
				}
				b.Reset()
			}
			b.WriteString(l)
		}
		yield(b.String() + tail)
	}
}
