package validate

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/internal/records"
)

var unknownWord = Rule{
	Name:     "unknown-word",
	Severity: Warning,
	Summary:  "A status, a priority or a type that nobody knows.",
	Help: `A member that is one of a few words holds another one:

- a goal's status: pending, in-progress, complete
- a goal's priority: high, medium, low
- the status that a change of a record sets: of a question open, awaiting_answer,
  in-progress, blocked, answered, canceled, removed; of an action open, pending,
  in-progress, blocked, done, canceled, removed; of a goal these and complete; of a
  constraint, a note and a pin removed; of a handoff open, in-progress, blocked, done,
  archived
- a session's status: active, archived
- a fragment's type: concept, implementation, decision, reference, pattern,
  troubleshooting, api-doc
- a kind of entities in config.json: files, functions, technologies, people, concepts
- the availability of a command: always, when_clarity_below_N, when_layer_above_N,
  when_TYPE_loaded

The word is kept, but a record of an unknown status counts as open, and of two that were
set at once the other one holds; a goal of an unknown status is shown as open; a search by type or
status does not find what has another word for it, and names of an unknown kind stand
in a list of their own. A command of an unknown availability is always offered.

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
		case fs.DocChange:
			if file, ok := d.recordFile(); ok {
				d.statusOf(file.Folder.Kind, d.member(0, "set", "status"))
			}
		case fs.DocSessionMeta:
			d.word(d.tape.Member(0, "status"), "status", sessionStatuses)
		case fs.DocState:
			d.availabilities()
		case fs.DocConfig:
			d.availabilities()
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

// The allowed words of members.
var (
	goalStatuses    = []string{"pending", "in-progress", "complete"}
	goalPriorities  = []string{"high", "medium", "low"}
	sessionStatuses = []string{"active", "archived"}
	entityKinds     = []string{"files", "functions", "technologies", "people", "concepts"}
	fragmentTypes   = []string{"concept", "implementation", "decision", "reference", "pattern", "troubleshooting", "api-doc"}
)

const wordHint = "write one of the words"

// word reports a text that is not one of words. An empty text is allowed.
func (d *document) word(node int, member string, words []string) {
	if text := d.text(node); len(text) > 0 && !slices.ContainsFunc(words, func(w string) bool { return w == string(text) }) {
		d.at(node, unknown(member, d.str(node), words), wordHint)
	}
}

// availability matches what says when a command is offered.
var availability = lazyregexp.New(`^(?:always|when_(?:clarity_below|layer_above)_[0-9]+(?:\.[0-9]+)?|when_.+_loaded)$`)

// availabilities reports the commands of which nobody knows when they are offered.
func (d *document) availabilities() {
	commands := d.tape.Member(0, "available_commands")
	for c := d.first(commands); c >= 0; c = d.next(c) {
		at := d.tape.Member(c, "availability")
		if text := d.text(at); len(text) > 0 && !availability.Match(text) {
			d.at(at, unknown("availability", d.str(at), []string{"always", "when_clarity_below_N", "when_layer_above_N", "when_TYPE_loaded"}), "the command is always offered; "+wordHint)
		}
	}
}

// statusOf reports an invalid status for records of kind k. Other rules report values
// that are not texts or that the schema of the kind lists.
func (d *document) statusOf(k records.Kind, node int) {
	if k.Name != records.Project.Name && k.Name != records.Thread.Name {
		d.word(node, "status", k.Status)
	}
}

func unknown(member, word string, words []string) string {
	return member + " is " + quoted(word) + ", none of " + strings.Join(words, ", ")
}
