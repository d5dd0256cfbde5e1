package relevance

import (
	"math"
	"slices"
	"strings"
)

const (
	neighborShare = 0.6 // share of a term that only a neighbor has
	minTerms      = 6   // terms that even the shortest text must answer
	bytesPerTerm  = 10  // bytes of a text for each term that it can answer
	lengthPenalty = 0.3 // exponent of the penalty for long texts

	// minWeight is the weight of a term that most texts have: if all texts are about
	// one subject, its words still show what a text is about.
	minWeight = 1
)

// A TermShare is a term that a text shares with a prompt.
type TermShare struct {
	Term  string
	Share float64 // ratio 0–1 of Similarity
}

// similarity returns which ratio of the prompt the text at i answers. It calls tell,
// unless that is nil, with the weight of each term of the text.
//
// The ratio is the weight of the terms that the text has, and 0.6 of the weight of
// those that only a neighbor has, divided by the weight of all terms of the prompt. It
// is not divided by the weight of the text's own terms, because then no long text with
// a short answer would be relevant. For a long prompt the divisor is limited to what a
// text of that length can contain, so that a prompt that quotes a text finds it; but it
// is at least that of six terms, so that a "yes" does not answer every prompt with one.
// For a text longer than a turn and than the prompt the ratio is multiplied by
// (the longer of these / its length) ^ 0.3.
//
// The ratio is 1 for a text that equals the prompt, and 0 if neither the text nor its
// neighbors have a term of the prompt. Terms that no text has count half.
func (q *question) similarity(texts []rankedText, i int, tell func(term int, worth float64)) float64 {
	silent := func(i int) bool { return i < 0 || i >= len(texts) || texts[i].ownScore == 0 }
	if silent(i-1) && silent(i) && silent(i+1) { // the usual case
		return 0
	}
	t := &texts[i]
	var around []*rankedText
	for _, other := range [...]int{i - 1, i + 1} {
		if other >= 0 && other < len(texts) && t.sameSession(&texts[other]) && t.distance(&texts[other]) <= 1 {
			around = append(around, &texts[other])
		}
	}
	sum, all := 0.0, 0.0
	for n := range q.weights {
		weight := max(q.weights[n], minWeight)
		all += weight
		switch {
		case t.termScores[n] > 0:
		case slices.ContainsFunc(around, func(o *rankedText) bool { return o.termScores[n] > 0 }):
			weight *= neighborShare
		default:
			continue
		}
		sum += weight
		if tell != nil {
			tell(n, weight)
		}
	}
	if sum == 0 {
		return 0
	}
	most := max(minTerms, float64(t.length)/bytesPerTerm) * all / float64(len(q.weights))
	similarity := min(1, sum/min(all, most))
	if enough := max(turnLength, len(q.prompt)); t.length > enough {
		similarity *= math.Pow(float64(enough)/float64(t.length), lengthPenalty)
	}
	return similarity
}

// termShares returns the share of each term in the similarity of the text at i, the
// largest first.
func (q *question) termShares(texts []rankedText, i int) []TermShare {
	if texts[i].Similarity == 0 {
		return nil
	}
	var all []TermShare
	sum := 0.0
	q.similarity(texts, i, func(term int, worth float64) {
		all = append(all, TermShare{q.terms[term], worth})
		sum += worth
	})
	for n := range all {
		all[n].Share /= sum
	}
	slices.SortFunc(all, func(a, b TermShare) int {
		if a.Share != b.Share {
			return compareDown(a.Share, b.Share)
		}
		return strings.Compare(a.Term, b.Term)
	})
	return all
}
