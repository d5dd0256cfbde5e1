package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A class is a class of characters that o200k's rule for cutting a text into pieces
// distinguishes:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// The rule is coded by hand, because a regular expression takes quadratic time
// for blank lines and cuts "\n \n" in two.
type class uint8

const (
	end     class = iota // of the text
	upper                // Lu, Lt
	lower                // Ll
	letter               // Lm, Lo: counts as upper and as lower
	mark                 // M: counts as a letter, but is not in \p{L}
	digit                // N
	newline              // \r, \n
	space                // any other white space
	other
)

// classAt returns the class of the character at text[i:] and its length in bytes.
func classAt(text string, i int) (class, int) {
	if i >= len(text) {
		return end, 0
	}
	switch c := text[i]; {
	case c >= 'a' && c <= 'z':
		return lower, 1
	case c == ' ', c == '\t', c == '\v', c == '\f':
		return space, 1
	case c >= 'A' && c <= 'Z':
		return upper, 1
	case c >= '0' && c <= '9':
		return digit, 1
	case c == '\n', c == '\r':
		return newline, 1
	case c < utf8.RuneSelf:
		return other, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case unicode.IsLetter(r):
		switch {
		case unicode.Is(unicode.Ll, r):
			return lower, size
		case unicode.In(r, unicode.Lu, unicode.Lt):
			return upper, size
		}
		return letter, size
	case unicode.IsMark(r):
		return mark, size
	case unicode.IsNumber(r):
		return digit, size
	case unicode.IsSpace(r):
		return space, size
	}
	return other, size
}

// runEnd returns the end of the run of characters from i on whose class satisfies in.
func runEnd(text string, i int, in func(class) bool) int {
	for {
		c, size := classAt(text, i)
		if c == end || !in(c) {
			return i
		}
		i += size
	}
}

func isSymbol(c class) bool { return c == other || c == mark }

// pieceLen returns the length in bytes of the first piece of text. The text must
// not be empty.
func pieceLen(text string) int {
	first, size := classAt(text, 0)
	switch first {
	case space, mark, other: // belongs to the word that follows, if there is one
		after, endsLower := wordEnd(text, size)
		if !endsLower && first == mark {
			after, _ = wordEnd(text, 0)
		}
		if after > size || first == mark {
			return contractionEnd(text, after)
		}
	case upper, lower, letter:
		after, _ := wordEnd(text, 0)
		return contractionEnd(text, after)
	case digit:
		i := size
		for range 2 {
			if c, more := classAt(text, i); c == digit {
				i += more
			}
		}
		return i
	}
	symbols := 0
	if text[0] == ' ' {
		symbols = 1
	}
	if after := runEnd(text, symbols, isSymbol); after > symbols {
		for after < len(text) && (text[after] == '\r' || text[after] == '\n' || text[after] == '/') {
			after++
		}
		return after
	}
	return blankLen(text)
}

// wordEnd returns the end of the word that begins at i, or i if there is none.
// endsLower reports whether the word ends in a character that counts as lower: the
// rule prefers such a word.
func wordEnd(text string, i int) (after int, endsLower bool) {
	lastBoth := 0
	for {
		c, size := classAt(text, i)
		switch c {
		case upper:
			i += size
			continue
		case letter, mark:
			i += size
			lastBoth = i
			continue
		}
		break
	}
	after = runEnd(text, i, func(c class) bool { return c == lower || c == letter || c == mark })
	switch {
	case after > i:
		return after, true
	case lastBoth > 0:
		return lastBoth, true
	}
	return i, false
}

// contractionEnd returns the end of a contraction such as 's or 'LL that begins at
// i, or i if there is none.
func contractionEnd(text string, i int) int {
	if i+1 >= len(text) || text[i] != '\'' {
		return i
	}
	switch text[i+1] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if i+2 >= len(text) {
		return i
	}
	switch string([]byte{text[i+1] | 0x20, text[i+2] | 0x20}) {
	case "re", "ve", "ll":
		return i + 3
	}
	return i
}

// blankLen returns the length of the first piece of a text that begins with white
// space: up to the last line ending, or else all but the last space, which belongs
// to the next piece.
func blankLen(text string) int {
	after, last, lastNewline := 0, 0, 0
	for {
		c, size := classAt(text, after)
		if c == newline {
			lastNewline = after + size
		} else if c != space {
			break
		}
		last = after
		after += size
	}
	switch {
	case lastNewline > 0:
		return lastNewline
	case after == len(text) || last == 0:
		return after
	}
	return last
}
