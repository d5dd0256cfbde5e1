package main

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/text"
)

// didYouMean returns a hint that names the choice most similar to word, or otherwise.
func didYouMean(word string, choices []string, otherwise string) string {
	if best := text.Nearest(word, choices); best != "" {
		return fmt.Sprintf("did you mean '%s'?", best)
	}
	return otherwise
}
