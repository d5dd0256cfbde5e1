package relevance

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// A Builder makes an Index of texts.
type Builder struct {
	lexer   lexer[int]
	numbers map[string]int // of the terms
	terms   []string
	latest  []latest
	lists   []list
	lengths []uint32 // of the texts, in bytes
}

// A latest is how often a term is in the last text that has it, which is not in
// its list yet.
type latest struct{ text, times int32 }

// A list is where one term stands.
type list struct {
	lister
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
		term = strings.Clone(term) // it may be a piece of a long text
		b.numbers[term] = n
		b.terms = append(b.terms, term)
		b.latest = append(b.latest, latest{})
		b.lists = append(b.lists, list{})
	}
	return n
}

// Add adds a text; the first has the number 0.
func (b *Builder) Add(text string) {
	at := int32(len(b.lengths))
	b.lexer.read(text, func(terms []int) {
		for _, n := range terms {
			l := &b.latest[n]
			if l.text != at && l.times > 0 {
				b.flush(n)
			}
			l.text = at
			l.times++
		}
	})
	b.lengths = append(b.lengths, uint32(min(len(text), math.MaxUint32)))
}

// flush writes to the list of a term the last text that has it.
func (b *Builder) flush(n int) {
	l, last := &b.lists[n], &b.latest[n]
	l.bytes = l.add(l.bytes, int(last.text), int(last.times))
	l.texts++
	last.times = 0
}

// Append appends the Index of the texts to buf. The same texts give the same
// bytes.
//
// It holds, as little-endian numbers of 32 bits: how many texts and how many
// terms there are; the length of each text; for each term, in their order, where
// it ends among the terms, how many texts have it and where its list ends among
// the lists. Then come the terms, then the lists.
func (b *Builder) Append(buf []byte) []byte {
	order := make([]int, len(b.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return strings.Compare(b.terms[x], b.terms[y]) })
	put := func(n int) { buf = binary.LittleEndian.AppendUint32(buf, uint32(n)) }
	put(len(b.lengths))
	put(len(b.terms))
	for _, n := range b.lengths {
		put(int(n))
	}
	term, lists := 0, 0
	for _, n := range order {
		l := &b.lists[n]
		b.flush(n)
		l.bytes = l.lister.flush(l.bytes)
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

// Index is the Index of the texts.
func (b *Builder) Index() *Index {
	x, err := Open(b.Append(nil))
	if err != nil { // more than 4 GiB
		return &Index{}
	}
	return x
}
