package tokens

import (
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	// maxPart is how much of a piece is merged at once, in bytes; what merging
	// costs grows faster than the piece.
	maxPart = 16 << 10
	// maxKnown and maxRemembered bound the memory for counts: pieces, and bytes of
	// one.
	maxKnown      = 1 << 16
	maxRemembered = 48
)

// A bpe counts the tokens of o200k_base: it cuts a text into pieces, and merges each.
// Words come again and again, so it remembers what they cost.
type bpe struct {
	mu    sync.Mutex
	known map[string]int
	last  string // the last part of more than maxRemembered bytes that was merged,
	costs int    // and what it cost: what is long is often one thing, repeated
}

func newBPE() *bpe { return &bpe{known: map[string]int{}} }

func (b *bpe) count(text string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	sum := 0
	for text != "" {
		n := piece(text)
		sum += b.countPiece(text[:n])
		text = text[n:]
	}
	return sum
}

func (b *bpe) countPiece(piece string) int {
	if len(piece) == 1 {
		return 1 // every byte is a token
	}
	if n, ok := b.known[piece]; ok {
		return n
	}
	n := inParts(piece, maxPart, b.merge)
	if len(piece) <= maxRemembered {
		if len(b.known) == maxKnown {
			clear(b.known)
		}
		b.known[strings.Clone(piece)] = n // the piece would keep its whole text
	}
	return n
}

// inParts adds up what the parts of piece cost, each at most size bytes.
func inParts(piece string, size int, count func(string) int) int {
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
		return b.costs
	}
	n := merged(characters(part))
	if len(part) > maxRemembered {
		b.last, b.costs = strings.Clone(part), n // part would keep its whole text
	}
	return n
}

// characters is text with U+FFFD for each byte that is no character: models read
// characters.
func characters(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
