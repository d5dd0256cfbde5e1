package tokens

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"
)

const (
	// maxPart is how much of a piece is merged at once, in bytes; what merging
	// costs grows faster than the piece.
	maxPart = 16 << 10
	// maxBlank is the same for blank pieces, which are merged by hand.
	maxBlank = 128
	// maxKnown and maxRemembered bound the memory for counts: pieces, and bytes of
	// one.
	maxKnown      = 1 << 16
	maxRemembered = 48
	// vocabulary is above every token of o200k_base that a text can have.
	vocabulary = 200_000
)

// A bpe counts the tokens of o200k_base: it cuts a text into pieces by itself
// and has each piece merged by the library. Words come again and again, so it
// remembers what they cost.
type bpe struct {
	codec  *codec.Codec
	blanks func() map[string]uint // the tokens that are white space, with their rank

	mu    sync.Mutex
	known map[string]int
	last  string // the last part of more than maxRemembered bytes that was merged,
	costs int    // and what it cost: what is long is often one thing, repeated
}

func newBPE() *bpe {
	b := &bpe{codec: codec.NewO200kBase(), known: map[string]int{}}
	b.blanks = sync.OnceValue(b.readBlanks)
	return b
}

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
	n := 0
	if merged := strings.TrimRight(piece, "\r\n"); len(merged) < len(piece) &&
		strings.ContainsAny(merged, "\r\n") && strings.TrimSpace(merged) == "" {
		n = inParts(piece, maxBlank, b.mergeBlank)
	} else {
		n = inParts(piece, maxPart, b.merge)
	}
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
	n, err := b.codec.Count(part)
	if err != nil { // of a time limit for matching, which is not set
		return len(part)
	}
	n += strings.Count(part, "\x7f") // which the library leaves out
	if len(part) > maxRemembered {
		b.last, b.costs = strings.Clone(part), n // part would keep its whole text
	}
	return n
}

// mergeBlank merges white space with line endings in the midst of it, which the
// library would cut in two.
func (b *bpe) mergeBlank(part string) int {
	ranks := b.blanks()
	starts := make([]int, len(part)+1) // of the tokens so far, and the end
	for i := range starts {
		starts[i] = i
	}
	for {
		best, at := uint(vocabulary), -1
		for i := range len(starts) - 2 {
			if rank, ok := ranks[part[starts[i]:starts[i+2]]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return len(starts) - 1
		}
		starts = slices.Delete(starts, at+1, at+2)
	}
}

// whites are the characters that are white space.
const whites = "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// readBlanks asks the library for the tokens that may stand in white space:
// those made of bytes of it, for a token can be half a character.
func (b *bpe) readBlanks() map[string]uint {
	var white [256]bool
	for i := range len(whites) {
		white[whites[i]] = true
	}
	blanks := map[string]uint{}
tokens:
	for id := range uint(vocabulary) {
		token, err := b.codec.Decode([]uint{id})
		if err != nil {
			continue
		}
		for i := range len(token) {
			if !white[token[i]] {
				continue tokens
			}
		}
		blanks[token] = id
	}
	return blanks
}
