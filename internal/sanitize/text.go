package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// Text returns text in which nothing closes or opens what an agent's client, or a chat
// template, puts around it, and in which everything that a terminal obeys or hides is
// spelled out as \uXXXX. Bytes that are not UTF-8 become U+FFFD, and CR LF becomes LF.
func Text(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	if strings.ContainsFunc(text, schema.Hidden) {
		text = spellHidden(text)
	}
	text = strings.ReplaceAll(text, "-->", "--&gt;")
	if strings.Contains(text, "[") {
		text = brackets.ReplaceAllString(text, "&#91;$1")
	}
	if strings.Contains(text, "<") {
		text = markTags(text)
	}
	return text
}

const (
	// blank is what may stand between the parts of a tag.
	blank = `[\s\x{200c}\x{200d}]*`
	// speaker are names with which clients and templates set apart who speaks.
	speaker = `(?:system|user|assistant|human|developer|model|tool|tools|function|functions|result|results|invoke|parameter|instruction|instructions|prompt|hook|context|im_start|im_end|s)`
)

var (
	// brackets are the tokens of the templates of Llama and Mistral.
	brackets = lazyregexp.New(`(?i)\[(` + blank + `/?` + blank + `(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT)` + blank + `\])`)
	// tag is what stands at a < that begins a tag, a comment, or a token such as
	// <|im_end|>.
	tag = lazyregexp.New(`(?i)^<(?:[\pL!?]|` + blank + `/|` + blank + `[|｜]` + blank + `/?[\pL_][^<>\n]{0,80}[|｜]` + blank + `>|` +
		`[\s\x{200c}\x{200d}]+` + speaker + `(?:[_-][\pL_-]+)?(?:\s[^<>\n]{0,200})?>)`)
	// parameter is what stands behind the name of a type that has one, and is no tag:
	// List<String>, and Map<List<String>>, whose second < may be spelled out already.
	parameter = lazyregexp.New(`^<(?:[A-Z][A-Za-z0-9]*|[A-Za-rt-z])(?:[>,<\[?]|&lt;)`)
)

// longestTag is how much of a text is looked at to tell a tag.
const longestTag = 320 // bytes

// markTags spells out each < that begins a tag. It goes from the last to the first, for
// what is spelled out behind a < decides whether that begins one: what it returns it
// leaves as it is.
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
func spellHidden(text string) string {
	var b strings.Builder
	for _, r := range text {
		if schema.Hidden(r) {
			b.WriteString(Rune(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Rune returns r as JSON spells it: \uXXXX, once or twice.
func Rune(r rune) string {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
