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

// The time to parse markdown grows with the square of its length, and anybody can write such a
// text. So it is parsed in pieces.
const (
	maxMarkdown    = 128 << 10 // bytes of a text that are searched for links
	maxPiece       = 8 << 10   // bytes that are parsed at a time
	maxDefinitions = 2 << 10   // bytes of link definitions that are parsed with each piece
)

// linkedFiles yields the files of the project to which a markdown text in the file name has links or
// images.
func linkedFiles(name string, body []byte) iter.Seq[string] {
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

// linkParser returns a parser for links and for everything that decides whether a text is a link.
// It does not parse emphasis.
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

// leadsTo returns the file to which a node links, or whose image it is.
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

// definition matches a line that defines a link.
var definition = lazyregexp.New(`^ {0,3}\[[^\]]+\]: *\S`)

// pieces splits a markdown text without its fenced code at blank lines, or at other line ends if
// there are none. It leaves out lines longer than a piece. It appends the link definitions of the
// text to each piece.
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
