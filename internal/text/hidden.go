package text

import "unicode"

// Hidden reports whether r is not visible or controls a terminal: control characters
// except tabs and line feeds, marks of direction, tags, variation selectors of the
// supplement (which can carry hidden text), private use, and separators of lines and
// paragraphs. The two joiners are not hidden: some languages and emoji need them.
func Hidden(r rune) bool {
	const (
		softHyphen                          = '\u00ad'
		zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
		selectorsBegin, selectorsEnd        = '\U000e0100', '\U000e01ef'
	)
	switch {
	case ' ' <= r && r <= '~', r == '\n', r == '\t', r == zeroWidthNonJoiner, r == zeroWidthJoiner:
		return false
	case r <= unicode.MaxLatin1: // most of the rest, without a look at the tables
		return unicode.IsControl(r) || r == softHyphen
	case selectorsBegin <= r && r <= selectorsEnd:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}
