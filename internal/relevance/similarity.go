package relevance

import (
	"math"
	"slices"
	"strings"
)

const (
	nearby   = 0.6 // how much of a term counts that the text beside has
	fewTerms = 6   // that a text could answer, be it ever so short
	perTerm  = 10  // bytes of a text to a term that it could answer
	thinning = 0.3 // how much less similar a text is for its length

	// leastWeight is what a term weighs that most texts have: where all talk is of
	// one thing, the words for that thing still say what a text is about.
	leastWeight = 1
)

// A Matched is a term that a text shares with a prompt, and what it contributed.
type Matched struct {
	Term  string
	Share float64 // ratio of Similarity's worth
}

// similarity is how much of the prompt the text at i answers, from 0 to 1; tell is
// told what each term adds to the sum, nil: nothing is.
//
// It is the weight of the terms that it has, and 0.6 of that of those that the
// text before or after it has, over the weight of all terms of the prompt. Not
// over that of the text's own: of a long text the answer to a question is but a
// small part, and by that measure it would never be relevant. Of a long prompt no
// more is asked than a text of that length can hold, so that the prompt that
// quotes a text finds it; but of a text of one word as much as of one of six, so
// that a yes does not answer every prompt that has one. A text that is longer than
// a turn, and than the prompt, must say more: (longer / its length) ^ 0.3.
//
// A text that is the prompt has 1, one without any of its terms, and without
// neighbours that have them, 0. Terms that no text has count half.
func (q *question) similarity(texts []text, i int, tell func(term int, worth float64)) float64 {
	silent := func(i int) bool { return i < 0 || i >= len(texts) || texts[i].own == 0 }
	if silent(i-1) && silent(i) && silent(i+1) { // as nearly all are
		return 0
	}
	t := &texts[i]
	var around []*text
	for _, other := range [...]int{i - 1, i + 1} {
		if other >= 0 && other < len(texts) && t.near(&texts[other]) && t.gap(&texts[other]) <= 1 {
			around = append(around, &texts[other])
		}
	}
	sum, all := 0.0, 0.0
	for n := range q.weights {
		weight := max(q.weights[n], leastWeight)
		all += weight
		switch {
		case t.has[n] > 0:
		case slices.ContainsFunc(around, func(o *text) bool { return o.has[n] > 0 }):
			weight *= nearby
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
	most := max(fewTerms, float64(t.length)/perTerm) * all / float64(len(q.weights))
	similarity := min(1, sum/min(all, most))
	if enough := max(turn, len(q.prompt)); t.length > enough {
		similarity *= math.Pow(float64(enough)/float64(t.length), thinning)
	}
	return similarity
}

// matched says what each term contributed to the similarity of the text at i, the
// most first.
func (q *question) matched(texts []text, i int) []Matched {
	if texts[i].Similarity == 0 {
		return nil
	}
	var all []Matched
	sum := 0.0
	q.similarity(texts, i, func(term int, worth float64) {
		all = append(all, Matched{q.terms[term], worth})
		sum += worth
	})
	for n := range all {
		all[n].Share /= sum
	}
	slices.SortFunc(all, func(a, b Matched) int {
		if a.Share != b.Share {
			return compareDown(a.Share, b.Share)
		}
		return strings.Compare(a.Term, b.Term)
	})
	return all
}
