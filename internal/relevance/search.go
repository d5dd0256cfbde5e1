package relevance

// A Hit is a result of a search.
type Hit struct {
	Index      int // of the searched index, from 0
	Text       int // number of the text in that index
	Score      float64
	Similarity float64 // as in a Match; only Rank sets it
	Beside     bool    // it has no term of the query, but is near a text that has one; only Rank sets it
}

// Search returns the texts that have a term of query, with scores relative to the
// texts of all indexes: higher is better, without an upper limit. The hits are not
// sorted, but in the same order for each call.
func Search(query string, indexes ...*Index) []Hit { return Best(0, query, indexes...) }

// Best returns the n best results of Search, all if n is 0.
func Best(n int, query string, indexes ...*Index) []Hit {
	if len(indexes) == 0 {
		return nil
	}
	_, terms := parseQuery(query, indexes)
	return top(n, bm25Curve(), terms, indexes)
}

// parseQuery returns the question of a query for the texts of indexes, and its terms.
func parseQuery(query string, indexes []*Index) (*question, []queryTerm) {
	texts := 0
	for _, x := range indexes {
		texts += x.Texts() - x.excluded
	}
	terms := QueryTerms(query)
	found := lookUp(terms, indexes)
	having := make([]int, len(found))
	for i, f := range found {
		having[i] = f.having
	}
	q, selected := newQuestion(query, terms, having, texts)
	all := make([]queryTerm, len(selected))
	for n, i := range selected {
		all[n] = found[i]
		all[n].weight = float32(q.weights[n])
	}
	return q, all
}
