package condense

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

var instead = lazyregexp.New(`(?i)\b(?:replaces|takes the place of|instead of|rather than|in place of)\s+([^.;:,!?()]{4,80})`)

// leastImplied is the least number of words that must name what is replaced.
const leastImplied = 2

// ImpliedSupersedes returns the ids of decisions that a decision replaces without naming their ids:
// "Clearceram replaces Zerodur Class 0" refers to the decision that chose Zerodur. At least two
// words must match, and only one decision may match.
func ImpliedSupersedes(decision string, decisions []schema.Decision) (ids []string) {
	for _, m := range instead.FindAllStringSubmatch(single(decision), -1) {
		what, _, _ := strings.Cut(m[1], " as ")
		words := slices.DeleteFunc(distinct(relevance.Terms(what)), func(t string) bool { return vague.MatchString(t) })
		if len(words) < leastImplied {
			continue
		}
		for _, id := range ResolveNames([]string{strings.Join(words, " ")}, decisions) {
			if slices.ContainsFunc(decisions, func(d schema.Decision) bool { return d.ID == id }) && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
