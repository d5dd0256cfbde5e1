package relevance

import (
	"strings"
	"unicode/utf8"
)

// The lengths of passages, in bytes.
const (
	longPassage  = 1200 // no passage is longer
	shortPassage = 400  // none is shorter that could be longer
)

// Passages parts a long text where a paragraph ends, else a line, a sentence or a
// word; together they are the text, byte for byte. A short text is one passage.
func Passages(text string) []string {
	var all []string
	for len(text) > longPassage {
		n := passage(text)
		all = append(all, text[:n])
		text = text[n:]
	}
	if len(text) > 0 || len(all) == 0 {
		all = append(all, text)
	}
	return all
}

// passage is how long the first passage is of a long text. What it leaves is no
// crumb either.
func passage(text string) int {
	window := text[:min(longPassage, len(text)-shortPassage)]
	for _, ending := range [...]string{"\n\n", "\n", ". ", "? ", "! ", "。", " "} {
		if i := strings.LastIndex(window, ending); i+len(ending) >= shortPassage {
			return i + len(ending)
		}
	}
	n := len(window)
	for back := n; back > n-utf8.UTFMax; back-- {
		if utf8.RuneStart(text[back]) {
			return back
		}
	}
	return n
}
