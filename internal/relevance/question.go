package relevance

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// maxAsked is how many terms of a prompt count: of a longer one those that the
// fewest texts have.
const maxAsked = 64

// asking are words that tell how something is asked and not what.
const asking = "tell describe mention summarize summary discuss discussion say think would could might likely ever many much kind please"

var askingTerms = sync.OnceValue(func() map[string]bool {
	terms := map[string]bool{}
	for _, word := range strings.Fields(asking) {
		terms[english.Stem(word, false)] = true
	}
	return terms
})

// telling is the terms of a prompt, in their order. Words of asking are among them
// only where it has no others.
func telling(prompt string) []string {
	all := Terms(prompt)
	slices.Sort(all)
	all = slices.Compact(all)
	if some := slices.DeleteFunc(slices.Clone(all), func(term string) bool { return askingTerms()[term] }); len(some) > 0 {
		return some
	}
	return all
}

// A question is what a prompt asks texts for.
type question struct {
	prompt  string
	terms   []string
	weights []float64 // of the terms
	dates   []date
}

// newQuestion makes a question of the telling terms of a prompt, of which having
// says in how many of the texts they are. It takes some of them: those of these
// numbers.
func newQuestion(prompt string, terms []string, having []int, texts int) (q *question, taken []int) {
	for i := range terms {
		taken = append(taken, i)
	}
	weight := func(i int) float64 { return rarity(having[i], texts) }
	slices.SortStableFunc(taken, func(i, j int) int { return compareDown(weight(i), weight(j)) })
	taken = taken[:min(len(taken), maxAsked)]
	q = &question{prompt: prompt, dates: datesIn(prompt)}
	for _, i := range taken {
		q.terms = append(q.terms, terms[i])
		q.weights = append(q.weights, weight(i))
	}
	return q, taken
}

// rarity is what a term counts that so many of the texts have. One that none has
// cannot tell texts apart, and counts for half.
func rarity(having, texts int) float64 {
	r := math.Log1p((float64(texts-having) + 0.5) / (float64(having) + 0.5))
	if having == 0 {
		r /= 2
	}
	return r
}

// compareDown orders numbers, the greatest first.
func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}
