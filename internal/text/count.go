package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Count returns a number with its noun, such as "1 file", "2 files" or "2 entries".
// The plural of a noun ends in "s", or "ies" instead of a consonant's "y".
func Count(n int, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
	case y && stem != "" && !strings.ContainsRune("aeiou", rune(stem[len(stem)-1])):
		noun = stem + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Thousands returns n with its digits in groups of three, such as "200,000".
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
