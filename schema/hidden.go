package schema

import "unicode"

// Hidden says whether a terminal obeys r, or nobody sees it: controls but for tabs and
// line feeds, what changes the direction of text, tags, selectors that texts are
// smuggled in, private use, separators of lines and paragraphs. The two joiners are
// part of how some languages, and some emoji, are written.
func Hidden(r rune) bool {
	const (
		softHyphen                          = '\u00ad'
		zeroWidthNonJoiner, zeroWidthJoiner = '\u200c', '\u200d'
		selectorsBegin, selectorsEnd        = '\U000e0100', '\U000e01ef'
	)
	switch {
	case ' ' <= r && r <= '~', r == '\n', r == '\t', r == zeroWidthNonJoiner, r == zeroWidthJoiner:
		return false
	case r <= unicode.MaxLatin1: // most of what is left, and quickly told
		return unicode.IsControl(r) || r == softHyphen
	case selectorsBegin <= r && r <= selectorsEnd:
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}
