package tokens

import (
	"unicode"
	"unicode/utf8"
)

// A class is what o200k's rule for cutting a text into pieces tells apart:
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// The rule is written out here, for a regular expression takes quadratic time
// over blank lines and cuts "\n \n" in two.
type class uint8

const (
	end     class = iota // of the text
	upper                // Lu, Lt
	lower                // Ll
	letter               // Lm, Lo: both an upper and a lower one
	mark                 // M: a letter, and yet no \p{L}
	digit                // N
	newline              // \r, \n
	space                // any other white space
	other
)

// classAt is the class of what text has at i, and its length in bytes.
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

// run is where what begins at i with nothing but classes for which in holds
// ends.
func run(text string, i int, in func(class) bool) int {
	for {
		c, size := classAt(text, i)
		if c == end || !in(c) {
			return i
		}
		i += size
	}
}

func isSymbol(c class) bool { return c == other || c == mark }

// piece is the length of the first piece of text, which is not empty.
func piece(text string) int {
	first, size := classAt(text, 0)
	switch first {
	case space, mark, other: // may stand before a word and belong to it
		after, low := word(text, size)
		if !low && first == mark {
			after, _ = word(text, 0)
		}
		if after > size || first == mark {
			return contracted(text, after)
		}
	case upper, lower, letter:
		after, _ := word(text, 0)
		return contracted(text, after)
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
	if after := run(text, symbols, isSymbol); after > symbols {
		for after < len(text) && (text[after] == '\r' || text[after] == '\n' || text[after] == '/') {
			after++
		}
		return after
	}
	return blank(text)
}

// word is where the word that begins at i ends, i where there is none, and
// whether it ends in a lower-case letter, or one that counts as such: a word
// that does is preferred.
func word(text string, i int) (after int, low bool) {
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
	after = run(text, i, func(c class) bool { return c == lower || c == letter || c == mark })
	switch {
	case after > i:
		return after, true
	case lastBoth > 0:
		return lastBoth, true
	}
	return i, false
}

// contracted is where a word that ends at i ends together with an ending such
// as 's or 'LL.
func contracted(text string, i int) int {
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

// blank is the piece of a text that begins with white space: up to the last
// line ending, or else all but the last space, which goes with what follows.
func blank(text string) int {
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
