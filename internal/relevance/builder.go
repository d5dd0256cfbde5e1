package relevance

import (
	"encoding/binary"
	"slices"
	"strings"
)

// A Builder makes an Index of texts.
type Builder struct {
	lexer   lexer[int]
	numbers map[string]int // of the terms
	terms   []string
	lists   []list
	lengths []uint32 // of the texts, in terms
}

// A list is where one term stands: pairs of numbers, how many texts on and how
// often there. The last text is not in it yet.
type list struct {
	pairs  []byte
	texts  int
	before int // the text of the last pair, -1 at first
	last   int
	times  int
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
		b.lists = append(b.lists, list{before: -1, last: -1})
	}
	return n
}

// Add adds a text; the first has the number 0.
func (b *Builder) Add(text string) {
	at, length := len(b.lengths), uint32(0)
	b.lexer.read(text, func(terms []int) {
		length += uint32(len(terms))
		for _, n := range terms {
			l := &b.lists[n]
			if l.last != at {
				l.flush()
				l.last = at
			}
			l.times++
		}
	})
	b.lengths = append(b.lengths, length)
}

// flush writes the last text to the list.
func (l *list) flush() {
	if l.times == 0 {
		return
	}
	l.pairs = binary.AppendUvarint(l.pairs, uint64(l.last-l.before-1))
	l.pairs = binary.AppendUvarint(l.pairs, uint64(l.times))
	l.texts++
	l.before, l.times = l.last, 0
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
		l.flush()
		term, lists = term+len(b.terms[n]), lists+len(l.pairs)
		put(term)
		put(l.texts)
		put(lists)
	}
	for _, n := range order {
		buf = append(buf, b.terms[n]...)
	}
	for _, n := range order {
		buf = append(buf, b.lists[n].pairs...)
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
