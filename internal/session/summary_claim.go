package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/relevance"
)

// A claim is a text in a form for comparisons: its significant terms without duplicates.
type claim struct {
	terms   []string
	numbers []string // words with digits: what they count or name differs from others
	valued  bool     // the text has a number with a unit
	denied  bool     // the text has a negation such as not, never or without
}

// value matches a number with a unit.
var value = lazyregexp.New(`(?i)\b\d+(?:[.,]\d+)?[ -]?(?:%|(?:percent|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|tokens?|times|retries|attempts|requests|connections|messages|characters|lines|euros?|dollars?)\b)`)

func claimOf(text string) claim {
	c := claim{valued: value.MatchString(text)}
	for _, term := range relevance.Terms(text) {
		if same, ok := sameTerm(term); ok {
			term = same
		}
		// A compound is compared by its parts as well.
		if term != "" && !strings.ContainsAny(term, "-_./\\@'") && !slices.Contains(c.terms, term) {
			c.terms = append(c.terms, term)
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !wordly(r) && r != '\'' && r != '’' }) {
		if strings.ContainsAny(word, digits) && !slices.Contains(c.numbers, word) {
			c.numbers = append(c.numbers, word)
		}
		switch word {
		case "not", "no", "never", "without", "cannot":
			c.denied = true
		default:
			c.denied = c.denied || strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
		}
	}
	return c
}

// sameTerm returns the term that represents t and its synonyms. It returns "" for a term that only
// says that there is work.
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

const digits = "0123456789"

// covers reports whether c has at least the given share of the terms of other, and its numbers.
func (c claim) covers(other claim, share float64) bool {
	return c.denied == other.denied && c.isAbout(other, share) && !slices.ContainsFunc(other.numbers, func(n string) bool { return !slices.Contains(c.numbers, n) })
}

// isAbout reports whether c has at least the given share of the terms of other, whatever it
// says of them.
func (c claim) isAbout(other claim, share float64) bool {
	shared := 0
	for _, term := range other.terms {
		if slices.Contains(c.terms, term) {
			shared++
		}
	}
	return float64(shared) >= share*float64(len(other.terms))
}

// same reports whether the claims are nearly equal.
func (c claim) same(other claim) bool { return c.covers(other, nearly) && other.covers(c, nearly) }

// contradicts reports whether the claims are nearly equal but for a value, or one of them
// denies the other.
func (c claim) contradicts(other claim) bool {
	a, b := c.withoutNumbers(), other.withoutNumbers()
	if len(a.terms) == 0 || !a.isAbout(b, nearly) || !b.isAbout(a, nearly) {
		return false
	}
	return c.denied != other.denied || c.valued && other.valued && len(c.numbers) == len(other.numbers) && !c.same(other)
}

func (c claim) withoutNumbers() claim {
	c.terms = slices.DeleteFunc(slices.Clone(c.terms), func(t string) bool { return strings.ContainsAny(t, digits) })
	return c
}

// nearly is the share of terms from which claims count as nearly equal.
const nearly = 0.75

// much is the share of terms from which a claim counts as covered, such as "token refresh" for
// "token refresh flow".
const much = 0.66
