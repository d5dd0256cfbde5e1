package relevance

import (
	"cmp"
	"slices"
)

// An asked is a term of a query.
type asked struct {
	having int     // how many texts have it
	weight float32 // what it counts; 0: it is not asked for
	lists  [][]byte
}

// look finds terms, each of which is asked for once.
func look(terms []string, indexes []*Index) []asked {
	all := make([]asked, len(terms))
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

// top returns the n texts whose scores are highest, all that have a score where
// n is 0: in no order, but the same ones each time. Of equals the first ones are
// taken. The score of a text is the sum, over the terms it has, of their weight
// times what the curve says of how often it has the term and of its length.
func top(n int, c *curve, terms []asked, indexes []*Index) []Hit {
	if terms = rarestFirst(terms); len(terms) == 0 {
		return nil
	}
	s := scoring{rows: rows{curve: c}, picked: picked{n: n}, scratch: indexes[0].scratch.Swap(nil)}
	if s.scratch == nil {
		s.scratch = new(scratch)
	}
	parts := make([]part, len(terms))
	for j, x := range indexes {
		s.index = j
		for i, t := range terms {
			parts[i] = part{rest: t.lists[j], weight: t.weight}
			parts[i].next()
		}
		for first := 0; first < x.Texts(); first += spanSize {
			s.span(first, x.classes[first:min(first+spanSize, x.Texts())], parts)
		}
	}
	indexes[0].scratch.Store(s.scratch)
	return s.hits()
}

// rarestFirst is the terms that count, in the order in which they are added up.
func rarestFirst(terms []asked) []asked {
	terms = slices.DeleteFunc(slices.Clone(terms), func(t asked) bool { return !(t.weight > 0) || t.having == 0 })
	slices.SortStableFunc(terms, func(a, b asked) int { return cmp.Compare(a.having, b.having) })
	return terms
}

// A scoring is one run of top.
type scoring struct {
	rows
	picked
	*scratch
	index int
}

// A scratch is what a scoring works in, and leaves to the next.
type scratch struct {
	room    [windowSize]float32 // the scores of a window's texts; all 0 between windows
	classes [windowSize]uint8   // of the texts of a window that has fewer
	some    []candidate         // see gather
	here    []*part             // what is about the span at hand, the rarest first
}

// A candidate is a text of a window with its score so far.
type candidate struct {
	text  uint16
	score float32
}

// A part is what is left of a term's list, with the span at hand.
type part struct {
	span
	rest   []byte
	weight float32
	ended  bool
	row    [256]float32 // what having it once contributes
	window window
}

// next goes on to the next span.
func (p *part) next() {
	var ok bool
	p.span, p.rest, ok = cutSpan(p.rest)
	p.ended = !ok
}

// span scores the texts from first on, of these classes.
func (s *scoring) span(first int, classes []uint8, parts []part) {
	s.here = s.here[:0]
	for i := range parts {
		p := &parts[i]
		for !p.ended && p.first < first { // out of order
			p.next()
		}
		if !p.ended && p.first == first {
			for class, f := range s.of(1) {
				p.row[class] = p.weight * f
			}
			s.here = append(s.here, p)
		}
	}
	for at := 0; at < len(classes) && len(s.here) > 0; at += windowSize {
		of := classes[at:]
		if len(of) < windowSize {
			n := copy(s.classes[:], of)
			for i := n; i < windowSize; i++ {
				s.classes[i] = leftOut
			}
			of = s.classes[:]
		}
		s.score(first, at, (*[windowSize]uint8)(of))
	}
	for _, p := range s.here {
		p.next()
	}
}

// bound is what a part can contribute to a text of the window.
func (s *scoring) bound(p *part) float32 {
	return p.weight * s.highest[min(int(p.window.often), len(s.highest)-1)]
}

// score scores the texts of a window of the span at hand.
//
// The rare terms come first. Where those that follow cannot together bring a text
// among the best, a text that has none but those is passed over; and where they
// are many, they are looked up for the texts that are still in the running.
func (s *scoring) score(first, at int, classes *[windowSize]uint8) {
	many, few := 0, 0
	for _, p := range s.here {
		p.cut(at)
	}
	full := s.n > 0 && s.full()
	needed, rest := len(s.here), float32(0)
	if full {
		for needed > 0 {
			more := rest + s.bound(s.here[needed-1])
			if more*1.0001 >= s.floor { // sums are not exact
				break
			}
			needed, rest = needed-1, more
		}
	}
	for i, p := range s.here {
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
	for i, p := range s.here {
		if i < needed || !lookUp {
			s.add(p, classes)
		}
	}
	s.some = s.some[:0]
	for _, p := range s.here[:needed] {
		s.gather(p, at, least)
	}
	if lookUp {
		for _, p := range s.here[needed:] {
			s.addSome(p, classes)
		}
	} else if needed < len(s.here) {
		clear(s.room[:])
	}
	for _, c := range s.some {
		s.offer(pick{c.score, uint32(s.index), uint32(first) + uint32(c.text)})
	}
}
