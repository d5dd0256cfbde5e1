package text

// Distance returns the number of edits that turn a into b: bytes to insert, delete,
// replace or swap with their neighbor (optimal string alignment).
func Distance(a, b string) int {
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
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
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

// Nearest returns the choice with the smallest distance to word; "" if word has more
// than 64 bytes or the distance exceeds a third of word (at least 2, at most 8).
func Nearest(word string, choices []string) string {
	best, least := "", min(max(2, len(word)/3), 8)+1
	if len(word) > 64 {
		return ""
	}
	for _, choice := range choices {
		if d := Distance(word, choice); d < least {
			best, least = choice, d
		}
	}
	return best
}
