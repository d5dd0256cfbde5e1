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
- a session's last activity is before it started
- a thread was resolved before it was opened
- a question was answered before it was asked
- a dropped chunk is kept until before it was dropped
- a message of a conversation is older than one that stands before it, summaries aside
  (one finding stands for the whole document; the files of a session, a thread or a
  channel may hold their messages in any order, as a merge leaves them)

Usually a time was written in local time with a Z behind it, or only one of the two
was brought up to date. Durations, order and reminders come out wrong; conversations
are read in the order of time, so that such messages move. Times without a zone are not
compared.

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
		case fs.DocSessionMeta:
			d.inOrder(0, "started", "last_activity")
		case fs.DocThread:
			d.inOrder(0, "opened", "resolved")
		case fs.DocClarification:
			d.inOrder(0, "asked_at", "answered_at")
		case fs.DocChunk:
			d.inOrder(0, "timestamp", "recoverable_until")
		case fs.DocMessage:
			d.said()
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
	if !schema.IsRFC3339(string(x)) || !schema.IsRFC3339(string(y)) {
		return // one without a zone may be hours off
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

// said reports the first message that is older than the one before it. What slid
// out of a session's window stands in the order in which it left, what a merge
// brought behind the rest, and a summary where what it sums up stood.
func (d *document) said() {
	if d.late || isTalk(d.name) || isDiscussion(d.name) {
		return
	}
	at := d.saidAt()
	now := d.text(at)
	if now == nil || !schema.IsRFC3339(string(now)) || string(d.text(d.tape.Member(0, "kind"))) == "summary" {
		return
	}
	if !(len(now) == len(d.latest) && plainUTC(now) && plainUTC(d.latest) && string(d.latest) <= string(now)) {
		this, err := schema.ParseTime(d.str(at))
		before, err2 := schema.ParseTime(string(d.latest))
		if err != nil {
			return
		}
		if err2 == nil && this.Before(before) {
			d.late = true
			d.at(at, fmt.Sprintf("the message (%s) is older than one before it (%s)", this.Format(time.RFC3339), before.Format(time.RFC3339)),
				"conversations are read in the order of time; correct the time if it is wrong")
			return
		}
	}
	d.latest = append(d.latest[:0], now...)
}
