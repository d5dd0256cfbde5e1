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
// whole and by their parts. English words that say nothing are left out.
// Numbers, ids and commit hashes stay whole. Writing that sets no spaces between
// words (Chinese, Japanese, Thai …) comes as pairs of characters, and so does
// Korean.
func Terms(text string) []string {
	var all []string
	l := lexer[string]{intern: func(term string) string { return term }}
	l.read(text, func(terms []string) { all = append(all, terms...) })
	return all
}

// A lexer turns texts into terms, or into what intern makes of them. Most of a
// text are words that came before: it remembers what they gave.
type lexer[T any] struct {
	intern func(term string) T
	known  map[string][]T
}

// read yields the terms of text, those of a word at a time.
func (l *lexer[T]) read(text string, yield func([]T)) {
	for i := 0; i < len(text); {
		kind, size := kindAt(text, i)
		switch kind {
		case plain:
			n := compound(text[i:])
			yield(l.word(text[i:i+n], split))
			i += n
		case dense:
			n := run(text[i:], dense)
			l.pairs(text[i:i+n], yield)
			i += n
		default:
			i += size
		}
	}
}

// word is the terms that divide makes of word.
func (l *lexer[T]) word(word string, divide func(string) []string) []T {
	if terms, ok := l.known[word]; ok {
		return terms
	}
	var terms []T
	for _, term := range divide(word) {
		terms = append(terms, l.intern(term))
	}
	if len(word) > maxWhole {
		return terms
	}
	if l.known == nil || len(l.known) == maxKnown {
		l.known = map[string][]T{}
	}
	l.known[strings.Clone(word)] = terms
	return terms
}

// pairs yields each two neighbours of a run of dense characters; a single one
// by itself.
func (l *lexer[T]) pairs(run string, yield func([]T)) {
	itself := func(s string) []string { return []string{strings.Clone(s)} }
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		yield(l.word(run, itself))
		return
	}
	for first < len(run) {
		_, second := utf8.DecodeRuneInString(run[first:])
		yield(l.word(run[:first+second], itself))
		run, first = run[first:], second
	}
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
// parts.
func split(word string) []string {
	var terms []string
	parts := 0
	for i := 0; i < len(word); {
		n := run(word[i:], plain)
		part := word[i : i+n]
		i += n
		if ending := endingOf(word[i:]); ending > 0 {
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
		terms = append(terms, strings.ToLower(word))
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
// the stem of an English one, others as they are but for their case.
func appendStem(terms []string, word string) []string {
	word = strings.ToLower(word)
	switch {
	case english.IsStopWord(word):
		return terms
	case strings.ContainsFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }):
		return append(terms, word)
	}
	return append(terms, english.Stem(word, false))
}
