package compact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// oneLine is text on one line of at most so many bytes, without what a terminal
// or a reader could be misled by. A longer one is cut between words, and says so.
func oneLine(text string, most int) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if schema.Hidden(r) || r == utf8.RuneError {
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

// cutAtWord takes off the last word, unless little would be left.
func cutAtWord(text string) string {
	if i := strings.LastIndexByte(text, ' '); i > len(text)*2/3 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ,;:-")
}

// blockStart is what would begin a block of markdown at the start of a point.
var blockStart = lazyregexp.New("^(?:[#>|<+*~`=-]|\\d{1,9}[.)])")

// inline is what begins with a character of blockStart and begins no block: a
// span of code, emphasis.
var inline = lazyregexp.New("^(?:`[^`]|\\*{1,2}[^*\\s])")

// point is text as a point of a list, so that it cannot begin anything else.
func point(text string) string {
	at := blockStart.FindString(text)
	if at == "" || inline.MatchString(text) {
		return text
	}
	n := len(at) - 1
	return text[:n] + `\` + text[n:]
}
