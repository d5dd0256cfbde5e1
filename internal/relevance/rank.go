package relevance

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

const (
	maxRanked = 256 // the number of best hits that get credit
	maxBeside = 1   // the distance up to which neighbors of these are added
)

// An Order gives the places of texts. Each of its functions may be nil.
type Order struct {
	Place func(Hit) (session, at int, ok bool)   // at is the place in the session, in order of time
	At    func(session, at int) (h Hit, ok bool) // the text at a place
	Time  func(Hit) time.Time                    // zero if unknown
	Less  func(a, b Hit) int                     // compares two hits of one score

	// Together means that the caller reads all results, not only the first few:
	// neighbors of a better hit have no penalty.
	Together bool
}

// Rank yields the texts that match query, the best first, with scores that never rise.
// hits are all or some of the results of Best or Search for the same query and
// indexes; Rank reorders them.
//
// The 256 best hits and their neighbors get credit for the texts around them (see
// rankedText), so that Rank finds an answer by the words of its question. Unless
// by.Together is set, neighbors of a better hit get a penalty, because its reader sees
// them too; so the first results cover more places. In a conversation of speakers with
// names the penalty is small, and an answer has the terms of its question. The other hits
// follow by their own scores.
func Rank(query string, hits []Hit, by Order, indexes ...*Index) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		if len(hits) == 0 {
			return
		}
		next, stop := iter.Pull(InOrder(hits, by.compare))
		defer stop()
		var best []Hit
		for range maxRanked {
			h, ok := next()
			if !ok {
				break
			}
			best = append(best, h)
		}
		shown := map[[2]int]bool{}
		least := math.Inf(1)
		for h := range by.spread(by.score(query, best, indexes)) {
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

// compare orders hits by score, the best first.
func (by Order) compare(a, b Hit) int {
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

// score returns hits and their neighbors, in the order of their places, with scores
// that include credit.
func (by Order) score(query string, hits []Hit, indexes []*Index) []rankedText {
	q, terms := parseQuery(query, indexes)
	texts := by.place(hits)
	rated := make([]Hit, len(texts))
	for i, t := range texts {
		rated[i] = t.Hit
	}
	room := make([]float32, len(texts)*len(terms))
	for i := range texts {
		texts[i].termScores, room = room[:len(terms)], room[len(terms):]
		x := indexes[texts[i].Index]
		texts[i].length, texts[i].turn = int(x.length(texts[i].Text)), x.turn(texts[i].Text)
	}
	for n := range terms {
		scoreHits(rated, bm25Curve(), terms[n:n+1], indexes)
		for i, h := range rated {
			texts[i].termScores[n] = float32(h.Score)
		}
	}
	q.rank(texts)
	return texts
}

// place returns hits with their places, and their neighbors. Of several hits at one
// place, which are copies, it takes the first.
func (by Order) place(hits []Hit) []rankedText {
	texts := make([]rankedText, 0, (1+2*maxBeside)*len(hits))
	seen := make(map[[2]int]bool, cap(texts))
	for _, h := range hits {
		t := rankedText{Hit: h}
		if by.Place != nil {
			t.session, t.at, t.placed = by.Place(h)
		}
		place := [2]int{t.session, t.at}
		if t.placed && seen[place] {
			continue
		}
		seen[place] = seen[place] || t.placed
		texts = append(texts, t)
	}
	for _, t := range texts {
		if !t.placed || by.At == nil {
			continue
		}
		for at := t.at - maxBeside; at <= t.at+maxBeside; at++ {
			place := [2]int{t.session, at}
			if seen[place] {
				continue
			}
			seen[place] = true
			if h, ok := by.At(t.session, at); ok {
				texts = append(texts, rankedText{Hit: h, session: t.session, at: at, placed: true})
			}
		}
	}
	if by.Time != nil {
		for i := range texts {
			texts[i].time = by.Time(texts[i].Hit)
		}
	}
	slices.SortFunc(texts, compareByPlace)
	return texts
}

const (
	besidePenalty = 0.35 // share of its score that a neighbor of a better hit loses
	penaltyDecay  = 0.97 // factor of the penalty for each place between them
)

// spread yields texts, the best first. Each one it yields is a penalty for the texts
// of its session, which decreases with the distance.
func (by Order) spread(texts []rankedText) iter.Seq[Hit] {
	return func(yield func(Hit) bool) {
		penalties := make([]float64, len(texts))
		done, dialog := make([]bool, len(texts)), make([]bool, len(texts))
		for i := range texts {
			dialog[i] = inDialog(texts, i)
		}
		damped := func(i int) Hit {
			h := texts[i].Hit
			h.Score = texts[i].Score * (1 - penalties[i])
			return h
		}
		for {
			best := -1
			for i := range texts {
				if !done[i] && texts[i].Score > 0 && (best < 0 || by.compare(damped(i), damped(best)) < 0) {
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
				for i := best + step; i >= 0 && i < len(texts) && texts[i].sameSession(&texts[best]); i += step {
					penalty := besidePenalty
					if dialog[i] {
						penalty = besideSpeaker
					}
					penalties[i] = max(penalties[i], penalty*math.Pow(penaltyDecay, math.Abs(float64(texts[i].at-texts[best].at))))
				}
			}
		}
	}
}
