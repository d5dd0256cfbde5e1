package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// oneLine returns s on one line of at most most bytes, without hidden characters. A
// longer text is cut between words and ends with an ellipsis.
func oneLine(s string, most int) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if text.Hidden(r) || r == utf8.RuneError {
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		if b.Len()+utf8.RuneLen(r) > most {
			return cutAtWord(b.String()) + " …"
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cutAtWord removes the last word, unless little would be left.
func cutAtWord(text string) string {
	if i := strings.LastIndexByte(text, ' '); i > len(text)*2/3 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ,;:-")
}

// blockStart matches the beginning of a point that would begin a markdown block.
var blockStart = lazyregexp.New("^(?:[#>|<+*~`=-]|\\d{1,9}[.)])")

// inline matches text that begins with a character of blockStart and begins no block: a
// span of code, emphasis.
var inline = lazyregexp.New("^(?:`[^`]|\\*{1,2}[^*\\s])")

// point returns text as a list item. It is escaped if it would begin another block.
func point(text string) string {
	at := blockStart.FindString(text)
	if at == "" || inline.MatchString(text) {
		return text
	}
	n := len(at) - 1
	return text[:n] + `\` + text[n:]
}
