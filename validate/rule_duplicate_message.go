package validate

import (
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
)

var duplicateMessage = Rule{
	Name:     "duplicate-message",
	Severity: Warning,
	Summary:  "One message that is in a conversation twice.",
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
			d.at(r.id, fmt.Sprintf("the message %s is in line %d already", plain(d.str(r.id)), r.first), "remove one of them; validate --fix does where they are the same byte for byte")
		}
	},
	across: func(c *treeFacts) {
		c.twice(func(t *talk, s said, same bool) {
			if same {
				c.at(t.spot(s), "the message is in the session's archive, too", "remove it here; validate --fix does where they are the same byte for byte")
			}
		})
	},
}

// twice calls found for each message of a window whose id a message of the archive has,
// and reports whether the content is the same. A message that is twice in the window is
// found once.
func (c *treeFacts) twice(found func(t *talk, s said, same bool)) {
	for _, v := range c.conversations() {
		if v.window == nil || v.archive == nil {
			continue
		}
		type match struct {
			said
			in   bool // the archive has the id
			same bool // the content is the same too
		}
		window := map[uint64]*match{}
		var order []*match
		for _, s := range v.window.said {
			if s.id != 0 && window[s.id] == nil {
				m := &match{said: s}
				window[s.id] = m
				order = append(order, m)
			}
		}
		for _, s := range v.archive.said {
			if m := window[s.id]; m != nil {
				m.in, m.same = true, m.same || m.words == s.words
			}
		}
		order = slices.DeleteFunc(order, func(m *match) bool { return !m.in })
		for _, m := range order[:min(len(order), maxFaults)] {
			found(v.window, m.said, m.same)
		}
	}
}
