package relevance

// Terms splits text into the stemmed words that searches compare: lower case,
// split at everything that is no letter or digit, identifiers and paths both
// whole and by their parts.
func Terms(text string) []string { panic("not built") }

// A Hit is a text that a query found.
type Hit struct {
	ID    string
	Score float64 // BM25; higher is better, no upper bound
}
