package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
)

// A claim is what a text says, as far as texts are compared: its terms, each
// once, without what says nothing of the matter.
type claim struct {
	terms  []string
	denied bool // it says not, never, without
}

func claimOf(text string) claim {
	var c claim
	for _, term := range relevance.Terms(text) {
		if same, ok := sameTerm(term); ok {
			term = same
		}
		// What is joined comes by its parts as well.
		if term != "" && !strings.ContainsAny(term, "-_./\\@'") && !slices.Contains(c.terms, term) {
			c.terms = append(c.terms, term)
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !wordly(r) && r != '\'' && r != '’' }) {
		switch word {
		case "not", "no", "never", "without", "cannot":
			c.denied = true
		default:
			c.denied = c.denied || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
		}
	}
	return c
}

// sameTerm is what a term stands for: "" where it tells only that there is work.
func sameTerm(term string) (string, bool) {
	switch term {
	case "current", "work", "now", "start", "begin", "pend", "done", "finish", "complet", "still", "next", "todo", "decid", "decis",
		"must", "should", "support", "need", "use", "go", "let", "want", "pleas", "just", "also", "will", "step", "task":
		return "", true
	case "doc":
		return "document", true
	case "config":
		return "configur", true
	case "auth":
		return "authent", true
	case "impl":
		return "implement", true
	case "repo":
		return "repositori", true
	case "db":
		return "databas", true
	case "wrote", "written":
		return "write", true
	case "built":
		return "build", true
	}
	return "", false
}

// covers says whether c says of other's terms that share or more.
func (c claim) covers(other claim, share float64) bool {
	shared := 0
	for _, term := range other.terms {
		if slices.Contains(c.terms, term) {
			shared++
		}
	}
	return c.denied == other.denied && float64(shared) >= share*float64(len(other.terms))
}

// same says whether both say the same thing, but for little.
func (c claim) same(other claim) bool { return c.covers(other, 0.75) && other.covers(c, 0.75) }

// much is the share of a claim that is as good as all of it: "token refresh" of
// "token refresh flow".
const much = 0.66
