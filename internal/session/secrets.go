package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

// A span is a secret that was found in a text.
type span struct {
	start, end int
	kind       string
}

// Mask puts `[masked:<kind>]` in the place of each secret in text and says how
// many there were: keys and tokens of well-known shapes, private keys, passwords
// in URLs, and values of high entropy that are assigned to a name such as
// password or api_key. Digests, commit hashes, UUIDs, paths and images stay. It
// takes time in proportion to text, and masking twice changes nothing.
func Mask(text string) (masked string, n int) {
	var found []span
	found = findShapes(found, text)
	found = findTokens(found, text)
	found = findMarked(found, text)
	found = findKeys(found, text)
	found = findLogins(found, text)
	found = findCurls(found, text)
	found = findBearers(found, text)
	found = findAssigned(found, text)
	if len(found) == 0 {
		return text, 0
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, s := range found {
		if s.start < at { // inside of another
			continue
		}
		b.WriteString(text[at:s.start])
		b.WriteString("[masked:" + s.kind + "]")
		at = s.end
		n++
	}
	b.WriteString(text[at:])
	return b.String(), n
}

// MaskJSON masks the strings of a JSON text, and says how many it masked. Each is
// judged together with its name, so that {"password": …} is one. What is no JSON
// comes back as it is.
func MaskJSON(src []byte) ([]byte, int) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return src, 0
	}
	var out []byte
	at, total := 0, 0
	for i := range doc.Nodes {
		text, ok := doc.Str(i)
		if !ok {
			continue
		}
		name := ""
		if key := doc.Key(i); key != "" {
			name = key + `="`
		}
		masked, n := Mask(name + text)
		if n == 0 {
			continue
		}
		masked, found := strings.CutPrefix(masked, name)
		if !found {
			masked, n = Mask(text)
		}
		value, err := jsonedit.Value(masked)
		if err != nil || n == 0 {
			continue
		}
		node := doc.Nodes[i]
		out = append(append(out, src[at:node.Start]...), value...)
		at = int(node.End)
		total += n
	}
	if total == 0 {
		return src, 0
	}
	return append(out, src[at:]...), total
}

// A charset says which bytes belong to something.
type charset [256]bool

func chars(text string) *charset {
	var c charset
	for i := range len(text) {
		c[text[i]] = true
	}
	return &c
}

const (
	digits   = "0123456789"
	upper    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lower    = "abcdefghijklmnopqrstuvwxyz"
	alphanum = digits + upper + lower
)

var (
	inWord   = chars(alphanum + "_")
	inToken  = chars(alphanum + "_-")
	inBase64 = chars(alphanum + "+/=")
)

// run is how many bytes from i on belong to c, max+1 at most.
func (c *charset) run(text string, i, max int) int {
	n := 0
	for i+n < len(text) && n <= max && c[text[i+n]] {
		n++
	}
	return n
}

// begins says whether a token of these bytes may begin at i: what stands before
// belongs to none, or is an escape of JSON, of a URL or of a terminal.
func (c *charset) begins(text string, i int) bool {
	if i == 0 || text[i-1] == '=' || !c[text[i-1]] && !inWord[text[i-1]] {
		return true
	}
	before := text[max(0, i-16):i]
	n := len(before)
	switch last := before[n-1]; {
	case n >= 2 && before[n-2] == '\\' && strings.IndexByte("nrtbf", last) >= 0:
		return true
	case n >= 3 && before[n-3] == '%':
		return true
	case last == 'm': // "\x1b[31m"
		return strings.HasSuffix(strings.TrimRight(before[:n-1], digits+";"), "[")
	}
	return false
}
