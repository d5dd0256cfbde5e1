package relevance

import (
	"strings"
	"unicode/utf8"
)

// A lexer splits texts into terms, and converts these with intern. It caches the
// results for words, because most words of a text repeat.
type lexer[T any] struct {
	intern   func(term string) T
	prefixes *prefixSet // prefixes of the words to read; nil for all words
	slots    []slot     // a hash table of words; its size is a power of two
	words    []cachedWord[T]
}

// A slot of the hash table has the index of a word plus 1, 0 if it is free.
type slot struct{ hash, word uint32 }

// A cachedWord is a word with its terms.
type cachedWord[T any] struct {
	word  string
	terms []T
}

// asciiKinds are the kinds of ASCII characters. All other bytes are nonASCII.
var asciiKinds = func() (kinds [256]kind) {
	for c := range kinds {
		kinds[c] = nonASCII
		if c < utf8.RuneSelf {
			kinds[c], _ = kindAt(string(rune(c)), 0)
		}
	}
	return kinds
}()

// nonASCII is the kind in asciiKinds for bytes of characters that are not ASCII.
const nonASCII = kind(255)

// read yields the terms of text, word by word.
func (l *lexer[T]) read(text string, yield func([]T)) {
	for i := 0; i < len(text); {
		switch asciiKinds[text[i]] {
		case plain:
			if l.prefixes != nil {
				if n := l.prefixes.skipLen(text[i:]); n > 0 {
					i += n
					continue
				}
			}
			n, hash := asciiCompound(text[i:])
			if n == 0 {
				n = compoundLen(text[i:])
				hash = hashOf(text[i : i+n])
			}
			yield(l.wordTerms(text[i:i+n], hash, splitCompound))
			i += n
		case nonASCII:
			i += l.readNonASCII(text[i:], yield)
		default:
			i++
		}
	}
}

// readNonASCII reads the word or character at the start of text, which is not ASCII,
// and returns its length in bytes.
func (l *lexer[T]) readNonASCII(text string, yield func([]T)) int {
	switch kind, size := kindAt(text, 0); kind {
	case plain:
		n := compoundLen(text)
		yield(l.wordTerms(text[:n], hashOf(text[:n]), splitCompound))
		return n
	case dense:
		n := runLen(text, dense)
		l.readPairs(text[:n], yield)
		return n
	default:
		return size
	}
}

const hashPrime = 0x01000193

// asciiCompound returns the length of the compound at the start of text and its hash;
// 0 if it contains a character that is not ASCII.
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
		case nonASCII:
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

// wordTerms returns the interned terms of a word with the given hash, from the cache
// or from divide.
func (l *lexer[T]) wordTerms(word string, hash uint32, divide func(string) []string) []T {
	at := l.slotOf(hash)
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
		l.cache(cachedWord[T]{strings.Clone(word), terms}, hash)
	}
	return terms
}

// slotOf returns the first slot for a hash.
func (l *lexer[T]) slotOf(hash uint32) int {
	return int(hash^hash>>15) & (len(l.slots) - 1)
}

// cache adds a word to the hash table. It doubles a table that is half full, and
// clears one that has maxCachedWords.
func (l *lexer[T]) cache(k cachedWord[T], hash uint32) {
	if len(l.words) == maxCachedWords {
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
	at := l.slotOf(s.hash)
	for l.slots[at].word > 0 {
		at = (at + 1) & (len(l.slots) - 1)
	}
	l.slots[at] = s
}

// readPairs yields the pairs of adjacent characters in a run of dense characters; for
// a single character it yields that.
func (l *lexer[T]) readPairs(run string, yield func([]T)) {
	itself := func(s string) []string { return []string{strings.Clone(s)} }
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		yield(l.wordTerms(run, hashOf(run), itself))
		return
	}
	for first < len(run) {
		_, second := utf8.DecodeRuneInString(run[first:])
		pair := run[:first+second]
		yield(l.wordTerms(pair, hashOf(pair), itself))
		run, first = run[first:], second
	}
}
