package text

// Limit returns s if it has at most n characters, else its first n-1 characters and
// an ellipsis. n is at least 1.
func Limit(s string, n int) string { return cut(s, n, n-1) }

// Head returns s if it has at most n characters, else its first n characters and an
// ellipsis.
func Head(s string, n int) string { return cut(s, n, n) }

// cut returns s if it has at most limit characters, else its first keep characters
// and an ellipsis; keep is at most limit.
func cut(s string, limit, keep int) string {
	if len(s) <= limit {
		return s
	}
	count, end := 0, 0
	for i := range s {
		if count == keep {
			end = i
		}
		if count == limit {
			return s[:end] + "…"
		}
		count++
	}
	return s
}
