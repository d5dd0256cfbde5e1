package validate

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

var duplicateMessage = Rule{
	Name:     "duplicate-message",
	Severity: Warning,
	Summary:  "One message that stands in a conversation twice.",
	Help: `A conversation, or the window and the archive of a session together, hold a message
twice: the same id and the same content.

It comes from a merge: one branch moved a message to the archive while the other
still had it in its window, or both sides of a conflict were kept. Such a message is
counted and shown to the model twice.

Wrong:

    {"msg_id": "msg-001", "content": "Use RS256", …}       in recent_history.jsonl
    {"msg_id": "msg-001", "content": "Use RS256", …}       in archive.jsonl

Right: the line in one of them, once.

To mend it, run ` + "`forgemind validate --fix`" + `: in the files of a session it removes
lines that stand somewhere else byte for byte. Where the lines differ in another
member than the content, keep the one that says more. Messages of one id with
different content are duplicate-id.
`,
	record: func(d *document) {
		if !d.parsed() || d.form != formJSONL || d.kind != fs.DocMessage {
			return
		}
		if r := d.entry(); r.same {
			d.at(r.id, fmt.Sprintf("the message %s stands in line %d already", plain(d.str(r.id)), r.first), "remove one of them; validate --fix does where they are the same byte for byte")
		}
	},
	across: func(c *census) {
		c.twice(func(t *talk, s said, same bool) {
			if same {
				c.at(t.spot(s), "the message stands in the session's archive, too", "remove it here; validate --fix does where they are the same byte for byte")
			}
		})
	},
}

// twice finds the messages of windows whose id a message of the archive has: one with the same content that
// was said in the same second, or one with other content that was said at the same time. It says whether the
// content is the same. A message that stands in the window itself twice is found once.
func (c *census) twice(found func(t *talk, s said, same bool)) {
	for _, v := range c.conversations() {
		if v.window == nil || v.archive == nil {
			continue
		}
		type match struct {
			said
			in   bool // the archive has the id
			same bool // and the content
		}
		window := map[uint64]*match{}
		var order []*match
		for _, s := range v.window.said {
			if s.id != 0 && window[s.key] == nil {
				m := &match{said: s}
				window[s.key] = m
				order = append(order, m)
			}
		}
		for _, s := range v.archive.said {
			if m := window[s.key]; m != nil && (m.words == s.words || isSameTime(m.when, s.when)) {
				m.in, m.same = true, m.same || m.words == s.words
			}
		}
		order = slices.DeleteFunc(order, func(m *match) bool { return !m.in })
		for _, m := range order[:min(len(order), maxFaults)] {
			found(v.window, m.said, m.same)
		}
	}
}
