package relevance

import (
	"bytes"
	"encoding/binary"
)

// Nowhere is the place of a text that is not in a merged Index.
const Nowhere = -1

// A Source is an Index with the place of each of its texts in a merged Index. Places
// other than Nowhere must ascend.
type Source struct {
	*Index
	Places []int
}

// AppendMerged appends the encoded Index of the texts of two sources to buf. texts is
// the number of places. The result is that of a Builder for the same texts, in much
// less time.
func AppendMerged(buf []byte, texts int, one, other Source) []byte {
	m := merger{table: make([]byte, 0, max(len(one.terms), len(other.terms)))}
	i, j := 0, 0
	for iAll, jAll := len(one.terms)/12, len(other.terms)/12; i < iAll || j < jAll; {
		first, second := i < iAll, j < jAll
		if first && second {
			order := bytes.Compare(one.word(i), other.word(j))
			first, second = order <= 0, order >= 0
		}
		var word []byte
		m.here, m.there = m.here[:0], m.there[:0]
		if second {
			word = other.word(j)
			m.there = other.appendPostings(m.there, j)
			j++
		}
		if first {
			word = one.word(i)
			m.here = one.appendPostings(m.here, i)
			i++
		}
		m.addTerm(word)
	}

	lengths, turns := make([]byte, 4*texts), make([]byte, 4*texts)
	for _, from := range [...]Source{one, other} {
		for text, place := range from.Places {
			if place != Nowhere {
				copy(lengths[4*place:4*place+4], from.lengths[4*text:])
				copy(turns[4*place:4*place+4], from.turns[4*text:])
			}
		}
	}
	buf = binary.LittleEndian.AppendUint32(buf, uint32(texts))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(m.table)/12))
	for _, piece := range [...][]byte{lengths, turns, m.table, m.words, m.lists} {
		buf = append(buf, piece...)
	}
	return buf
}

// A posting is a text and the number of occurrences of a term in it.
type posting struct{ text, times int }

// appendPostings appends the postings of a term, with places as text numbers.
func (s Source) appendPostings(to []posting, term int) []posting {
	s.each(s.list(term), func(text, times int) {
		if place := s.Places[text]; place != Nowhere {
			to = append(to, posting{place, times})
		}
	})
	return to
}

// A merger collects the terms of a merged Index.
type merger struct {
	table, words, lists []byte
	here, there         []posting // postings of the current term in each source
	listWriter
}

// addTerm adds a term with the current postings, unless there are none.
func (m *merger) addTerm(word []byte) {
	count := len(m.here) + len(m.there)
	if count == 0 {
		return
	}
	here, there := m.here, m.there
	for range count {
		from := &here
		if len(here) == 0 || len(there) > 0 && there[0].text < here[0].text {
			from = &there
		}
		p := (*from)[0]
		*from = (*from)[1:]
		m.lists = m.add(m.lists, p.text, p.times)
	}
	m.lists = m.flush(m.lists)
	m.words = append(m.words, word...)
	for _, n := range [...]int{len(m.words), count, len(m.lists)} {
		m.table = binary.LittleEndian.AppendUint32(m.table, uint32(n))
	}
}
