package relevance

import (
	"math"

	"github.com/forgemind/forgemind/schema"
)

// Parts are what a score came from.
type Parts struct {
	Similarity float64 // ratio: how much of the prompt the text answers; 0 below MEMFAS_MIN_SCORE
	Hours      float64 // age of the text
	Recency    float64 // ratio: 2^(−hours/6)
	Important  bool    // somebody marked the text as important
	Score      int     // thousandths
}

// halfLife is after how many hours the recency of a text is half of what it was.
const halfLife = 6

// Score is the relevance of a text to a prompt by the formula of the memfas plan:
//
//	similarity × MEMFAS_WEIGHT + recency × RECENCY_BONUS + important × IMPORTANCE_BONUS
//
// over the sum of the weights that apply, so that 1 can be reached. Recency
// decays: the plan's own product with the hours would favour what is old. A
// text from the future (a clock that jumped) is as recent as one can be. The
// result is in thousandths, so that comparing it with a threshold does not
// depend on how fractions are rounded.
func Score(k schema.Knobs, similarity, hours float64, important bool) Parts {
	p := Parts{Similarity: within(similarity), Hours: max(0, hours), Important: important}
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

// Thousandths is a ratio as an integer in thousandths, from 0 to 1,000.
func Thousandths(ratio float64) int { return int(math.Round(1000 * within(ratio))) }

// within is f within 0 and 1; 0 where it is no number.
func within(f float64) float64 {
	if math.IsNaN(f) {
		return 0
	}
	return min(1, max(0, f))
}
