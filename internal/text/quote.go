package text

import "strconv"

// Quote returns s as a Go string literal. Of a longer text the literal has the first n
// characters and an ellipsis.
func Quote(s string, n int) string { return strconv.Quote(Head(s, n)) }

// QuoteBytes returns s as a Go string literal. Of a longer text the literal has the
// first n bytes, and an ellipsis follows it.
func QuoteBytes(s string, n int) string {
	if len(s) > n {
		return strconv.Quote(s[:n]) + "…"
	}
	return strconv.Quote(s)
}

// QuoteASCII returns s as a Go string literal in ASCII. Of a text of more than 60
// bytes the literal has the first 60, and an ellipsis follows it.
func QuoteASCII(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.QuoteToASCII(s[:most]) + "…"
	}
	return strconv.QuoteToASCII(s)
}
