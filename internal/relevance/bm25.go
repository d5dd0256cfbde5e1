package relevance

import (
	"math"
	"sync"
)

// Parameters of the score.
const (
	saturation    = 0.9 // k1 of BM25: a lower value makes repetitions count less
	turnLength    = 400 // bytes; shorter texts have no penalty for their length
	lengthDamping = 0.7 // exponent of the penalty for longer texts
)

// bm25 returns the score of a term with so many occurrences in a text of a length in
// bytes, before the weight of the term. Unlike BM25 it normalizes the length by a
// constant, not by the average of all texts, which long answers would raise for the
// short turns between them.
func bm25(times int, length float64) float64 {
	n := float64(times)
	return n * (saturation + 1) / (n + saturation) * min(1, math.Pow(turnLength/length, lengthDamping))
}

var bm25Curve = sync.OnceValue(func() *curve { return newCurve(bm25) })
