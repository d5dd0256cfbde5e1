package relevance

import (
	"strings"
	"unicode/utf8"
)

// The lengths of passages, in bytes.
const (
	maxPassage = 1200
	minPassage = 400 // of a text with several passages
)

// Passages splits a text of more than 1,200 bytes at the end of a paragraph, or else
// of a line, a sentence or a word. The passages together are the text, byte for byte.
func Passages(text string) []string {
	var all []string
	for len(text) > maxPassage {
		n := passageLen(text)
		all = append(all, text[:n])
		text = text[n:]
	}
	if len(text) > 0 || len(all) == 0 {
		all = append(all, text)
	}
	return all
}

// passageLen returns the length of the first passage of a long text. It leaves at
// least minPassage bytes.
func passageLen(text string) int {
	window := text[:min(maxPassage, len(text)-minPassage)]
	for _, ending := range [...]string{"\n\n", "\n", ". ", "? ", "! ", "。", " "} {
		if i := strings.LastIndex(window, ending); i+len(ending) >= minPassage {
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
