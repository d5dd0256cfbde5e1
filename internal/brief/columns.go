package brief

import "unicode"

// Columns returns the number of columns that a line takes on a terminal.
func Columns(line string) (n int) {
	for _, r := range line {
		n += columns(r)
	}
	return n
}

// columns returns 2 for a wide character, such as Chinese ones, and 0 for one that combines
// with the one before it.
func columns(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return 1
	case r < ' ', unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

// wide reports whether a terminal shows a character in two columns: the blocks of East Asian
// scripts, full-width forms and pictures.
func wide(r rune) bool {
	const firstWide = 0x1100
	return r >= firstWide && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf && r != 0x303f || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd)
}
