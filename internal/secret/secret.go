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

// Find returns the secrets in text, in order and without overlap: keys and tokens
// of well-known shapes, private keys, passwords in URLs, and values of high entropy
// that are assigned to a name such as password or api_key. Digests, commit hashes,
// UUIDs, paths and images are none. It takes time in proportion to text.
func Find(text string) []Found {
	if !Possible([]byte(text)) {
		return nil
	}
	return detect(text)
}

// detect is Find without asking Possible first.
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
		if f.Start < end { // inside of another
			return true
		}
		end = f.End
		return false
	})
}

// FindValue returns the secrets in text, which is the value of a member called
// name: {"password": …} is judged with its name. An empty name is none.
func FindValue(name, text string) []Found {
	if name == "" || len(text) < shortest {
		return Find(text)
	}
	before := name + `="`
	found := Find(before + text)
	for i := range found {
		if found[i].Start < len(before) { // the name is one itself
			return Find(text)
		}
		found[i].Start -= len(before)
		found[i].End -= len(before)
	}
	return found
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
