package relevance

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// A Builder builds an Index of texts.
type Builder struct {
	lexer     lexer[int]
	numbers   map[string]int // by term
	terms     []string
	lastTexts []lastText
	lists     []termList
	lengths   []uint32 // of the texts, in bytes
	turns     []uint32 // of the texts
}

// A lastText is the last text that has a term, with the number of occurrences. It is
// not yet in the term's list.
type lastText struct{ text, times int32 }

// A termList is the list of one term.
type termList struct {
	listWriter
	bytes []byte
	texts int
}

// NewBuilder returns a Builder without texts.
func NewBuilder() *Builder {
	b := &Builder{numbers: map[string]int{}}
	b.lexer.intern = b.number
	return b
}

func (b *Builder) number(term string) int {
	n, ok := b.numbers[term]
	if !ok {
		n = len(b.terms)
		term = strings.Clone(term) // term may keep a long text in memory
		b.numbers[term] = n
		b.terms = append(b.terms, term)
		b.lastTexts = append(b.lastTexts, lastText{})
		b.lists = append(b.lists, termList{})
	}
	return n
}

// Add adds a text without a speaker; the first text has the number 0.
func (b *Builder) Add(text string) { b.AddTurn(Turn{}, text) }

// AddTurn adds a text of a conversation.
func (b *Builder) AddTurn(t Turn, text string) {
	at := int32(len(b.lengths))
	b.lexer.read(text, func(terms []int) {
		for _, n := range terms {
			l := &b.lastTexts[n]
			if l.text != at && l.times > 0 {
				b.flush(n)
			}
			l.text = at
			l.times++
		}
	})
	b.lengths = append(b.lengths, uint32(min(len(text), math.MaxUint32)))
	b.turns = append(b.turns, t.encode())
}

// flush adds the last text of a term to its list.
func (b *Builder) flush(n int) {
	l, last := &b.lists[n], &b.lastTexts[n]
	l.bytes = l.add(l.bytes, int(last.text), int(last.times))
	l.texts++
	last.times = 0
}

// Append appends the encoded Index of the texts to buf. The same texts give the same
// bytes.
//
// The encoding begins with little-endian numbers of 32 bits: the number of texts and
// of terms; the length of each text in bytes; the Turn of each text; for each term, sorted, the end of its
// text, the number of texts that have it, and the end of its list. The texts of the
// terms follow, then the lists.
func (b *Builder) Append(buf []byte) []byte {
	order := make([]int, len(b.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(b.terms[x], b.terms[y]) })
	put := func(n int) { buf = binary.LittleEndian.AppendUint32(buf, uint32(n)) }
	put(len(b.lengths))
	put(len(b.terms))
	for _, numbers := range [...][]uint32{b.lengths, b.turns} {
		for _, n := range numbers {
			put(int(n))
		}
	}
	term, lists := 0, 0
	for _, n := range order {
		l := &b.lists[n]
		b.flush(n)
		l.bytes = l.listWriter.flush(l.bytes)
		term, lists = term+len(b.terms[n]), lists+len(l.bytes)
		put(term)
		put(l.texts)
		put(lists)
	}
	for _, n := range order {
		buf = append(buf, b.terms[n]...)
	}
	for _, n := range order {
		buf = append(buf, b.lists[n].bytes...)
	}
	return buf
}

// Index returns the Index of the texts.
func (b *Builder) Index() *Index {
	x, err := Open(b.Append(nil))
	if err != nil { // more than 4 GiB
		return &Index{}
	}
	return x
}
