package relevance

import (
	"strings"
	"unicode/utf8"
)

// A lexer turns texts into terms, or into what intern makes of them. Most of a
// text are words that came before: it remembers what they gave.
type lexer[T any] struct {
	intern func(term string) T
	begins *beginnings // of the words that are asked for; nil: all are
	slots  []slot      // a table of words by their hash, as many as a power of two
	words  []known[T]
}

// A slot of the table is free, or says where among the words one stands, from 1.
type slot struct{ hash, word uint32 }

// A known is a word with what it gave.
type known[T any] struct {
	word  string
	terms []T
}

// asciiKinds are the kinds of ASCII characters; the others have kinds of their
// own.
var asciiKinds = func() (kinds [256]kind) {
	for c := range kinds {
		kinds[c] = other
		if c < utf8.RuneSelf {
			kinds[c], _ = kindAt(string(rune(c)), 0)
		}
	}
	return kinds
}()

// other is what asciiKinds has for bytes of other characters.
const other = kind(255)

// read yields the terms of text, those of a word at a time.
func (l *lexer[T]) read(text string, yield func([]T)) {
	for i := 0; i < len(text); {
		switch asciiKinds[text[i]] {
		case plain:
			if l.begins != nil {
				if n := l.begins.passes(text[i:]); n > 0 {
					i += n
					continue
				}
			}
			n, hash := asciiCompound(text[i:])
			if n == 0 {
				n = compound(text[i:])
				hash = hashOf(text[i : i+n])
			}
			yield(l.word(text[i:i+n], hash, split))
			i += n
		case other:
			i += l.beyond(text[i:], yield)
		default:
			i++
		}
	}
}

// beyond is read for what a character begins that is not ASCII. It returns how
// long that is.
func (l *lexer[T]) beyond(text string, yield func([]T)) int {
	switch kind, size := kindAt(text, 0); kind {
	case plain:
		n := compound(text)
		yield(l.word(text[:n], hashOf(text[:n]), split))
		return n
	case dense:
		n := run(text, dense)
		l.pairs(text[:n], yield)
		return n
	default:
		return size
	}
}

const hashPrime = 0x01000193

// asciiCompound is compound, and the hash of that word; 0 where other than ASCII
// characters come into it.
func asciiCompound(text string) (n int, hash uint32) {
	for n < len(text) {
		c := text[n]
		switch asciiKinds[c] {
		case plain:
		case joint:
			if n+1 == len(text) || asciiKinds[text[n+1]] != plain {
				if n+1 < len(text) && text[n+1] >= utf8.RuneSelf {
					return 0, 0
				}
				return n, hash
			}
		case other:
			return 0, 0
		default:
			return n, hash
		}
		hash = (hash ^ uint32(c)) * hashPrime
		n++
	}
	return n, hash
}

func hashOf(word string) (hash uint32) {
	for i := range len(word) {
		hash = (hash ^ uint32(word[i])) * hashPrime
	}
	return hash
}

// word is the terms that divide makes of a word of that hash.
func (l *lexer[T]) word(word string, hash uint32, divide func(string) []string) []T {
	at := l.slot(hash)
	for ; len(l.slots) > 0 && l.slots[at].word > 0; at = (at + 1) & (len(l.slots) - 1) {
		if s := l.slots[at]; s.hash == hash && l.words[s.word-1].word == word {
			return l.words[s.word-1].terms
		}
	}
	var terms []T
	for _, term := range divide(word) {
		terms = append(terms, l.intern(term))
	}
	if len(word) <= maxWhole {
		l.remember(known[T]{strings.Clone(word), terms}, hash)
	}
	return terms
}

// slot is where a hash is looked for first.
func (l *lexer[T]) slot(hash uint32) int {
	return int(hash^hash>>15) & (len(l.slots) - 1)
}

// remember puts a word into the table, which is made larger where it is half
// full, and begun anew where it is too large.
func (l *lexer[T]) remember(k known[T], hash uint32) {
	if len(l.words) == maxKnown {
		l.slots, l.words = nil, nil
	}
	l.words = append(l.words, k)
	if 2*len(l.words) > len(l.slots) {
		old := l.slots
		l.slots = make([]slot, max(64, 2*len(old)))
		for _, s := range old {
			if s.word > 0 {
				l.put(s)
			}
		}
	}
	l.put(slot{hash, uint32(len(l.words))})
}

func (l *lexer[T]) put(s slot) {
	at := l.slot(s.hash)
	for l.slots[at].word > 0 {
		at = (at + 1) & (len(l.slots) - 1)
	}
	l.slots[at] = s
}

// pairs yields each two neighbours of a run of dense characters; a single one
// by itself.
func (l *lexer[T]) pairs(run string, yield func([]T)) {
	itself := func(s string) []string { return []string{strings.Clone(s)} }
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		yield(l.word(run, hashOf(run), itself))
		return
	}
	for first < len(run) {
		_, second := utf8.DecodeRuneInString(run[first:])
		pair := run[:first+second]
		yield(l.word(pair, hashOf(pair), itself))
		run, first = run[first:], second
	}
}
