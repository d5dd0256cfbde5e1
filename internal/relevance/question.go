package relevance

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// maxQueryTerms limits the terms of a prompt that count. The rarest terms count.
const maxQueryTerms = 64

// questionWords are words of the form of a question, not of its content.
const questionWords = "tell describe mention summarize summary discuss discussion say think would could might likely ever many much kind please"

var questionTerms = sync.OnceValue(func() map[string]bool {
	terms := map[string]bool{}
	for _, word := range strings.Fields(questionWords) {
		terms[english.Stem(word, false)] = true
	}
	return terms
})

// QueryTerms returns the terms of a prompt, sorted, without those of questionWords,
// unless it has no others.
func QueryTerms(prompt string) []string {
	all := Terms(prompt)
	slices.Sort(all)
	all = slices.Compact(all)
	if some := slices.DeleteFunc(slices.Clone(all), func(term string) bool { return questionTerms()[term] }); len(some) > 0 {
		return some
	}
	return all
}

// A question is a parsed prompt.
type question struct {
	prompt  string
	terms   []string
	weights []float64 // of terms
	dates   []date
}

// newQuestion returns the question for a prompt with the given terms. having is, for
// each term, the number of the texts that have it. selected are the indexes of the
// terms that count, the heaviest first.
func newQuestion(prompt string, terms []string, having []int, texts int) (q *question, selected []int) {
	for i := range terms {
		selected = append(selected, i)
	}
	weight := func(i int) float64 { return idf(having[i], texts) }
	slices.SortStableFunc(selected, func(i, j int) int { return compareDown(weight(i), weight(j)) })
	selected = selected[:min(len(selected), maxQueryTerms)]
	q = &question{prompt: prompt, dates: parseDates(prompt)}
	for _, i := range selected {
		q.terms = append(q.terms, terms[i])
		q.weights = append(q.weights, weight(i))
	}
	return q, selected
}

// idf returns the weight of a term that so many of the texts have, its inverse
// document frequency as in BM25. A term in no text, which cannot distinguish texts,
// has half the weight.
func idf(having, texts int) float64 {
	r := math.Log1p((float64(texts-having) + 0.5) / (float64(having) + 0.5))
	if having == 0 {
		r /= 2
	}
	return r
}

// compareDown compares numbers for a descending order.
func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
