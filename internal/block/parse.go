package block

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// A page is a document with the places of blocks in it. Offsets are into src.
type page struct {
	src      []byte
	start    int             // where the markdown begins
	named    map[string]bool // the names of the blocks
	headings []heading
	code     []stretch // blocks of code, in which forgemind writes nothing
	spans    []span
	strays   []edit // take out marks that belong to no block
}

// A heading is one of the document itself, not of a quotation or a list.
type heading struct {
	title  string
	level  int
	start  int // of its line
	behind int // where the line behind it begins
}

// A stretch is src[start:end].
type stretch struct{ start, end int }

// A span is where a block stands, or where it belongs: src[start:end]. What was rendered is within src[body:bodyEnd].
type span struct {
	name           string
	start, end     int
	body, bodyEnd  int
	marked, closed bool // it has a begin mark, and an end mark
	intact         bool // its lines are as they were rendered, as a mark says
}

var (
	markLine   = lazyregexp.New(`^ {0,3}<!-- forgemind:(begin|end) ([a-z][a-z-]*)(?: ([0-9a-z]{12}))? -->[ \t]*$`)
	formerMark = lazyregexp.New(`^<!-- forgemind: ([a-z-]+) ([0-9]{1,4}) ([0-9a-z]{12}) -->$`) // of older versions: lines, hash
)

// A mark is a line that begins or ends a block.
type mark struct {
	name          string
	start, behind int
	ends          bool
	hash          string // of the lines: in an end mark, and in that of an older version, which begins a block
	lines         int    // how many belong to a mark of an older version
}

// parse finds the places of blocks in src.
func parse(src []byte, blocks []Block) *page {
	p := &page{src: src, start: Start(src), named: map[string]bool{}}
	for _, b := range blocks {
		p.named[b.Name] = true
	}
	marks := p.read()
	for i := 0; i < len(marks); i++ {
		m, next := marks[i], mark{start: len(src)}
		if i+1 < len(marks) {
			next = marks[i+1]
		}
		switch {
		case m.ends:
			p.strays = append(p.strays, edit{m.start, m.behind, ""})
		case next.ends && next.name == m.name:
			s := span{name: m.name, start: m.start, end: next.behind, body: m.behind, bodyEnd: next.start, marked: true, closed: true}
			s.intact = hashOf(m.name, p.lines(s.body, s.bodyEnd)) == next.hash
			p.spans = append(p.spans, s)
			i++
		default:
			p.spans = append(p.spans, p.open(m, next.start, blocks))
		}
	}
	p.host(blocks)
	p.strays = slices.DeleteFunc(p.strays, func(e edit) bool {
		return slices.ContainsFunc(p.spans, func(s span) bool { return s.start <= e.start && e.start < s.end })
	})
	slices.SortFunc(p.spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return p
}

// read finds the headings and the code of the document, and returns the marks of blocks in it.
func (p *page) read() (marks []mark) {
	root := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...)).Parse(text.NewReader(p.src[p.start:]))
	for b := root.FirstChild(); b != nil; b = b.NextSibling() {
		end := len(p.src)
		if next := b.NextSibling(); next != nil {
			end = p.placeOf(next)
		}
		switch b := b.(type) {
		case *ast.Heading:
			p.headings = append(p.headings, p.headingOf(b))
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			p.code = append(p.code, stretch{p.placeOf(b), end})
		case *ast.HTMLBlock:
			for at := p.placeOf(b); at < end; at = p.lineEnd(at) {
				if m, ok := p.markAt(at); ok && p.named[m.name] {
					marks = append(marks, m)
				}
				if b.HTMLBlockType < ast.HTMLBlockType6 { // one that tags end, such as a comment
					break
				}
			}
		}
	}
	return marks
}

// host finds the headings below which blocks belong that the document does not have.
func (p *page) host(blocks []Block) {
	var missing []Block
	for _, b := range blocks {
		if p.place(b.Name) == nil {
			missing = append(missing, b)
		}
	}
	if len(missing) == 0 {
		return
	}
	taken := map[int]bool{} // headings that a block stands under
	for _, s := range p.spans {
		taken[p.heading(s.start).start] = true
	}
	for _, b := range missing {
		i := slices.IndexFunc(p.headings, func(h heading) bool {
			inside := func(s span) bool { return s.start <= h.start && h.start < s.end }
			return b.isTitled(h.title) && !taken[h.start] && !slices.ContainsFunc(p.spans, inside)
		})
		if i >= 0 {
			h := p.headings[i]
			taken[h.start] = true
			p.spans = append(p.spans, p.open(mark{name: b.Name, start: h.behind, behind: h.behind}, len(p.src), blocks))
		}
	}
}

