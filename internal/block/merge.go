package block

import (
	"bytes"

	"github.com/forgemind/forgemind/internal/git"
)

// A piece is text that both sides of a merge share, or a conflict with what each of them has.
type piece struct {
	text     []byte // with the markers
	sides    [2][]byte
	conflict bool
}

// mostParsed limits how many bytes are parsed to look at the conflicts of a document one by one; where it takes more all stay.
const mostParsed = 2 << 20

// mend resolves the conflicts of a merge in which the sides differ in nothing but what is rendered, which is rendered
// anew. The others, in what people wrote, stay and are counted.
func mend(src []byte, blocks []Block) ([]byte, int) {
	pieces, conflicts := split(src)
	if conflicts == 0 {
		return src, 0
	}
	if conflicts*len(src) > mostParsed {
		return src, conflicts
	}
	ours := written(sideOf(pieces, -1), blocks)
	var out []byte
	left := 0
	for i, p := range pieces {
		switch {
		case !p.conflict:
			out = append(out, p.text...)
		case bytes.Equal(ours, written(sideOf(pieces, i), blocks)):
			out = append(out, p.sides[0]...)
		default:
			out = append(out, p.text...)
			left++
		}
	}
	return out, left
}

// sideOf returns our side of a document, with their side of one piece.
func sideOf(pieces []piece, theirs int) []byte {
	var out []byte
	for i, p := range pieces {
		side := 0
		if i == theirs {
			side = 1
		}
		out = append(out, p.sides[side]...)
	}
	return out
}

// written returns what people wrote in a document, with the names of blocks in their place.
func written(src []byte, blocks []Block) []byte {
	p := parse(src, blocks)
	var edits []edit
	for _, b := range blocks {
		for i := range p.spans {
			if s := &p.spans[i]; s.name == b.Name {
				text := "\x00" + b.Name
				for _, line := range p.strangers(s, b) {
					text += "\n" + line
				}
				edits = append(edits, edit{s.start, s.end, text})
			}
		}
	}
	return apply(src, append(edits, p.strays...))
}

// split cuts src into pieces, and counts the conflicts: none where the markers do not match.
func split(src []byte) (pieces []piece, conflicts int) {
	open := piece{conflict: true}
	well := git.SideBySide(src, func(line []byte, s git.Side) {
		if s == git.Both {
			pieces = append(pieces, piece{text: line, sides: [2][]byte{line, line}})
			return
		}
		open.text = append(open.text, line...)
		switch {
		case s == git.Ours:
			open.sides[0] = append(open.sides[0], line...)
		case s == git.Theirs:
			open.sides[1] = append(open.sides[1], line...)
		case s == git.Marker && line[0] == '>':
			pieces = append(pieces, open)
			open = piece{conflict: true}
			conflicts++
		}
	})
	if !well {
		return nil, 0
	}
	return pieces, conflicts
}
