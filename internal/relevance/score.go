package relevance

import (
	"math"

	"github.com/forgemind/forgemind/schema"
)

// Parts is a score with the values it was computed from.
type Parts struct {
	Similarity float64 // ratio 0–1; 0 if it is below MEMFAS_MIN_SCORE
	Hours      float64 // age of the text, at least 0
	Recency    float64 // ratio 0–1: 2^(−hours/6)
	Important  bool    // somebody marked the text as important
	Score      int     // thousandths, 0–1,000
}

// halfLife is the number of hours after which the recency of a text has halved.
const halfLife = 6

// Score returns the relevance of a text to a prompt by the formula of the memfas plan:
//
//	similarity × MEMFAS_WEIGHT + recency × RECENCY_BONUS + important × IMPORTANCE_BONUS
//
// divided by the sum of the weights that apply, so that the maximum is 1. Unlike in
// the plan, whose product with the hours would favor old texts, recency decays. A text
// from the future has the recency 1. The score is in thousandths, so that comparing it
// with a threshold does not depend on rounding.
func Score(k schema.Knobs, similarity, hours float64, important bool) Parts {
	p := Parts{Similarity: clamp(similarity), Hours: max(0, hours), Important: important}
	if math.IsNaN(hours) {
		p.Hours = 0
	}
	if p.Similarity < k.MemfasMinScore {
		p.Similarity = 0
	}
	p.Recency = math.Exp2(-p.Hours / halfLife)
	sum, weights := p.Similarity*k.MemfasWeight+p.Recency*k.RecencyBonus, k.MemfasWeight+k.RecencyBonus
	if important {
		sum, weights = sum+k.ImportanceBonus, weights+k.ImportanceBonus
	}
	if weights > 0 {
		p.Score = Thousandths(sum / weights)
	}
	return p
}

// Thousandths returns a ratio in thousandths, 0–1,000.
func Thousandths(ratio float64) int { return int(math.Round(1000 * clamp(ratio))) }

// clamp limits f to 0–1. It returns 0 for NaN.
func clamp(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(1, max(0, f))
}
