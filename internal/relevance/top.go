package relevance

import (
	"cmp"
	"slices"
)

// A queryTerm is a term of a query.
type queryTerm struct {
	having int      // number of texts that have it
	weight float32  // 0 if it does not count
	lists  [][]byte // its list in each index
}

// lookUp returns the given terms, which must be distinct, with their lists.
func lookUp(terms []string, indexes []*Index) []queryTerm {
	all := make([]queryTerm, len(terms))
	room := make([][]byte, len(terms)*len(indexes))
	for i, term := range terms {
		all[i].lists, room = room[:len(indexes):len(indexes)], room[len(indexes):]
		for j, x := range indexes {
			having, list := x.find(term)
			all[i].having += having
			all[i].lists[j] = list
		}
	}
	return all
}

// top returns the n texts with the highest scores, or all with a score if n is 0. They
// are not sorted, but the same for each call; of equal texts the first ones are taken.
// The score of a text is the sum over its terms of their weight times the value of the
// curve for the number of occurrences and the length of the text.
func top(n int, c *curve, terms []queryTerm, indexes []*Index) []Hit {
	if terms = rarestFirst(terms); len(terms) == 0 {
		return nil
	}
	s := topSearch{curveRows: curveRows{curve: c}, topK: topK{n: n}, scratch: indexes[0].scratch.Swap(nil)}
	if s.scratch == nil {
		s.scratch = new(scratch)
	}
	cursors := make([]cursor, len(terms))
	for j, x := range indexes {
		s.index = j
		for i, t := range terms {
			cursors[i] = cursor{rest: t.lists[j], weight: t.weight}
			cursors[i].next()
		}
		for first := 0; first < x.Texts(); first += spanSize {
			s.scoreSpan(first, x.classes[first:min(first+spanSize, x.Texts())], cursors)
		}
	}
	indexes[0].scratch.Store(s.scratch)
	return s.hits()
}

// rarestFirst returns the terms that count, sorted by the number of texts. This is the
// order in which scores are summed.
func rarestFirst(terms []queryTerm) []queryTerm {
	terms = slices.DeleteFunc(slices.Clone(terms), func(t queryTerm) bool { return !(t.weight > 0) || t.having == 0 })
	slices.SortStableFunc(terms, func(a, b queryTerm) int { return cmp.Compare(a.having, b.having) })
	return terms
}

// A topSearch is the state of one call of top.
type topSearch struct {
	curveRows
	topK
	*scratch
	index int
}

// A scratch is the memory of a topSearch, which the next one reuses.
type scratch struct {
	scores     [windowSize]float32 // scores of a window's texts; all 0 between windows
	classes    [windowSize]uint8   // classes of the last window's texts, padded
	candidates []candidate         // see gather
	active     []*cursor           // the cursors at the current span, the rarest term first
}

// A candidate is a text of a window with its partial score.
type candidate struct {
	text  uint16
	score float32
}

// A cursor is a position in a term's list.
type cursor struct {
	span          // the current span
	rest   []byte // the list after it
	weight float32
	ended  bool
	row    [256]float32 // score of one occurrence, by class of length
	window window
}

// next advances to the next span.
func (p *cursor) next() {
	var ok bool
	p.span, p.rest, ok = readSpan(p.rest)
	p.ended = !ok
}

// scoreSpan scores the texts from first on, whose classes of length are given.
func (s *topSearch) scoreSpan(first int, classes []uint8, cursors []cursor) {
	s.active = s.active[:0]
	for i := range cursors {
		p := &cursors[i]
		for !p.ended && p.first < first { // out of order
			p.next()
		}
		if !p.ended && p.first == first {
			for class, f := range s.get(1) {
				p.row[class] = p.weight * f
			}
			s.active = append(s.active, p)
		}
	}
	for at := 0; at < len(classes) && len(s.active) > 0; at += windowSize {
		of := classes[at:]
		if len(of) < windowSize {
			n := copy(s.classes[:], of)
			for i := n; i < windowSize; i++ {
				s.classes[i] = excludedClass
			}
			of = s.classes[:]
		}
		s.scoreWindow(first, at, (*[windowSize]uint8)(of))
	}
	for _, p := range s.active {
		p.next()
	}
}

// bound returns the highest score that a cursor can add to a text of the window.
func (s *topSearch) bound(p *cursor) float32 {
	return p.weight * s.highest[min(int(p.window.often), len(s.highest)-1)]
}

// scoreWindow scores the texts of one window of the current span.
//
// The rare terms come first. If the other terms together cannot bring a text among the
// best, it skips texts that have only those; and if these terms have many texts, it
// looks them up only for the remaining candidates.
func (s *topSearch) scoreWindow(first, at int, classes *[windowSize]uint8) {
	many, few := 0, 0
	for _, p := range s.active {
		p.nextWindow(at)
	}
	full := s.n > 0 && s.full()
	needed, rest := len(s.active), float32(0)
	if full {
		for needed > 0 {
			more := rest + s.bound(s.active[needed-1])
			if more*1.0001 >= s.floor { // sums are not exact
				break
			}
			needed, rest = needed-1, more
		}
	}
	for i, p := range s.active {
		if n := p.window.texts(); i < needed {
			few += n
		} else {
			many += n
		}
	}
	if few == 0 {
		return
	}
	least := float32(0)
	lookUp := many > 16*few
	if full {
		least = s.floor
		if lookUp {
			least -= rest * 1.0001
		}
	}
	for i, p := range s.active {
		if i < needed || !lookUp {
			s.add(p, classes)
		}
	}
	s.candidates = s.candidates[:0]
	for _, p := range s.active[:needed] {
		s.gather(p, at, least)
	}
	if lookUp {
		for _, p := range s.active[needed:] {
			s.addToCandidates(p, classes)
		}
	} else if needed < len(s.active) {
		clear(s.scores[:])
	}
	for _, c := range s.candidates {
		s.offer(scoredText{c.score, uint32(s.index), uint32(first) + uint32(c.text)})
	}
}
