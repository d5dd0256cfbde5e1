package validate

import "fmt"

// maxWindow is the maximum number of messages in the window of a session (Quaid
// document).
const maxWindow = 20

var windowSize = Rule{
	Name:     "window-size",
	Severity: Warning,
	Summary:  "A session's window of more than 20 messages.",
	Help: `recent_history.jsonl is the window of a session: its last 20 messages, of which those
that matter least leave first. It holds more.

That happens when another program or a merge adds lines. Nothing is lost: the next
message that forgemind adds moves what is too much to archive.jsonl.

Wrong: 25 messages in recent_history.jsonl.

Right: 20 there, and 5 in archive.jsonl.

To mend it, do nothing, or move the oldest lines to archive.jsonl by hand.
`,
	across: func(c *treeFacts) {
		for _, v := range c.conversations() {
			if v.window == nil || v.window.unsure {
				continue
			}
			var messages []said
			for _, s := range v.window.said {
				if !s.summary {
					messages = append(messages, s)
				}
			}
			if n := len(messages); n > maxWindow {
				c.at(v.window.spot(messages[maxWindow]), fmt.Sprintf("the window holds %s messages, more than %d", grouped(float64(n)), maxWindow),
					"the next message moves what is too much to the archive")
			}
		}
	},
}
