package mcp

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// harmless returns text with everything spelled out that a terminal might obey, or
// hide from people, or that a model might take for what surrounds the text. Line
// feeds and tabs stay.
func harmless(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	if strings.ContainsFunc(text, schema.Hidden) {
		var b strings.Builder
		for _, r := range text {
			if schema.Hidden(r) {
				b.WriteString(spelled(r))
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	if strings.Contains(text, "<") {
		text = frames.ReplaceAllString(text, "$1&lt;$2")
	}
	return text
}

// frames finds the tags in which agents set what they, their tools and people say.
// Behind a letter it is a parameter of a type: List<Result>.
var frames = lazyregexp.New(`(?i)(^|[^\pL\pN_])<(\|[a-z_]+\||/?(?:[a-z]+:)?(?:` +
	`(?:system|tool|function)s?(?:[_-][a-z_-]+)?|assistant|human|user|results?|invoke|parameter|instructions?|prompt)\b)`)

// harmlessJSON is harmless for the strings of a JSON text, in whatever way it
// writes their characters.
func harmlessJSON(src []byte) ([]byte, error) {
	var out []byte
	for len(src) > 0 {
		at := bytes.IndexByte(src, '"')
		if at < 0 {
			break
		}
		end := at + 1
		for end < len(src) && src[end] != '"' {
			if src[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(src))
		var said string
		if err := jsonedit.Decode(src[at:end], &said); err != nil {
			return nil, err
		}
		out = append(out, src[:at]...)
		if safe := harmless(said); safe == said {
			out = append(out, src[at:end]...)
		} else if value, err := jsonedit.Value(safe); err != nil {
			return nil, err
		} else {
			out = append(out, value...)
		}
		src = src[end:]
	}
	return append(out, src...), nil
}

func spelled(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// setIn is text of several lines, set in by a space, so that none of them can be
// taken for one of the answer's own.
func setIn(text string) string {
	return " " + lineEnds.Replace(strings.TrimRight(text, "\r\n"))
}

var lineEnds = strings.NewReplacer("\r\n", "\n ", "\n", "\n ", "\r", "\n ")

// inline is text on one line, harmless, cut to at most n characters.
func inline(text string, n int) string {
	return clip(strings.Join(strings.Fields(text), " "), n)
}

// clip is text, harmless, of at most n characters, and says if it was longer.
func clip(text string, n int) string { return cut(harmless(text), n) }

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
	return harmless(fmt.Sprintf("%q", cut(strings.ToValidUTF8(name, "\ufffd"), 80)))
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
