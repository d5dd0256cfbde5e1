package secret

import (
	"slices"
	"strings"
)

// A Found is a secret in a text: text[Start:End].
type Found struct {
	Kind       string // such as "github-token"; see the table of shapes
	Start, End int    // in bytes
}

// Find returns the secrets in text, in order and without overlap: keys and tokens of
// well-known shapes, private keys, passwords in URLs, and values of high entropy that
// are assigned to a name such as password or api_key. It does not report digests,
// commit hashes, UUIDs, paths and images. Its running time is linear in the length of
// text.
func Find(text string) []Found {
	if !Possible([]byte(text)) {
		return nil
	}
	return detect(text)
}

// detect is Find without the test by Possible.
func detect(text string) []Found {
	var found []Found
	found = findShapes(found, text)
	found = findTokens(found, text)
	found = findMarked(found, text)
	found = findKeys(found, text)
	found = findLogins(found, text)
	found = findCurls(found, text)
	found = findBearers(found, text)
	found = findAssigned(found, text)
	slices.SortStableFunc(found, func(a, b Found) int { return a.Start - b.Start })
	end := 0
	return slices.DeleteFunc(found, func(f Found) bool {
		if f.Start < end { // inside of another secret
			return true
		}
		end = f.End
		return false
	})
}

// FindValue returns the secrets in text, the value of the member name, so that the
// value of {"password": …} is a secret. The name may be empty.
func FindValue(name, text string) []Found {
	if name == "" || len(text) < shortest {
		return Find(text)
	}
	before := name + `="`
	found := Find(before + text)
	for i := range found {
		if found[i].Start < len(before) { // the name itself is a secret
			return Find(text)
		}
		found[i].Start -= len(before)
		found[i].End -= len(before)
	}
	return found
}

// A charset is a set of bytes.
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

// run returns the number of bytes of text from i on that are in c, at most max+1.
func (c *charset) run(text string, i, max int) int {
	n := 0
	for i+n < len(text) && n <= max && c[text[i+n]] {
		n++
	}
	return n
}

// begins reports whether a token of these bytes may begin at i: the byte before is not
// in c, or ends an escape of JSON, of a URL or of a terminal.
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
	case last == 'm': // a color such as "\x1b[31m"
		return strings.HasSuffix(strings.TrimRight(before[:n-1], digits+";"), "[")
	}
	return false
}
