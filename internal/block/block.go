// Package block keeps what forgemind writes into markdown that people edit: in blocks between two marks,
//
//	<!-- forgemind:begin NAME -->
//	<!-- forgemind:end NAME HASH -->
//
// where HASH is that of the lines between them as forgemind wrote them. Everything else in such a document belongs to
// people, and stays. What they write between the marks is put behind the block.
package block

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// A Block is a part of a document that forgemind writes.
type Block struct {
	Name  string   // in its marks: letters in lower case, and '-'
	Title string   // of the heading that it stands under; a document may have the first words of it
	Lines []string // never none
	// Former are lines that were rendered into the block before. Of a block that somebody edited neither these nor its
	// Lines are a person's, whatever number they begin with.
	Former []string
}

// A Document is one with its blocks up to date.
type Document struct {
	Text      []byte
	Places    []Place // of the blocks that it has, in the order of the blocks
	Conflicts int     // of a merge that stay: those in what people wrote, or all where they are too many to look at
	Swallowed bool    // something in it, such as a code block that is never closed, would swallow a block: it stays as it is
}

// A Place is where a block stands.
type Place struct {
	Name  string   `json:"-"`
	Title string   `json:"title"`           // of the heading above it
	Line  int      `json:"line"`            // of that heading, from 1
	Moved []string `json:"moved,omitempty"` // lines of people that stood in the block, and stand behind it now
}

// Render returns a document with its blocks up to date, and every other byte as it is. Where it has none of a block, the
// block is put below the heading of its Title, or with a heading of its own behind the block before it; not while the
// document is in conflict. Of a section that stands twice one is taken out, and so are marks that belong to no block. An
// empty document begins with the line title. Rendering again changes nothing.
func Render(src []byte, title string, blocks []Block) Document {
	once := renderOnce(src, title, blocks)
	twice := renderOnce(once.Text, title, blocks)
	if once.Conflicts > 0 && !bytes.Equal(once.Text, twice.Text) { // it has fewer conflicts now
		once, twice = twice, renderOnce(twice.Text, title, blocks)
	}
	lacks := once.Conflicts == 0 && len(once.Places) != len(blocks)
	if lacks || !bytes.Equal(once.Text, twice.Text) {
		return Document{Text: src, Conflicts: once.Conflicts, Swallowed: true}
	}
	return once
}

func renderOnce(src []byte, title string, blocks []Block) Document {
	mended, conflicts := mend(src, blocks)
	doc := compose(mended, title, blocks, conflicts == 0)
	doc.Conflicts = conflicts
	return doc
}

// compose is Render for a text without conflicts. Where whole is false it has some: then nothing is put or taken out, and only
// blocks that nobody edited are written anew.
func compose(src []byte, title string, blocks []Block, whole bool) Document {
	if len(bytes.TrimSpace(src[Start(src):])) == 0 {
		text := title + "\n"
		for _, b := range blocks {
			text += "\n" + strings.Join(b.section(), "\n") + "\n"
		}
		src = append(bytes.Clone(src), text...)
	}
	p := parse(src, blocks)
	if whole {
		for i := range blocks {
			if p.place(blocks[i].Name) == nil {
				p = parse(p.insert(blocks, i), blocks)
			}
		}
	}
	doc := Document{}
	var edits []edit
	for _, b := range blocks {
		s := p.place(b.Name)
		if s == nil || !whole && !s.marked {
			continue
		}
		moved := p.strangers(s, b)
		if whole || len(moved) == 0 {
			edits = append(edits, p.renewal(s, b, moved)...)
		}
		if whole {
			edits = append(edits, p.removals(s, b)...)
		} else {
			moved = nil
		}
		h := p.heading(s.start)
		doc.Places = append(doc.Places, Place{Name: b.Name, Title: h.title, Line: p.lineOf(h), Moved: moved})
	}
	if whole {
		edits = append(edits, p.strays...)
	}
	doc.Text = apply(p.src, edits)
	return doc
}

// section returns a block with its heading.
func (b Block) section() []string { return append([]string{"## " + b.Title}, b.marked()...) }

// marked returns a block with its marks.
func (b Block) marked() []string {
	begin := fmt.Sprintf("<!-- forgemind:begin %s -->", b.Name)
	end := fmt.Sprintf("<!-- forgemind:end %s %s -->", b.Name, hashOf(b.Name, b.Lines))
	return slices.Concat([]string{begin}, b.Lines, []string{end})
}

// hashOf returns the hash of the lines of a block.
func hashOf(name string, lines []string) string {
	return schema.DerivedID("", []byte(name+"\n"+strings.Join(lines, "\n")))
}

// A Shown holds the lines that a document has of a block.
type Shown struct {
	Lines  []string // of the block; where it has no marks, of the section to which it belongs
	Line   int      // of the heading above them, from 1
	Marked bool
}

// In returns what a document has of the block; false for nothing.
func (b Block) In(src []byte) (Shown, bool) {
	p := parse(src, []Block{b})
	s := p.place(b.Name)
	if s == nil {
		return Shown{}, false
	}
	end := s.bodyEnd
	if !s.marked {
		end = p.next(s.body)
	}
	return Shown{p.lines(s.body, end), p.lineOf(p.heading(s.start)), s.marked}, true
}

// Rendered returns the lines that a document has of the block as they were rendered; none where somebody edited them.
func (b Block) Rendered(src []byte) []string {
	p := parse(src, []Block{b})
	if s := p.place(b.Name); s != nil && s.intact {
		return p.lines(s.body, s.bodyEnd)
	}
	return nil
}

// known returns the lines that are not a person's in a block that somebody edited, without what bare takes away.
func (b Block) known() map[string]bool {
	known := map[string]bool{}
	for _, line := range slices.Concat(b.Lines, b.Former) {
		known[bare(line)] = true
	}
	return known
}

// Same reports whether two lines of blocks say the same, whatever their numbers.
func Same(a, b string) bool { return bare(a) == bare(b) }

var number = lazyregexp.New(`^[0-9]{1,9}[.)] `)

// bare returns a line as lines are compared: without the number of an item, and blanks at its end.
func bare(line string) string {
	line = strings.TrimRight(line, " \t\r")
	return line[len(number.FindString(line)):]
}

// isTitled reports whether a heading is that of the block: its Title, or the first words of it, two at least.
func (b Block) isTitled(heading string) bool {
	want, has := plain(b.Title), plain(heading)
	return has != "" && (want == has || strings.HasPrefix(want, has+" ") && strings.Contains(has, " "))
}

// plain returns a title as titles are compared.
func plain(title string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}
