package main

import (
	"fmt"

	"github.com/forgemind/forgemind/schema"
)

// maxTyped is how long a word may be that somebody mistyped, in bytes.
const maxTyped = 64

// nearest returns the choice most like word, or "" if none is like it.
func nearest(word string, choices []string) string {
	best, least := "", min(max(2, len(word)/3), 8)+1
	if len(word) > maxTyped {
		return ""
	}
	for _, choice := range choices {
		if d := schema.Distance(word, choice); d < least {
			best, least = choice, d
		}
	}
	return best
}

// didYouMean is a hint that names the nearest choice, or else.
func didYouMean(word string, choices []string, otherwise string) string {
	if best := nearest(word, choices); best != "" {
		return fmt.Sprintf("did you mean '%s'?", best)
	}
	return otherwise
}
