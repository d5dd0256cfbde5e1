package condense

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// ResolveNames replaces the names of superseded decisions by ids. A name can be an id in any case,
// or words that most of all match one decision in force. A name that matches none or several is
// kept.
func ResolveNames(names []string, decisions []schema.Decision) []string {
	holding := schema.Current(decisions).Current()
	var out []string
	for _, name := range names {
		if id := meantBy(name, holding); id != "" {
			name = id
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// leastShared is the least share of a name's words that a decision must have, a ratio.
const leastShared = 0.6

var vague = lazyregexp.New(`^(?:decis|choic|agreement|plan|rule|polici|approach|condens|old|previous|earlier|former|januari|februari|march|april|may|june|juli|august|septemb|octob|novemb|decemb|\d+(?:[-.]\d+)*)$`)

// meantBy returns the id of the only decision that a name matches, or "".
func meantBy(name string, decisions []schema.Decision) string {
	for _, d := range decisions {
		if d.ID != "" && strings.EqualFold(d.ID, strings.TrimSpace(name)) {
			return d.ID
		}
	}
	words := slices.DeleteFunc(distinct(relevance.Terms(name)), func(t string) bool { return vague.MatchString(t) })
	if len(words) == 0 {
		return ""
	}
	best, shared, alone := "", 0, false
	for _, d := range decisions {
		terms := relevance.Terms(d.Decision)
		n := 0
		for _, w := range words {
			if slices.Contains(terms, w) {
				n++
			}
		}
		if n > shared {
			best, shared, alone = d.ID, n, true
		} else if n == shared {
			alone = false
		}
	}
	if !alone || float64(shared) < leastShared*float64(len(words)) {
		return ""
	}
	return best
}
