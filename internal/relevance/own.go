package relevance

import (
	"math"
	"sync"
)

// What a text is scored by.
const (
	repeats = 0.9 // how soon a term that comes again ceases to count
	turn    = 400 // bytes of what somebody says in one turn
	damping = 0.7 // how much what is longer must say more
)

// own is what a term contributes to a text by being there so many times, before
// the weight of the term: that of BM25, but that a text has a length that counts
// for nothing up to that of a turn, wherever it stands. So an average of what is
// compared does not come into it, which long answers would raise for the short
// turns between them.
func own(times int, length float64) float64 {
	n := float64(times)
	return n * (repeats + 1) / (n + repeats) * min(1, math.Pow(turn/length, damping))
}

var ownCurve = sync.OnceValue(func() *curve { return newCurve(own) })
