package relevance

import (
	"encoding/binary"
	"math"
)

// A list says which texts have a term, and how often, in spans: those of the
// texts that agree in all but the last 16 bits of their numbers, in order. A span
// begins with three numbers of variable length: what its texts agree in, how many
// have the term once, and how many have it more often. Then come the last 16 bits
// of the former, those of the latter, and how often the latter have it, a byte
// each.

// most is what counts as how often a text has a term, where it has it more often.
const most = math.MaxUint8

// spanSize is how many texts a span can be about.
const spanSize = 1 << 16

// A span is a part of a list.
type span struct {
	first int    // the number of the text whose last 16 bits are 0
	once  []byte // two for each text
	more  []byte // likewise
	times []byte // one for each of more
}

// cutSpan reads the span that a list begins with; false at the end of the list,
// or where it is damaged.
func cutSpan(list []byte) (s span, rest []byte, ok bool) {
	var n [3]uint64
	for i := range n {
		size := 0
		if n[i], size = uvarint(list); size <= 0 || n[i] > spanSize {
			return s, nil, false
		}
		list = list[size:]
	}
	once, more := n[1], n[2]
	if 2*once+3*more > uint64(len(list)) {
		return s, nil, false
	}
	s.first = int(n[0]) * spanSize
	s.once, list = list[:2*once], list[2*once:]
	s.more, list = list[:2*more], list[2*more:]
	s.times, list = list[:more], list[more:]
	return s, list, true
}

// uvarint is binary.Uvarint, sooner for what is small, as most is.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// each yields the texts of a list that are not left out, and how often they have
// its term. It ends at what no list can have.
func (x *Index) each(list []byte, yield func(text, times int)) {
	next := 0
	for {
		s, rest, ok := cutSpan(list)
		if !ok {
			return
		}
		for list = rest; len(s.once)+len(s.more) > 0; {
			text, times := s.pop()
			if text < next || text >= x.Texts() || times == 0 || uint32(times) > x.length(text) {
				return
			}
			next = text + 1
			if x.classes[text] != leftOut {
				yield(text, times)
			}
		}
	}
}

// pop takes the first text off a span.
func (s *span) pop() (text, times int) {
	if len(s.more) == 0 || len(s.once) > 0 && binary.LittleEndian.Uint16(s.once) < binary.LittleEndian.Uint16(s.more) {
		text = s.first + int(binary.LittleEndian.Uint16(s.once))
		s.once = s.once[2:]
		return text, 1
	}
	text, times = s.first+int(binary.LittleEndian.Uint16(s.more)), int(s.times[0])
	s.more, s.times = s.more[2:], s.times[1:]
	return text, times
}

// A lister writes a list.
type lister struct {
	first             int
	once, more, times []byte
}

// add adds a text, to the span at work; out is the list up to that span.
func (l *lister) add(out []byte, text, times int) []byte {
	if first := text &^ (spanSize - 1); first != l.first {
		out = l.flush(out)
		l.first = first
	}
	if times == 1 {
		l.once = binary.LittleEndian.AppendUint16(l.once, uint16(text))
		return out
	}
	l.more = binary.LittleEndian.AppendUint16(l.more, uint16(text))
	l.times = append(l.times, uint8(min(times, most)))
	return out
}

// flush ends the span at work, and readies l for another list.
func (l *lister) flush(out []byte) []byte {
	if len(l.once)+len(l.more) > 0 {
		for _, n := range [...]int{l.first / spanSize, len(l.once) / 2, len(l.times)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = append(append(append(out, l.once...), l.more...), l.times...)
	}
	l.first, l.once, l.more, l.times = 0, l.once[:0], l.more[:0], l.times[:0]
	return out
}
