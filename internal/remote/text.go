package remote

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// sequence matches escape sequences for terminals.
var sequence = lazyregexp.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")

// Plain removes escape sequences, control characters, invisible characters and the blanks around
// lines. It keeps the two joiners that some writing systems need.
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
func Cut(s string, most int) string {
	return text.Head(text.OneLine(Plain(strings.ToValidUTF8(s, "\ufffd"))), most)
}

// Quoted returns the result of Cut in quotes.
func Quoted(text string, most int) string { return fmt.Sprintf("%q", Cut(text, most)) }
