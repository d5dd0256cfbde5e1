package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// setIn is text of several lines, set in by a space, so that none of them can be
// taken for one of the answer's own.
func setIn(text string) string {
	return " " + lineEnds.Replace(strings.TrimRight(text, "\r\n"))
}

var lineEnds = strings.NewReplacer("\r\n", "\n ", "\n", "\n ", "\r", "\n ")

// inline is text on one line, sanitized, cut to at most n characters.
func inline(text string, n int) string {
	return clip(strings.Join(strings.Fields(text), " "), n)
}

// clip is text, sanitized, of at most n characters, and says if it was longer.
func clip(text string, n int) string { return cut(sanitize.Text(text), n) }

// cut is valid text of at most n characters, and says if it was longer.
func cut(text string, n int) string {
	all := utf8.RuneCountInString(text)
	if all <= n {
		return text
	}
	word := fmt.Sprintf("… [cut: %d more characters]", all-n)
	runes := []rune(text)
	return string(runes[:max(1, n-utf8.RuneCountInString(word))]) + word
}

// quoted is a name that a client gave, in a message.
func quoted(name string) string {
	return sanitize.Text(fmt.Sprintf("%q", cut(strings.ToValidUTF8(name, "\ufffd"), 80)))
}

// didYouMean names the choice most like word, or says otherwise.
func didYouMean(word string, choices []string, otherwise string) string {
	best, least := "", min(max(2, len(word)/3), 8)+1
	if len(word) > 64 {
		return otherwise
	}
	for _, choice := range choices {
		if d := schema.Distance(word, choice); d < least {
			best, least = choice, d
		}
	}
	if best == "" {
		return otherwise
	}
	return "did you mean " + best + "?"
}
