package relevance

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

const (
	mostRanked = 256 // so many of the best hits are weighed against each other
	beside     = 1   // so far from them texts come in that a query does not find
)

// An Order says where texts stand, as far as it is known: each of the functions
// may be nil.
type Order struct {
	Place func(Hit) (session, at int, ok bool)   // at is the place in its session, in order of time
	At    func(session, at int) (h Hit, ok bool) // the text at a place
	Time  func(Hit) time.Time                    // when it was said, zero where nobody knows
	Less  func(a, b Hit) int                     // which of two of one score comes first

	// Together says that all of it will be read, not the first few: what stands
	// beside a better hit need not wait.
	Together bool
}

// Rank yields what answers query best, the best first, with scores that never
// rise. hits are what Best or Search found of it in the same indexes, or some of
// that; it uses their memory.
//
// The best of them are weighed against each other: a text has credit for what
// stands beside it (see credit), so that the answer to a question is found by the
// words of the question, even if it has none of them. Unless by.Together, what
// stands beside a better hit waits a little: whoever reads that one sees it too,
// and so the first few lead to more places. The rest follow by their own scores.
func Rank(query string, hits []Hit, by Order, indexes ...*Index) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		if len(hits) == 0 {
			return
		}
		next, stop := iter.Pull(Ranked(hits, by.first))
		defer stop()
		var best []Hit
		for range mostRanked {
			h, ok := next()
			if !ok {
				break
			}
			best = append(best, h)
		}
		shown := map[[2]int]bool{}
		least := math.Inf(1)
		for h := range by.spread(by.weighed(query, best, indexes)) {
			shown[[2]int{h.Index, h.Text}] = true
			least = h.Score
			if !yield(h) {
				return
			}
		}
		rest := func(h Hit) bool {
			h.Score = min(h.Score, least)
			return shown[[2]int{h.Index, h.Text}] || yield(h)
		}
		for _, copied := range best {
			if !rest(copied) {
				return
			}
		}
		for h, ok := next(); ok && rest(h); h, ok = next() {
		}
	}
}

// first is the order of hits by their scores.
func (by Order) first(a, b Hit) int {
	if a.Score != b.Score {
		return compareDown(a.Score, b.Score)
	}
	if by.Less != nil {
		if order := by.Less(a, b); order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
}

// weighed is hits and what stands beside them, in the order of their places, with
// their scores.
func (by Order) weighed(query string, hits []Hit, indexes []*Index) []text {
	q, terms := askIn(query, indexes)
	texts := by.placed(hits)
	rated := make([]Hit, len(texts))
	for i, t := range texts {
		rated[i] = t.Hit
	}
	room := make([]float32, len(texts)*len(terms))
	for i := range texts {
		texts[i].has, room = room[:len(terms)], room[len(terms):]
		texts[i].length = int(indexes[texts[i].Index].length(texts[i].Text))
	}
	for n := range terms {
		rate(rated, ownCurve(), terms[n:n+1], indexes)
		for i, h := range rated {
			texts[i].has[n] = float32(h.Score)
		}
	}
	q.weigh(texts)
	return texts
}

// placed finds the places of hits, and what stands beside them. Of several at one
// place it takes the first: they are copies.
func (by Order) placed(hits []Hit) []text {
	texts := make([]text, 0, (1+2*beside)*len(hits))
	there := make(map[[2]int]bool, cap(texts))
	for _, h := range hits {
		t := text{Hit: h}
		if by.Place != nil {
			t.session, t.at, t.placed = by.Place(h)
		}
		place := [2]int{t.session, t.at}
		if t.placed && there[place] {
			continue
		}
		there[place] = there[place] || t.placed
		texts = append(texts, t)
	}
	for _, t := range texts {
		if !t.placed || by.At == nil {
			continue
		}
		for at := t.at - beside; at <= t.at+beside; at++ {
			place := [2]int{t.session, at}
			if there[place] {
				continue
			}
			there[place] = true
			if h, ok := by.At(t.session, at); ok {
				texts = append(texts, text{Hit: h, session: t.session, at: at, placed: true})
			}
		}
	}
	if by.Time != nil {
		for i := range texts {
			texts[i].time = by.Time(texts[i].Hit)
		}
	}
	slices.SortFunc(texts, inPlace)
	return texts
}

const (
	waiting = 0.35 // how much of its score what stands beside a better hit waits by
	reach   = 0.97 // what is left of that one place on
)

// spread yields texts, the best first: each makes those near it wait.
func (by Order) spread(texts []text) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		waits := make([]float64, len(texts))
		done := make([]bool, len(texts))
		damped := func(i int) Hit {
			h := texts[i].Hit
			h.Score = texts[i].Score * (1 - waits[i])
			return h
		}
		for {
			best := -1
			for i := range texts {
				if !done[i] && texts[i].Score > 0 && (best < 0 || by.first(damped(i), damped(best)) < 0) {
					best = i
				}
			}
			if best < 0 || !yield(damped(best)) {
				return
			}
			done[best] = true
			if by.Together {
				continue
			}
			for _, step := range [...]int{-1, 1} {
				for i := best + step; i >= 0 && i < len(texts) && texts[i].near(&texts[best]); i += step {
					waits[i] = max(waits[i], waiting*math.Pow(reach, math.Abs(float64(texts[i].at-texts[best].at))))
				}
			}
		}
	}
}
