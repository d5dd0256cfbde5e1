package remote

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// sequence is what colours the text on a terminal, or obeys it otherwise.
var sequence = lazyregexp.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")

// Plain drops what is obeyed or not shown, and blanks around lines. The two
// joiners are part of how some languages are written.
func Plain(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\u200c', r == '\u200d':
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.Cc, unicode.Cf):
			return -1
		}
		return r
	}, sequence.ReplaceAllString(text, ""))
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// Cut is a stranger's text on one line, fit for a message, of at most so many
// characters.
func Cut(text string, most int) string {
	text = strings.Join(strings.Fields(Plain(strings.ToValidUTF8(text, "\ufffd"))), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// Quoted is Cut in quotes.
func Quoted(text string, most int) string { return fmt.Sprintf("%q", Cut(text, most)) }
