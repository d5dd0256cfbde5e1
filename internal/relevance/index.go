package relevance

import (
	"encoding/binary"
	"errors"
	"sort"
	"sync/atomic"
)

// ErrDamaged is the error for bytes that are not an Index.
var ErrDamaged = errors.New("not an index, or a damaged one")

// An Index maps terms to the texts that have them. The zero Index has no texts. It is
// safe for concurrent searches.
type Index struct {
	lengths  []byte // 4 bytes for each text
	turns    []byte // 4 bytes for each text
	terms    []byte // 12 bytes for each term; see Builder.Append
	words    []byte // the text of the terms
	lists    []byte
	classes  []uint8 // of the lengths
	excluded int     // number of excluded texts

	scratch atomic.Pointer[scratch] // see top
}

// Open returns the Index that Builder.Append encoded. The Index keeps src, which must
// not change. The time is linear in the number of texts. The error is ErrDamaged if
// the sizes in src do not fit. A search skips other damage.
func Open(src []byte) (*Index, error) {
	if len(src) < 8 {
		return nil, ErrDamaged
	}
	texts, terms := uint64(binary.LittleEndian.Uint32(src)), uint64(binary.LittleEndian.Uint32(src[4:]))
	src = src[8:]
	if 8*texts+12*terms > uint64(len(src)) {
		return nil, ErrDamaged
	}
	x := &Index{lengths: src[:4*texts], turns: src[4*texts : 8*texts], terms: src[8*texts : 8*texts+12*terms]}
	src = src[8*texts+12*terms:]
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

// Texts returns the number of texts, including excluded ones.
func (x *Index) Texts() int { return len(x.lengths) / 4 }

// LeaveOut excludes the texts from number from up to, but without, to. Searches do not
// find them and do not count them.
func (x *Index) LeaveOut(from, to int) {
	from, to = max(from, 0), min(to, x.Texts())
	for text := from; text < to; text++ {
		if x.classes[text] != excludedClass {
			x.classes[text] = excludedClass
			x.excluded++
		}
	}
}

// length returns the length of a text in bytes.
func (x *Index) length(text int) uint32 { return binary.LittleEndian.Uint32(x.lengths[4*text:]) }

// turn returns the Turn of a text.
func (x *Index) turn(text int) Turn { return decodeTurn(binary.LittleEndian.Uint32(x.turns[4*text:])) }

// field returns number n of a term (see Builder.Append), 0 before the first term.
func (x *Index) field(term, n int) uint32 {
	if term < 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(x.terms[12*term+4*n:])
}

// slice returns blob[from:to], nil if the range is invalid.
func slice(blob []byte, from, to uint32) []byte {
	if from > to || uint64(to) > uint64(len(blob)) {
		return nil
	}
	return blob[from:to]
}

func (x *Index) word(term int) []byte {
	return slice(x.words, x.field(term-1, 0), x.field(term, 0))
}

// list returns the list of a term.
func (x *Index) list(term int) []byte {
	return slice(x.lists, x.field(term-1, 2), x.field(term, 2))
}

// find returns the number of texts that have a term, and its list.
func (x *Index) find(term string) (texts int, list []byte) {
	all := len(x.terms) / 12
	i := sort.Search(all, func(i int) bool { return string(x.word(i)) >= term })
	if i == all || string(x.word(i)) != term {
		return 0, nil
	}
	list = x.list(i)
	if x.excluded > 0 {
		x.each(list, func(int, int) { texts++ })
		return texts, list
	}
	return min(int(x.field(i, 1)), x.Texts()), list
}
