package relevance

import (
	"encoding/binary"
	"errors"
	"sort"
	"sync/atomic"
)

// ErrDamaged is bytes that are no Index.
var ErrDamaged = errors.New("not an index, or a damaged one")

// An Index says which texts have a term. The zero Index has no texts.
type Index struct {
	lengths []byte // 4 for each text
	terms   []byte // 12 for each term
	words   []byte // the terms themselves
	lists   []byte
	classes []uint8 // of the lengths
	gone    int     // how many texts are left out

	scratch atomic.Pointer[scratch] // see top
}

// Open reads what Builder.Append made; the Index keeps src, which must not be
// changed. It takes time for the number of texts alone. Bytes that an Index
// cannot have are ErrDamaged, or found when they are searched and then passed
// over.
func Open(src []byte) (*Index, error) {
	if len(src) < 8 {
		return nil, ErrDamaged
	}
	texts, terms := uint64(binary.LittleEndian.Uint32(src)), uint64(binary.LittleEndian.Uint32(src[4:]))
	src = src[8:]
	if 4*texts+12*terms > uint64(len(src)) {
		return nil, ErrDamaged
	}
	x := &Index{lengths: src[:4*texts], terms: src[4*texts : 4*texts+12*terms]}
	src = src[4*texts+12*terms:]
	x.classes = make([]uint8, texts)
	for i := range x.classes {
		x.classes[i] = classOf(x.length(i))
	}
	if terms > 0 {
		last := x.terms[12*(terms-1):]
		words, lists := uint64(binary.LittleEndian.Uint32(last)), uint64(binary.LittleEndian.Uint32(last[8:]))
		if words+lists != uint64(len(src)) {
			return nil, ErrDamaged
		}
		x.words, x.lists = src[:words], src[words:]
	} else if len(src) > 0 {
		return nil, ErrDamaged
	}
	return x, nil
}

// Texts is how many texts there are.
func (x *Index) Texts() int { return len(x.lengths) / 4 }

// LeaveOut makes Search pass over the texts from one number up to another: they
// are not found, and count for nothing.
func (x *Index) LeaveOut(from, to int) {
	from, to = max(from, 0), min(to, x.Texts())
	for text := from; text < to; text++ {
		if x.classes[text] != leftOut {
			x.classes[text] = leftOut
			x.gone++
		}
	}
}

// length is how long a text is, in bytes.
func (x *Index) length(text int) uint32 { return binary.LittleEndian.Uint32(x.lengths[4*text:]) }

// field is one of the three numbers of a term; before the first term it is 0.
func (x *Index) field(term, n int) uint32 {
	if term < 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(x.terms[12*term+4*n:])
}

// between is blob between two ends, nothing where there is no such piece.
func between(blob []byte, from, to uint32) []byte {
	if from > to || uint64(to) > uint64(len(blob)) {
		return nil
	}
	return blob[from:to]
}

func (x *Index) word(term int) []byte {
	return between(x.words, x.field(term-1, 0), x.field(term, 0))
}

// list is the list of a term.
func (x *Index) list(term int) []byte {
	return between(x.lists, x.field(term-1, 2), x.field(term, 2))
}

// find is how many texts have a term, and the list of them.
func (x *Index) find(term string) (texts int, list []byte) {
	all := len(x.terms) / 12
	i := sort.Search(all, func(i int) bool { return string(x.word(i)) >= term })
	if i == all || string(x.word(i)) != term {
		return 0, nil
	}
	list = x.list(i)
	if x.gone > 0 {
		x.each(list, func(int, int) { texts++ })
		return texts, list
	}
	return min(int(x.field(i, 1)), x.Texts()), list
}
