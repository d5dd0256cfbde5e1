package git

import "bytes"

// A Side is the part of a conflict that a line of a file belongs to.
type Side uint8

// The sides.
const (
	Both Side = iota // outside of conflicts
	Ours
	Base // the common ancestor of both sides
	Theirs
	Marker
)

// SideBySide calls line with each line of src, including its newline, and its side. It
// reports whether the markers of the conflicts match.
func SideBySide(src []byte, line func(line []byte, s Side)) bool {
	at, well := Both, true
	for text := range bytes.Lines(src) {
		mark := markerOf(text)
		next := at
		switch {
		case mark == 0 || mark == '|' && at != Ours || mark == '=' && at == Both: // people write such lines under headings
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

// markerOf returns the sign of a conflict marker, 0 for other lines. A marker is a line
// of seven <, |, = or >, followed by a space or by nothing.
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

// InConflict reports whether src contains conflict markers that match.
func InConflict(src []byte) bool {
	found := false
	well := SideBySide(src, func(_ []byte, s Side) { found = found || s == Marker })
	return found && well
}

// Sides returns the texts of both sides of src. It returns false if the conflict
// markers do not match. A text without conflicts is both sides.
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
