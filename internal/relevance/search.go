package relevance

// A Hit is a text that a query found.
type Hit struct {
	Index      int // which of those searched, from 0
	Text       int // its number there
	Score      float64
	Similarity float64 // as in a Match; only Rank tells
	Beside     bool    // it has no term of the query: it stands beside what has
}

// Search returns the texts that have any term of query, with their scores over
// the texts of all indexes: higher is better, there is no upper bound. They come
// in no order, but the same one each time.
func Search(query string, indexes ...*Index) []Hit { return Best(0, query, indexes...) }

// Best is the n best of what Search returns, all where n is 0.
func Best(n int, query string, indexes ...*Index) []Hit {
	if len(indexes) == 0 {
		return nil
	}
	_, terms := askIn(query, indexes)
	return top(n, ownCurve(), terms, indexes)
}

// askIn reads a query about the texts of indexes.
func askIn(query string, indexes []*Index) (*question, []asked) {
	texts := 0
	for _, x := range indexes {
		texts += x.Texts() - x.gone
	}
	terms := telling(query)
	found := look(terms, indexes)
	having := make([]int, len(found))
	for i, f := range found {
		having[i] = f.having
	}
	q, taken := newQuestion(query, terms, having, texts)
	all := make([]asked, len(taken))
	for n, i := range taken {
		all[n] = found[i]
		all[n].weight = float32(q.weights[n])
	}
	return q, all
}
