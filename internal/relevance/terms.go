package relevance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Limits of words. Nobody searches for longer ones.
const (
	maxWhole       = 256     // bytes of an identifier or path
	maxPart        = 64      // bytes of a part of one
	maxCachedWords = 1 << 17 // words in the cache of a lexer
)

// Terms returns the terms of text that searches compare: stemmed words in lower case,
// split at everything but letters and digits. An identifier or a path gives a term for
// the whole and terms for its parts, a path also one for its file name. English stop
// words are omitted. Numbers, ids and commit hashes stay whole. Scripts without spaces
// between words (Chinese, Japanese, Thai …) and Korean give pairs of characters.
func Terms(text string) []string {
	var all []string
	l := lexer[string]{intern: func(term string) string { return term }}
	l.read(text, func(terms []string) { all = append(all, terms...) })
	return all
}

// A kind is a class of characters.
type kind uint8

const (
	gap   kind = iota
	plain      // a letter, digit or mark of a script with spaces between words
	dense      // a letter, digit or mark of a script without
	joint      // a character that joins the parts of identifiers and paths
)

// kindAt returns the kind of the character at text[i], and its length in bytes.
func kindAt(text string, i int) (kind, int) {
	switch c := text[i]; {
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		return plain, 1
	case c == '_', c == '-', c == '.', c == '/', c == '\\', c == '@', c == '\'':
		return joint, 1
	case c < utf8.RuneSelf:
		return gap, 1
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	switch {
	case r == '’':
		return joint, size
	case !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r):
		return gap, size
	case r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar), r == 'ー':
		return dense, size
	}
	return plain, size
}

// runLen returns the length in bytes of the characters of one kind at the start of text.
func runLen(text string, of kind) int {
	i := 0
	for i < len(text) {
		kind, size := kindAt(text, i)
		if kind != of {
			break
		}
		i += size
	}
	return i
}

// compoundLen returns the length in bytes of the word at the start of text, including
// the words that single joints connect to it.
func compoundLen(text string) int {
	i := runLen(text, plain)
	for i < len(text) {
		kind, size := kindAt(text, i)
		if kind != joint {
			break
		}
		next := runLen(text[i+size:], plain)
		if next == 0 {
			break
		}
		i += size + next
	}
	return i
}

// splitCompound returns the terms of a compound: its parts, the whole if it has several
// parts, and the file name of a path.
func splitCompound(word string) []string {
	var terms []string
	parts := 0
	for i := 0; i < len(word); {
		n := runLen(word[i:], plain)
		part := word[i : i+n]
		i += n
		if ending := endingLen(word[i:]); ending > 0 {
			if t := word[i+ending-1]; isNegated(part) && (t == 't' || t == 'T') {
				part = ""
			}
			i += ending
			if i == len(word) && parts == 0 { // "user's" gives only "user"
				return partTerms(nil, part)
			}
		}
		terms = partTerms(terms, part)
		parts++
		if i < len(word) {
			_, size := kindAt(word, i)
			i += size
		}
	}
	if parts > 1 && len(word) <= maxWhole {
		whole := strings.ToLower(word)
		terms = append(terms, whole)
		if base := whole[strings.LastIndexAny(whole, `/\`)+1:]; len(base) < len(whole) && compoundLen(base) > runLen(base, plain) {
			terms = append(terms, base)
		}
	}
	return terms
}

// endingLen returns the length of the apostrophe and the contraction at the start of
// rest, such as 's or 'll, 0 for none.
func endingLen(rest string) int {
	after, ok := strings.CutPrefix(rest, "'")
	if !ok {
		if after, ok = strings.CutPrefix(rest, "’"); !ok {
			return 0
		}
	}
	n := runLen(after, plain)
	switch strings.ToLower(after[:n]) {
	case "s", "t", "d", "m", "ll", "re", "ve":
		return len(rest) - len(after) + n
	}
	return 0
}

// isNegated reports whether word, with 't, is a negated auxiliary verb such as didn't,
// which gives no term.
func isNegated(word string) bool {
	switch strings.ToLower(word) {
	case "didn", "doesn", "don", "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "won", "wouldn", "shouldn", "couldn", "mustn", "needn", "ain":
		return true
	}
	return false
}

// partTerms appends the terms of a word without joints: its stem, and for camelCase
// also the stems of its parts.
func partTerms(terms []string, part string) []string {
	if len(part) > maxPart {
		if len(part) <= maxWhole {
			terms = append(terms, strings.ToLower(part))
		}
		return terms
	}
	from := 0
	for i := range part {
		if i > 0 && isHump(part, i) {
			terms = appendStem(terms, part[from:i])
			from = i
		}
	}
	terms = appendStem(terms, part[from:])
	if from > 0 {
		terms = appendStem(terms, part)
	}
	return terms
}

// isHump reports whether a part of a camelCase word begins at i: at a capital after
// any other character, and at the last of several capitals if two lower-case letters
// follow (the S of HTTPServer, but none of URLs).
func isHump(part string, i int) bool {
	r, size := utf8.DecodeRuneInString(part[i:])
	before, _ := utf8.DecodeLastRuneInString(part[:i])
	if !unicode.IsUpper(r) || !unicode.IsUpper(before) {
		return unicode.IsUpper(r)
	}
	next, more := utf8.DecodeRuneInString(part[i+size:])
	last, _ := utf8.DecodeRuneInString(part[i+size+more:])
	return unicode.IsLower(next) && unicode.IsLower(last)
}

// appendStem appends the term of a word: none for a stop word, the stem of an English
// word, the base form of an irregular form, and any other word in lower case.
func appendStem(terms []string, word string) []string {
	word = strings.ToLower(word)
	switch {
	case word == "", english.IsStopWord(word):
		return terms
	case strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }):
		return append(terms, word)
	}
	stem := english.Stem(word, false)
	if base, ok := baseForms()[stem]; ok {
		stem = base
	}
	return append(terms, stem)
}
