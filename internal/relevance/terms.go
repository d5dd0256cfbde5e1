package relevance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// Limits of what counts as a word, in bytes: what is longer is no word that
// anybody would search for.
const (
	maxWhole = 256 // an identifier or path as a whole
	maxPart  = 64  // a part of one
	maxKnown = 1 << 17
)

// Terms splits text into the stemmed words that searches compare: lower case,
// split at everything that is no letter or digit, identifiers and paths both
// whole and by their parts, files also by their names. English words that say nothing are left out.
// Numbers, ids and commit hashes stay whole. Writing that sets no spaces between
// words (Chinese, Japanese, Thai …) comes as pairs of characters, and so does
// Korean.
func Terms(text string) []string {
	var all []string
	l := lexer[string]{intern: func(term string) string { return term }}
	l.read(text, func(terms []string) { all = append(all, terms...) })
	return all
}

// A kind is what splitting tells apart.
type kind uint8

const (
	gap   kind = iota
	plain      // a letter, digit or mark of a script that sets spaces between words
	dense      // one of a script that does not
	joint      // what holds identifiers and paths together
)

// kindAt is the kind of what text has at i, which is in it, and its length.
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

// run is how long text begins with nothing but characters of a kind.
func run(text string, of kind) int {
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

// compound is how long the word is that text begins with, with the words that
// single joints tie to it.
func compound(text string) int {
	i := run(text, plain)
	for i < len(text) {
		kind, size := kindAt(text, i)
		if kind != joint {
			break
		}
		next := run(text[i+size:], plain)
		if next == 0 {
			break
		}
		i += size + next
	}
	return i
}

// split is the terms of a compound: itself where it has several parts, and its
// parts; of a path also the name of its file.
func split(word string) []string {
	var terms []string
	parts := 0
	for i := 0; i < len(word); {
		n := run(word[i:], plain)
		part := word[i : i+n]
		i += n
		if ending := endingOf(word[i:]); ending > 0 {
			if t := word[i+ending-1]; negated(part) && (t == 't' || t == 'T') {
				part = ""
			}
			i += ending
			if i == len(word) && parts == 0 { // user's is no more than user
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
		if base := whole[strings.LastIndexAny(whole, `/\`)+1:]; len(base) < len(whole) && compound(base) > run(base, plain) {
			terms = append(terms, base)
		}
	}
	return terms
}

// endingOf is how long the apostrophe and the ending are that rest begins with.
func endingOf(rest string) int {
	after, ok := strings.CutPrefix(rest, "'")
	if !ok {
		if after, ok = strings.CutPrefix(rest, "’"); !ok {
			return 0
		}
	}
	n := run(after, plain)
	switch strings.ToLower(after[:n]) {
	case "s", "t", "d", "m", "ll", "re", "ve":
		return len(rest) - len(after) + n
	}
	return 0
}

// negated says whether a word is one of those that n't is said of: of didn't
// nothing is a word.
func negated(word string) bool {
	switch strings.ToLower(word) {
	case "didn", "doesn", "don", "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "won", "wouldn", "shouldn", "couldn", "mustn", "needn", "ain":
		return true
	}
	return false
}

// partTerms appends the terms of a word without joints: its stem; of one in
// camelCase also those of its humps.
func partTerms(terms []string, part string) []string {
	if len(part) > maxPart {
		if len(part) <= maxWhole {
			terms = append(terms, strings.ToLower(part))
		}
		return terms
	}
	from := 0
	for i := range part {
		if i > 0 && hump(part, i) {
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

// hump says whether a hump of part begins at i: at a capital behind anything
// else, and at the last of several that two small letters follow (of HTTPServer
// the S, of URLs none).
func hump(part string, i int) bool {
	r, size := utf8.DecodeRuneInString(part[i:])
	before, _ := utf8.DecodeLastRuneInString(part[:i])
	if !unicode.IsUpper(r) || !unicode.IsUpper(before) {
		return unicode.IsUpper(r)
	}
	next, more := utf8.DecodeRuneInString(part[i+size:])
	last, _ := utf8.DecodeRuneInString(part[i+size+more:])
	return unicode.IsLower(next) && unicode.IsLower(last)
}

// appendStem appends what is left of a word: nothing of one that says nothing,
// the stem of an English one, others as they are but for their case. Irregular
// forms come to the term of their word.
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
