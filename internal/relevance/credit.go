package relevance

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// The credit of a text for what is outside it.
const (
	creditBefore = 0.7  // share of the terms of earlier texts: an answer follows its question
	creditAfter  = 0.4  // share of the terms of later texts
	creditDecay  = 0.7  // factor for each place between two texts
	minCredit    = 1e-6 // smaller credit counts as 0
	dateBonus    = 2.0  // added if the text is of a month in the prompt
	dayBonus     = 2.0  // added if it is of a day in the prompt too
	dayDecay     = 0.5  // factor of dayBonus for each day after it
	sessionShare = 0.5  // share of the best scores of its session
	sessionBest  = 4    // number of best scores, whose mean counts
)

// A rankedText is a text that is ranked among others.
type rankedText struct {
	Hit
	session, at int
	placed      bool // session and at are known
	time        time.Time
	length      int // bytes
	turn        Turn
	ownScore    float64   // the score without credit
	termScores  []float32 // the score of each term of the question in the text
}

// compareByPlace orders texts by session and place. Texts without a place come last.
func compareByPlace(a, b rankedText) int {
	switch {
	case a.placed && !b.placed:
		return -1
	case b.placed && !a.placed:
		return 1
	}
	return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.at, b.at), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
}

// sameSession reports whether two texts are of one session.
func (t *rankedText) sameSession(other *rankedText) bool {
	return t.placed && other.placed && t.session == other.session
}

// distance returns the number of places between two texts of one session.
func (t *rankedText) distance(other *rankedText) int { return max(t.at-other.at, other.at-t.at) }

// rank sets Score, Similarity and Beside of texts, which must be in the order of their
// places.
//
// A term near a text counts for the text, but less than its own terms, and each term
// counts only once. So a conversation that repeats one term does not outweigh one that
// has all terms of the prompt. The best texts of a session add to the scores of the
// whole session, and a date in the prompt to those of its texts. For speakers see
// scoreTurn; an answer has all terms of its question.
func (q *question) rank(texts []rankedText) {
	size := len(q.terms)
	all := make([]float32, len(texts)*size)
	row := func(i int) []float32 { return all[i*size : (i+1)*size] }
	for i := range texts {
		copy(row(i), texts[i].termScores)
		texts[i].ownScore = 0
		for _, f := range texts[i].termScores {
			texts[i].ownScore += float64(f)
		}
	}
	carry := make([]float32, size)
	speaker := q.speaker(texts)
	pass := func(i, before int, rate float32) {
		if before < 0 || before >= len(texts) || !texts[i].sameSession(&texts[before]) {
			clear(carry)
		} else {
			left := float32(math.Pow(creditDecay, float64(texts[i].distance(&texts[before]))))
			for n := range carry {
				if carry[n] *= left; carry[n] < minCredit { // avoids subnormal numbers, which are slow
					carry[n] = 0
				}
			}
		}
		sum, reply := row(i), before < i && replies(texts, i)
		for n, own := range texts[i].termScores {
			sum[n] = max(sum[n], rate*carry[n])
			if reply {
				sum[n] = max(sum[n], texts[before].termScores[n])
			}
			carry[n] = max(carry[n], own)
		}
	}
	for i := range texts {
		pass(i, i-1, creditBefore)
	}
	for i := range slices.Backward(texts) {
		pass(i, i+1, creditAfter)
	}
	for i := range texts {
		t := &texts[i]
		t.Score = 0
		for _, f := range row(i) {
			t.Score += float64(f)
		}
		t.scoreTurn(speaker)
		t.Score += q.dateScore(t.time)
		t.Similarity, t.Beside = q.similarity(texts, i, nil), t.ownScore == 0
	}
	addSessionScores(texts)
	q.preferNewer(texts)
}

// addSessionScores adds the share of a session's best scores to all of its texts. A
// text without a place gets the share of its own score.
func addSessionScores(texts []rankedText) {
	for from := 0; from < len(texts); {
		to := from + 1
		for to < len(texts) && texts[to].sameSession(&texts[from]) {
			to++
		}
		if !texts[from].placed {
			texts[from].Score += sessionShare * texts[from].ownScore
		} else {
			var best [sessionBest]float64
			for i := from; i < to; i++ {
				if last := sessionBest - 1; texts[i].ownScore > best[last] {
					best[last] = texts[i].ownScore
					slices.SortFunc(best[:], compareDown)
				}
			}
			sum := 0.0
			for _, score := range best {
				sum += score
			}
			for i := from; i < to; i++ {
				texts[i].Score += sessionShare * sum / sessionBest
			}
		}
		from = to
	}
}
