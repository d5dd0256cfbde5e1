package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// maxPartSize is the number of bytes of a piece that are merged at once: the
	// time of a merge grows faster than its input.
	maxPartSize = 16 << 10
	// maxCached and maxCachedSize bound the cache of counts: the number of pieces,
	// and the bytes of each.
	maxCached     = 1 << 16
	maxCachedSize = 48
)

// A bpe counts the tokens of o200k_base: it cuts a text into pieces and merges each
// (byte pair encoding). It caches the counts of short pieces, because words repeat.
type bpe struct {
	mu        sync.Mutex
	counts    map[string]int
	last      string // the last merged part of more than maxCachedSize bytes
	lastCount int    // the tokens of last: a long part is often equal to the one before it
}

func newBPE() *bpe { return &bpe{counts: map[string]int{}} }

func (b *bpe) count(text string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := 0
	for text != "" {
		n := pieceLen(text)
		sum += b.countPiece(text[:n])
		text = text[n:]
	}
	return sum
}

func (b *bpe) countPiece(piece string) int {
	if len(piece) == 1 {
		return 1 // every byte is a token
	}
	if n, ok := b.counts[piece]; ok {
		return n
	}
	n := sumParts(piece, maxPartSize, b.merge)
	if len(piece) <= maxCachedSize {
		if len(b.counts) == maxCached {
			clear(b.counts)
		}
		b.counts[strings.Clone(piece)] = n // piece keeps its whole text in memory
	}
	return n
}

// sumParts cuts piece into parts of at most size bytes and returns the sum of their
// counts. It does not cut inside a character.
func sumParts(piece string, size int, count func(string) int) int {
	sum := 0
	for len(piece) > size {
		at := size
		for at > size-utf8.UTFMax && !utf8.RuneStart(piece[at]) {
			at--
		}
		sum += count(piece[:at])
		piece = piece[at:]
	}
	return sum + count(piece)
}

func (b *bpe) merge(part string) int {
	if part == b.last {
		return b.lastCount
	}
	n := countMerged(replaceInvalid(part))
	if len(part) > maxCachedSize {
		b.last, b.lastCount = strings.Clone(part), n // part keeps its whole text in memory
	}
	return n
}

// replaceInvalid returns text with U+FFFD in place of each byte that is not UTF-8,
// because models read characters.
func replaceInvalid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
