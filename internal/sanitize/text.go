package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/text"
)

// Text returns s in which nothing closes or opens what an agent's client, or a chat
// template, puts around it, and in which everything that a terminal obeys or hides is
// spelled out as \uXXXX. Bytes that are not UTF-8 become U+FFFD, and CR LF becomes LF.
func Text(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n")
	if strings.ContainsFunc(s, text.Hidden) {
		s = spellHidden(s)
	}
	s = strings.ReplaceAll(s, "-->", "--&gt;")
	if strings.Contains(s, "[") {
		s = brackets.ReplaceAllString(s, "&#91;$1")
	}
	if strings.Contains(s, "<") {
		s = markTags(s)
	}
	return s
}

const (
	// blank matches the characters that may be between the parts of a tag.
	blank = `[\s\x{200c}\x{200d}]*`
	// speaker matches the names that clients and templates use to mark the speaker.
	speaker = `(?:system|user|assistant|human|developer|model|tool|tools|function|functions|result|results|invoke|parameter|instruction|instructions|prompt|hook|context|im_start|im_end|s)`
)

var (
	// brackets matches the tokens of the templates of Llama and Mistral.
	brackets = lazyregexp.New(`(?i)\[(` + blank + `/?` + blank + `(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)` + blank + `\])`)
	// tag matches the beginning of a tag, a comment, or a token such as <|im_end|>, at
	// its <.
	tag = lazyregexp.New(`(?i)^<(?:[\pL!?]|` + blank + `/|` + blank + `[|｜]` + blank + `/?[\pL_][^<>\n]{0,80}[|｜]` + blank + `>|` +
		`[\s\x{200c}\x{200d}]+` + speaker + `(?:[_-][\pL_-]+)?(?:\s[^<>\n]{0,200})?>)`)
	// parameter matches a type parameter, which is not a tag: List<String>, and
	// Map<List<String>>, whose second < may already be escaped.
	parameter = lazyregexp.New(`^<(?:[A-Z][A-Za-z0-9]*|[A-Za-rt-z])(?:[>,<\[?]|&lt;)`)
)

// longestTag is the number of bytes in which a tag is looked for.
const longestTag = 320 // bytes

// markTags escapes each < that begins a tag. It works from the last to the first,
// because an escaped text after a < decides whether that < begins a tag. So a second
// call changes nothing.
func markTags(text string) string {
	const spelled = "&lt;"
	out := make([]byte, len(text)+(len(spelled)-1)*strings.Count(text, "<"))
	at, end := len(out), len(text)
	for end > 0 {
		i := max(strings.LastIndexByte(text[:end], '<'), 0)
		at -= end - i
		copy(out[at:], text[i:end])
		end = i
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		within := unicode.IsLetter(before) || unicode.IsDigit(before) || before == '_'
		rest := out[at:min(len(out), at+longestTag)]
		if tag.Match(rest) && !(within && parameter.Match(rest)) {
			at -= len(spelled) - 1
			copy(out[at:], spelled)
		}
	}
	return string(out[at:])
}

// spellHidden spells out what a terminal obeys or hides.
func spellHidden(s string) string {
	var b strings.Builder
	for _, r := range s {
		if text.Hidden(r) {
			b.WriteString(Rune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Rune returns r as a JSON escape: \uXXXX, or two of them.
func Rune(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
