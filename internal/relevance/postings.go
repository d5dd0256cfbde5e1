package relevance

import (
	"encoding/binary"
	"math"
)

// A list has the texts with a term and the number of occurrences in each. It is a
// sequence of spans, in order, one for the texts whose numbers differ only in the last
// 16 bits. A span begins with three varints: the common bits of the numbers, the
// number of texts with one occurrence, and the number of texts with more. The last 16
// bits of the former texts follow, then those of the latter, then the occurrences of
// the latter, one byte each.

// maxTimes limits the occurrences of a term in a text that count.
const maxTimes = math.MaxUint8

// spanSize is the number of text numbers that a span covers.
const spanSize = 1 << 16

// A span is a part of a list.
type span struct {
	first int    // the lowest text number that it covers
	once  []byte // texts with one occurrence, 2 bytes each
	more  []byte // texts with more, 2 bytes each
	times []byte // occurrences in each of more, 1 byte each
}

// readSpan returns the first span of a list and the rest. It returns false at the end
// of the list, or if the span is damaged.
func readSpan(list []byte) (s span, rest []byte, ok bool) {
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

// uvarint is binary.Uvarint, but faster for small numbers.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// each calls yield with the texts of a list that are not excluded, and with the number
// of occurrences. It ends at damaged data.
func (x *Index) each(list []byte, yield func(text, times int)) {
	next := 0
	for {
		s, rest, ok := readSpan(list)
		if !ok {
			return
		}
		for list = rest; len(s.once)+len(s.more) > 0; {
			text, times := s.pop()
			if text < next || text >= x.Texts() || times == 0 || uint32(times) > x.length(text) {
				return
			}
			next = text + 1
			if x.classes[text] != excludedClass {
				yield(text, times)
			}
		}
	}
}

// pop removes the first text from a span.
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

// A listWriter writes a list. Its fields are the current span.
type listWriter struct {
	first             int
	once, more, times []byte
}

// add adds a text to the current span, or begins a new one. It appends a finished span
// to out.
func (l *listWriter) add(out []byte, text, times int) []byte {
	if first := text &^ (spanSize - 1); first != l.first {
		out = l.flush(out)
		l.first = first
	}
	if times == 1 {
		l.once = binary.LittleEndian.AppendUint16(l.once, uint16(text))
		return out
	}
	l.more = binary.LittleEndian.AppendUint16(l.more, uint16(text))
	l.times = append(l.times, uint8(min(times, maxTimes)))
	return out
}

// flush appends the current span to out and resets l for another list.
func (l *listWriter) flush(out []byte) []byte {
	if len(l.once)+len(l.more) > 0 {
		for _, n := range [...]int{l.first / spanSize, len(l.once) / 2, len(l.times)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = append(append(append(out, l.once...), l.more...), l.times...)
	}
	l.first, l.once, l.more, l.times = 0, l.once[:0], l.more[:0], l.times[:0]
	return out
}
