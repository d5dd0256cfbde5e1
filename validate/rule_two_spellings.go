package validate

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
)

var twoSpellings = Rule{
	Name:     "two-spellings",
	Severity: Warning,
	Summary:  "One item that says two things under two spellings of one member.",
	Help: `Goals and decisions of a hot context have two shapes: goal or description, decision or
description, id or goal_id, id or decision_id. Either is read, and both may are in one
document. This item has both spellings of one member, and they differ.

Readers take the first of the two; what the other says is shown nowhere.

Wrong:

    { "goal": "Use RS256", "description": "Use HS256" }

Right:

    { "goal": "Use RS256" }

To mend it, keep what is true under one of the spellings and remove the other.
`,
	record: func(d *document) {
		if d.kind != fs.DocHotContext || !d.parsed() {
			return
		}
		d.spellings("active_goals", "goal", "description")
		d.spellings("active_goals", "id", "goal_id")
		d.spellings("key_decisions", "decision", "description")
		d.spellings("key_decisions", "id", "decision_id")
	},
}

// spellings reports the second of two members of an element if their values differ.
func (d *document) spellings(list, first, second string) {
	array := d.tape.Member(0, list)
	for e := d.first(array); e >= 0; e = d.next(e) {
		a, b := d.tape.Member(e, first), d.tape.Member(e, second)
		if x, y := d.text(a), d.text(b); len(x) > 0 && len(y) > 0 && !bytes.Equal(x, y) && d.str(a) != d.str(b) {
			d.at(b, fmt.Sprintf("%s is %s, but %s is %s", second, quoted(d.str(b)), first, quoted(d.str(a))),
				first+" is what is read: keep what is true there, and remove "+second)
		}
	}
}
