package relevance

import "math"

// What BM25 is tuned by: how soon repeating a term ceases to count, and how much
// a text must say for its length.
const (
	k1 = 1.2
	b  = 0.75
)

// A Hit is a text that a query found.
type Hit struct {
	Index int // which of those searched, from 0
	Text  int // its number there
	Score float64
}

// Search returns the texts that have any term of query, with their BM25 over
// the texts of all indexes: higher is better, there is no upper bound. They come
// in the order of the texts, for whoever sorts them also knows what to do about
// equal scores.
func Search(query string, indexes ...*Index) []Hit {
	texts, total := 0, 0
	scores := make([][]float64, len(indexes))
	for i, x := range indexes {
		texts += x.Texts() - x.gone
		total += x.total
		scores[i] = make([]float64, x.Texts())
	}
	if total == 0 {
		return nil
	}
	average := float64(total) / float64(texts)
	asked := map[string]bool{}
	lists := make([][]byte, len(indexes))
	for _, term := range Terms(query) {
		if asked[term] {
			continue
		}
		asked[term] = true
		having := 0
		for i, x := range indexes {
			var n int
			n, lists[i] = x.find(term)
			having += n
		}
		rarity := math.Log1p((float64(texts-having) + 0.5) / (float64(having) + 0.5))
		for i, x := range indexes {
			x.each(lists[i], func(text, times int) {
				norm := k1 * (1 - b + b*float64(x.length(text))/average)
				scores[i][text] += rarity * float64(times) * (k1 + 1) / (float64(times) + norm)
			})
		}
	}
	found := 0
	for i := range scores {
		for _, score := range scores[i] {
			if score > 0 {
				found++
			}
		}
	}
	hits := make([]Hit, 0, found)
	for i := range scores {
		for text, score := range scores[i] {
			if score > 0 {
				hits = append(hits, Hit{i, text, score})
			}
		}
	}
	return hits
}
