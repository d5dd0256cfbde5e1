package session

import "strings"

// LineHashes returns the hashes of two lines, each with its newline.
func LineHashes(line, record string) [2]string {
	return [2]string{hash(strings.TrimSuffix(line, "\n")), hash(strings.TrimSuffix(record, "\n"))}
}
