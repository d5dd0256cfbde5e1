package condense

import (
	"bytes"
	"errors"
	"strings"

	"github.com/forgemind/forgemind/internal/git"
)

// ErrUnmerged reports that a document has unresolved conflict markers.
var ErrUnmerged = errors.New("it holds the markers of an unfinished merge")

// HasConflict reports whether src has unresolved conflict markers.
func HasConflict(src []byte) bool {
	_, found := splitConflicts(src)
	return found
}

// merged returns ErrUnmerged if conflict markers are the reason for err, and else err.
func merged(src []byte, err error) error {
	if HasConflict(src) {
		return ErrUnmerged
	}
	return err
}

// mendContext resolves the conflicts in which the two sides differ only in generated text, which is
// written again anyway. It keeps other conflicts and returns their number.
func mendContext(src []byte) ([]byte, int) {
	stretches, ok := splitConflicts(src)
	if !ok {
		return src, 0
	}
	var out []byte
	left := 0
	for _, s := range stretches {
		ours, theirs := s.side(0), s.side(1)
		if s.conflicts > 0 && !bytes.Equal(withoutGenerated(ours), withoutGenerated(theirs)) {
			left += s.conflicts
			out = append(out, s.whole()...)
			continue
		}
		out = append(out, ours...)
	}
	return out, left
}

// withoutGenerated returns a text with the names of sections in place of generated text.
func withoutGenerated(src []byte) []byte {
	f := parseContext(src)
	var edits []contextEdit
	for i := range f.parts {
		if p := &f.parts[i]; p.intact {
			edits = append(edits, contextEdit{p.mark, p.bodyEnd, "\x00" + p.key})
		}
	}
	return applyContext(src, edits)
}

// A stretch is the text from one heading to the next, both outside conflicts.
type stretch struct {
	pieces    []conflictPiece
	conflicts int
}

// A conflictPiece is text that both sides share, or the two sides of a conflict.
type conflictPiece struct {
	whole []byte // including the markers
	sides [2][]byte
}

func (s stretch) whole() []byte {
	var out []byte
	for _, p := range s.pieces {
		out = append(out, p.whole...)
	}
	return out
}

func (s stretch) side(n int) []byte {
	var out []byte
	for _, p := range s.pieces {
		out = append(out, p.sides[n]...)
	}
	return out
}

// splitConflicts splits src into stretches. It reports false if there are no conflicts, or if their
// markers do not match.
func splitConflicts(src []byte) ([]stretch, bool) {
	stretches := []stretch{{}}
	found := false
	var piece *conflictPiece // the current conflict
	well := git.SideBySide(src, func(line []byte, s git.Side) {
		now := &stretches[len(stretches)-1]
		if s == git.Both {
			if isContextHeading(line) && len(now.pieces) > 0 {
				stretches = append(stretches, stretch{})
				now = &stretches[len(stretches)-1]
			}
			now.pieces = append(now.pieces, conflictPiece{line, [2][]byte{line, line}})
			return
		}
		if piece == nil {
			piece = &conflictPiece{}
		}
		piece.whole = append(piece.whole, line...)
		switch {
		case s == git.Ours:
			piece.sides[0] = append(piece.sides[0], line...)
		case s == git.Theirs:
			piece.sides[1] = append(piece.sides[1], line...)
		case s == git.Marker && line[0] == '>':
			now.pieces = append(now.pieces, *piece)
			now.conflicts++
			piece, found = nil, true
		}
	})
	return stretches, found && well
}

// isContextHeading reports whether a line begins a section.
func isContextHeading(line []byte) bool {
	rest := bytes.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && len(rest) > 0 && strings.ContainsRune(" \t\r\n", rune(rest[0]))
}
