package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/sanitize"
	plaintext "github.com/forgemind/forgemind/internal/text"
)

// setIn returns text of several lines with each line indented by a space, so that none can be taken
// for a line of the answer.
func setIn(text string) string {
	return " " + lineEnds.Replace(strings.TrimRight(text, "\r\n"))
}

var lineEnds = strings.NewReplacer("\r\n", "\n ", "\n", "\n ", "\r", "\n ")

// inline returns text on one line, sanitized and cut to at most n characters.
func inline(text string, n int) string {
	return clip(strings.Join(strings.Fields(text), " "), n)
}

// clip returns text sanitized and cut to at most n characters, with a remark if it was longer.
func clip(text string, n int) string { return cut(sanitize.Text(text), n) }

// cut returns valid text of at most n characters, with a remark if it was longer.
func cut(text string, n int) string {
	all := utf8.RuneCountInString(text)
	if all <= n {
		return text
	}
	word := fmt.Sprintf("… [cut: %d more characters]", all-n)
	runes := []rune(text)
	return string(runes[:max(1, n-utf8.RuneCountInString(word))]) + word
}

// quoted returns a name that a client gave, in the form for messages.
func quoted(name string) string {
	return sanitize.Text(fmt.Sprintf("%q", cut(strings.ToValidUTF8(name, "\ufffd"), 80)))
}

// didYouMean returns a suggestion of the choice most similar to word, or otherwise.
func didYouMean(word string, choices []string, otherwise string) string {
	if best := plaintext.Nearest(word, choices); best != "" {
		return "did you mean " + best + "?"
	}
	return otherwise
}
