package validate

import (
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

var timeOrder = Rule{
	Name:     "time-order",
	Severity: Warning,
	Summary:  "Something ends before it begins.",
	Help: `Of two times of one record the later one stands before the earlier one:

- a pending action is due before it was created
- the State's timestamp is before its session_start
- a thread was resolved before it was opened

Usually a time was written in local time with a Z behind it, or only one of the two
was brought up to date. Durations, order and reminders come out wrong.

Wrong:

    "created": "2025-10-27T12:00:00Z", "due": "2025-10-27T09:00:00Z"

Right:

    "created": "2025-10-27T09:00:00Z", "due": "2025-10-27T12:00:00Z"

To mend it, correct the time that is wrong; times are RFC 3339, best in UTC.
`,
	record: func(d *document) {
		if !d.parsed() {
			return
		}
		switch d.kind {
		case fs.DocState, fs.DocSnapshot:
			d.inOrder(d.tape.Member(0, "metadata"), "session_start", "timestamp")
			actions := d.tape.Member(0, "pending_actions")
			for a := d.first(actions); a >= 0; a = d.next(a) {
				d.inOrder(a, "created", "due")
			}
		case fs.DocHotContext:
			actions := d.tape.Member(0, "pending_actions")
			for a := d.first(actions); a >= 0; a = d.next(a) {
				d.inOrder(a, "created", "due")
			}
		case fs.DocThread:
			d.inOrder(0, "opened", "resolved")
		}
	},
}

// inOrder reports the later of two members if its time is before the other's.
// What is no time is against the schema and no business of this rule.
func (d *document) inOrder(object int, before, after string) {
	a, b := d.member(object, before), d.member(object, after)
	x, y := d.text(a), d.text(b)
	if x == nil || y == nil || len(x) == len(y) && plainUTC(x) && plainUTC(y) && string(x) <= string(y) {
		return
	}
	from, err := schema.ParseTime(d.str(a))
	to, err2 := schema.ParseTime(d.str(b))
	if err != nil || err2 != nil || !to.Before(from) {
		return
	}
	d.at(b, fmt.Sprintf("%s (%s) is before %s (%s)", after, to.Format(time.RFC3339), before, from.Format(time.RFC3339)),
		"correct the time that is wrong")
}

// plainUTC says whether s has the form 2025-10-27T09:00:00Z or
// 2025-10-27T09:00:00.000Z. Those of one length sort as text.
func plainUTC(s []byte) bool {
	return (len(s) == 20 || len(s) == 24 && s[19] == '.') && s[10] == 'T' && s[len(s)-1] == 'Z'
}