// markAt returns the mark on the line at an offset.
func (p *page) markAt(at int) (mark, bool) {
	line := p.line(at)
	m := mark{start: at, behind: p.lineEnd(at)}
	if found := markLine.FindSubmatch(line); found != nil {
		m.ends, m.name = string(found[1]) == "end", string(found[2])
		if m.ends {
			m.hash = string(found[3])
		}
		return m, true
	}
	if found := formerMark.FindSubmatch(line); found != nil {
		m.name, m.hash = string(found[1]), string(found[3])
		m.lines, _ = strconv.Atoi(string(found[2]))
		return m, true
	}
	return m, false
}

// open returns the span of a block that nothing ends, in front of limit: it reaches to the last line in its section that
// was rendered, or as far as the mark of an older version says.
func (p *page) open(m mark, limit int, blocks []Block) span {
	limit = min(limit, p.next(m.behind))
	s := span{name: m.name, start: m.start, body: m.behind, bodyEnd: m.behind, marked: m.behind > m.start}
	if body, end, ok := p.formerly(m, limit); ok {
		s.intact, s.body, s.bodyEnd = true, body, end
	} else {
		known := blocks[slices.IndexFunc(blocks, func(b Block) bool { return b.Name == m.name })].known()
		for at := m.behind; at < limit; at = p.lineEnd(at) {
			if known[bare(string(p.line(at)))] && !p.isCode(at) {
				s.bodyEnd = p.lineEnd(at)
			}
		}
	}
	s.end = s.bodyEnd
	return s
}

// formerly returns where the lines stand that the mark of an older version is about; false if they are not as they were
// rendered.
func (p *page) formerly(m mark, limit int) (body, end int, ok bool) {
	at := m.behind
	for at < limit && len(bytes.TrimSpace(p.line(at))) == 0 {
		at = p.lineEnd(at)
	}
	body = at
	for n := 0; at < limit && n < m.lines; n++ {
		at = p.lineEnd(at)
	}
	return body, at, hashOf(m.name, p.lines(body, at)) == m.hash
}

// place returns the span of a block: the first one with both marks, else the first; nil where there is none.
func (p *page) place(name string) *span {
	var first *span
	for i := range p.spans {
		switch s := &p.spans[i]; {
		case s.name != name:
		case s.closed:
			return s
		case first == nil:
			first = s
		}
	}
	return first
}

// heading returns the last heading in front of an offset; the zero heading where there is none.
func (p *page) heading(at int) heading {
	i := sort.Search(len(p.headings), func(i int) bool { return p.headings[i].behind > at })
	if i == 0 {
		return heading{start: p.start, behind: p.start}
	}
	return p.headings[i-1]
}

// next returns where the next heading begins at an offset or behind it, or the document ends.
func (p *page) next(at int) int {
	i := sort.Search(len(p.headings), func(i int) bool { return p.headings[i].start >= at })
	if i == len(p.headings) {
		return len(p.src)
	}
	return p.headings[i].start
}

// outer returns where the section that an offset stands in ends, together with the sections below it.
func (p *page) outer(at int) int {
	in := p.heading(at)
	for _, h := range p.headings {
		if h.start >= at && h.level <= in.level {
			return h.start
		}
	}
	return len(p.src)
}

// isCode reports whether an offset stands in a block of code.
func (p *page) isCode(at int) bool {
	return slices.ContainsFunc(p.code, func(c stretch) bool { return c.start <= at && at < c.end })
}

func (p *page) headingOf(b *ast.Heading) heading {
	h := heading{level: b.Level, start: p.placeOf(b)}
	h.behind = p.lineEnd(h.start)
	underlined := !bytes.HasPrefix(bytes.TrimLeft(p.src[h.start:h.behind], " \t"), []byte("#"))
	var words []string
	for i := range b.Lines().Len() {
		line := b.Lines().At(i)
		words = append(words, strings.TrimSpace(string(line.Value(p.src[p.start:]))))
		if underlined {
			h.behind = max(h.behind, p.lineEnd(p.lineEnd(p.start+line.Start)))
		}
	}
	h.title = strings.Join(words, " ")
	return h
}

// placeOf returns where the line begins that a node begins in.
func (p *page) placeOf(b ast.Node) int { return p.lineStart(p.start + max(0, b.Pos())) }

// lineOf returns the line of a heading, from 1.
func (p *page) lineOf(h heading) int { return bytes.Count(p.src[:h.start], []byte("\n")) + 1 }

// line returns the line at an offset, without what ends it.
func (p *page) line(at int) []byte {
	line, _, _ := bytes.Cut(p.src[at:], []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

func (p *page) lineStart(at int) int {
	return max(p.start, bytes.LastIndexByte(p.src[:at], '\n')+1)
}

func (p *page) lineEnd(at int) int {
	if i := bytes.IndexByte(p.src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(p.src)
}

// lines returns the lines of src[start:end], without what ends them.
func (p *page) lines(start, end int) []string {
	if start == end {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(string(p.src[start:end]), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines
}

// newline returns how lines end around an offset.
func (p *page) newline(at int) string {
	end := bytes.IndexByte(p.src[at:], '\n')
	if end >= 0 {
		end += at
	} else {
		end = bytes.LastIndexByte(p.src, '\n')
	}
	if end > 0 && p.src[end-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
