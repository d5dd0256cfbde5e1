package main

import "fmt"

// nearest returns the choice most like word, or "" if none is like it.
func nearest(word string, choices []string) string {
	best, least := "", min(max(2, len(word)/3), 8)+1
	for _, choice := range choices {
		if d := distance(word, choice); d < least {
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

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to turn a into b. Words too long for a typing error are far apart.
func distance(a, b string) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return longest
	}
	var before, previous, row [longest + 1]int
	for j := range len(b) + 1 {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous = previous, row
	}
	return previous[len(b)]
}
