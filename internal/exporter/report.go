package exporter

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/schema"
)

// A chapter is a heading of a report and the things below it.
type chapter struct {
	title string
	kind  string
	full  bool // with all that the things say
	has   func(q Query, t *query.Thing) bool
}

// wasAdded reports whether a thing was added in the time in question.
func wasAdded(q Query, t *query.Thing) bool { return q.isNew(t.Time) }

// wasClosed reports whether a thing was closed in the time in question.
func wasClosed(q Query, t *query.Thing) bool { return t.Closed && q.isNew(t.ClosedAt) }

// wasReached is wasClosed of a goal or an action that was finished rather than dropped.
func wasReached(q Query, t *query.Thing) bool { return wasClosed(q, t) && isReached(t) }

// isOpen reports whether a thing is in force, since whenever.
func isOpen(_ Query, t *query.Thing) bool { return !t.Closed }

// isAddedAndOpen is wasAdded of a thing in force.
func isAddedAndOpen(q Query, t *query.Thing) bool { return !t.Closed && wasAdded(q, t) }

// chapters are the headings of a report in order.
var chapters = []chapter{
	{"Decisions made", kindDecision, true, wasAdded},
	{"Decisions superseded", kindDecision, false, wasClosed},
	{"Goals reached", "goal", false, wasReached},
	{"Open goals", "goal", false, isOpen},
	{"Actions done", "action", false, wasReached},
	{"Open actions", "action", false, isOpen},
	{"Questions answered", "question", true, wasClosed},
	{"Open questions", "question", false, isOpen},
	{"New constraints", "constraint", false, isAddedAndOpen},
	{"Notes", "note", false, isAddedAndOpen},
	{"Handoffs", "handoff", false, isAddedAndOpen},
	{"Discussions opened", "thread", false, wasAdded},
	{"Discussions concluded", kindCondensation, false, wasAdded},
}

// ReportKinds returns the kinds of things that a report has chapters for.
func ReportKinds() (kinds []string) {
	for _, c := range chapters {
		if len(kinds) == 0 || kinds[len(kinds)-1] != c.kind {
			kinds = append(kinds, c.kind)
		}
	}
	return kinds
}

// Report returns what happened in a tree since a time, and what is open, in markdown.
func Report(tree *fs.Tree, q Query) []byte {
	var b strings.Builder
	b.WriteString("# " + inline(nameOf(tree)) + ": report\n")
	if !q.Since.IsZero() {
		b.WriteString("\nSince " + schema.FormatTime(q.Since) + ".\n")
	}
	kinds := q.Kinds
	if len(kinds) == 0 {
		kinds = ReportKinds()
	}
	things := query.Things(tree, kinds)
	for _, c := range chapters {
		found := false
		for i := range things {
			t := &things[i]
			if t.Kind != c.kind || !c.has(q, t) {
				continue
			}
			if !found {
				fmt.Fprintf(&b, "\n## %s\n\n", c.title)
			}
			found = true
			fmt.Fprintf(&b, "* %s (%s)\n", inline(t.Title), strings.Join(detailsOf(t), ", "))
			if c.full {
				writeReasons(&b, t)
			}
		}
	}
	if !strings.Contains(b.String(), "\n## ") {
		b.WriteString("\nNothing happened, and nothing is open.\n")
	}
	return []byte(b.String())
}

// writeReasons writes what a thing says beside its title.
func writeReasons(b *strings.Builder, t *query.Thing) {
	for line := range strings.Lines(strings.TrimPrefix(t.Text, t.Title)) {
		if line = inline(line); line != "" {
			b.WriteString("  * " + line + "\n")
		}
	}
}

// detailsOf returns the id of a thing, when and by whom it was added, and how it stands.
func detailsOf(t *query.Thing) []string {
	status := t.Status
	if t.SupersededBy != "" {
		status = "superseded by " + t.SupersededBy
	}
	if at := day(t.ClosedAt); status != "" && at != "" {
		status += " on " + at
	}
	var details []string
	for _, detail := range []string{t.ID, day(t.Time), t.By, status} {
		if detail != "" {
			details = append(details, inline(detail))
		}
	}
	return details
}

// nameOf returns the name of the project of a tree.
func nameOf(tree *fs.Tree) string {
	for _, t := range query.Things(tree, []string{kindProject}) {
		if t.ID == kindProject {
			return cmp.Or(t.Title, kindProject)
		}
	}
	return kindProject
}
