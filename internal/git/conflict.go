package git

import "bytes"

// A Side says where a line of a file stands that a merge left in conflict.
type Side uint8

const (
	Both Side = iota // outside of conflicts
	Ours
	Base // what both sides come from
	Theirs
	Marker
)

// SideBySide calls line with each line of src, its newline included, and its side. It
// reports whether the markers of the conflicts match.
func SideBySide(src []byte, line func(line []byte, s Side)) bool {
	at, well := Both, true
	for text := range bytes.Lines(src) {
		mark := markerOf(text)
		next := at
		switch {
		case mark == 0 || mark == '|' && at != Ours || mark == '=' && at == Both: // which people write under headings
			line(text, at)
			continue
		case mark == '<' && at == Both:
			next = Ours
		case mark == '|':
			next = Base
		case mark == '=' && (at == Ours || at == Base):
			next = Theirs
		case mark == '>' && at == Theirs:
			next = Both
		default:
			well = false
		}
		line(text, Marker)
		at = next
	}
	return well && at == Both
}

// markerOf returns the sign of a line that git wrote around a conflict, 0 for other lines:
// seven of <, |, = or >, and nothing else or a space behind them.
func markerOf(line []byte) byte {
	const width = 7
	text := bytes.TrimRight(line, "\r\n")
	if len(text) < width || bytes.IndexByte([]byte("<|=>"), text[0]) < 0 || len(bytes.Trim(text[:width], string(text[:1]))) > 0 {
		return 0
	}
	if len(text) > width && text[width] != ' ' {
		return 0
	}
	return text[0]
}

// InConflict reports whether a merge left both sides in src, with markers that match.
func InConflict(src []byte) bool {
	found := false
	well := SideBySide(src, func(_ []byte, s Side) { found = found || s == Marker })
	return found && well
}

// Sides returns the two texts that a merge left in one. It returns false where the
// markers of the conflicts do not match; a text without any is both sides.
func Sides(src []byte) (ours, theirs []byte, ok bool) {
	ok = SideBySide(src, func(line []byte, s Side) {
		if s == Both || s == Ours {
			ours = append(ours, line...)
		}
		if s == Both || s == Theirs {
			theirs = append(theirs, line...)
		}
	})
	return ours, theirs, ok
}
