package validate

import "bytes"

// A side says where a line of a merge stands.
type side uint8

const (
	both side = iota // outside a conflict
	our
	base // what both sides come from
	their
	marker
)

// sideBySide calls line with each line of src, its newline included, and its
// side. It says whether the conflicts are well formed.
func sideBySide(src []byte, line func(line []byte, s side)) bool {
	at, well := both, true
	for text := range bytes.Lines(src) {
		mark, ok := markerOf(text)
		next := at
		switch {
		case !ok:
			line(text, at)
			continue
		case mark == '<' && at == both:
			next = our
		case mark == '|' && at == our:
			next = base
		case mark == '=' && (at == our || at == base):
			next = their
		case mark == '>' && at == their:
			next = both
		default:
			well = false
		}
		line(text, marker)
		at = next
	}
	return well && at == both
}

// markerOf is the character of a line that is a conflict marker.
func markerOf(line []byte) (byte, bool) {
	if len(line) > 0 && line[0] == '|' { // markers looks for the others
		line = append([]byte("<<<<<<<"), bytes.TrimPrefix(line, []byte("|||||||"))...)
		return '|', len(line) > 7 && hasMarker(line)
	}
	for _, mark := range markers(line) {
		return mark, true
	}
	return 0, false
}

// Sides returns the two texts that a merge left in one. It returns false where the
// markers of the conflicts do not match; a text without any is both sides.
func Sides(src []byte) (ours, theirs []byte, ok bool) {
	ok = sideBySide(src, func(line []byte, s side) {
		if s == both || s == our {
			ours = append(ours, line...)
		}
		if s == both || s == their {
			theirs = append(theirs, line...)
		}
	})
	return ours, theirs, ok
}
