package validate

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

var unknownWord = Rule{
	Name:     "unknown-word",
	Severity: Warning,
	Summary:  "A status, a priority or a type that nobody knows.",
	Help: `A member that is one of a few words holds another one:

- a goal's status: pending, in-progress, complete
- a goal's priority: high, medium, low
- a session's status: active, archived
- a fragment's type: concept, implementation, decision, reference, pattern,
  troubleshooting, api-doc
- a kind of entities in config.json: files, functions, technologies, people, concepts

The word is kept, but a goal of an unknown status is shown as open, a search by type or
status does not find what has another word for it, and names of an unknown kind stand
in a list of their own.

Wrong:

    "status": "in progress"

Right:

    "status": "in-progress"

To mend it, write one of the words.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		switch d.kind {
		case fs.DocHotContext:
			goals := d.tape.Member(0, "active_goals")
			for g := d.first(goals); g >= 0; g = d.next(g) {
				d.word(d.tape.Member(g, "status"), "status", goalStatuses)
				d.word(d.tape.Member(g, "priority"), "priority", goalPriorities)
			}
		case fs.DocSessionMeta:
			d.word(d.tape.Member(0, "status"), "status", sessionStatuses)
		case fs.DocConfig:
			kinds := d.tape.Member(0, "entities")
			if d.kindOf(kinds) != jsonedit.Object {
				return
			}
			for k := d.first(kinds); k >= 0; k = d.next(k) {
				if kind := d.tape.Key(k); !slices.Contains(entityKinds, kind) {
					d.at(k, unknown("a kind of entities", kind, entityKinds), wordHint)
				}
			}
		}
	},
	whole: func(d *document) {
		if f, ok := d.fragment(); ok {
			if word, ok := f.text("type"); ok && !slices.Contains(fragmentTypes, word) {
				d.report(f.at("type"), "", unknown("type", word, fragmentTypes), wordHint)
			}
		}
	},
}

// The words that members may hold.
var (
	goalStatuses    = []string{"pending", "in-progress", "complete"}
	goalPriorities  = []string{"high", "medium", "low"}
	sessionStatuses = []string{"active", "archived"}
	entityKinds     = []string{"files", "functions", "technologies", "people", "concepts"}
	fragmentTypes   = []string{"concept", "implementation", "decision", "reference", "pattern", "troubleshooting", "api-doc"}
)

const wordHint = "write one of the words"

// word reports a text that is none of some words; an empty one says nothing.
func (d *document) word(node int, member string, words []string) {
	if text := d.text(node); len(text) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w == string(text) }) {
		d.at(node, unknown(member, d.str(node), words), wordHint)
	}
}

func unknown(member, word string, words []string) string {
	return member + " is " + quoted(word) + ", none of " + strings.Join(words, ", ")
}
