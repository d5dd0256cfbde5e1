package memory

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A Copies finds the entries of notes that show decisions.
type Copies map[string]*schema.Decision // by id

// CopiesOf returns the Copies of decisions.
func CopiesOf(decisions []schema.Decision) Copies {
	c := Copies{}
	for i := range decisions {
		c[decisions[i].ID] = &decisions[i]
	}
	return c
}

// Find returns the id of the decision that an entry names where the notes show it, or "",
// and reports whether the entry says nothing else.
func (c Copies) Find(entry string) (id string, whole bool) {
	rest := entry
	if at, after, found := strings.Cut(entry, " "); found && stamp(at) != "" {
		rest = after
	}
	id, _, found := strings.Cut(rest, ":")
	d := c[id]
	if !found || d == nil {
		return "", false
	}
	if strings.TrimSpace(d.Decision) == "" {
		return id, false
	}
	texts := []string{d.Decision}
	for _, old := range d.Supersedes {
		texts = append(texts, Superseding(d.Decision, old))
	}
	return id, slices.ContainsFunc(texts, func(text string) bool {
		shown := Entry{ID: id, Text: text, Rationale: d.Rationale}
		return strings.Join(shown.lines(asMarkdown), "\n") == rest
	})
}

// Superseding returns the text of the entry by which notes show a decision that supersedes
// another, named by its id.
func Superseding(decision, id string) string { return decision + " (supersedes " + id + ")" }
