package transcript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// What the user types while the agent works stands in a queue. It is the user's message
// once, wherever the client notes that it was delivered: where the running turn takes it
// from the queue, in an attachment there, at the end of a tool's result, or in a record
// of its own. What is taken from the queue unread is not delivered.

// absorbed reports whether a line of the queue delivers its text to the running turn.
func (t *claudeTalk) absorbed(l *claudeLine, text string) bool {
	if l.Operation != "remove" || text == "" {
		return false
	}
	if l.Reason == "" { // versions before 2.1.246 do not say why
		t.removed = append(t.removed, text)
		return false
	}
	if l.Reason != "absorbed_mid_turn" {
		return false
	}
	t.queued[text]--
	return t.queued[text] < 0
}

// attached reports whether the text of an attachment was delivered already.
func (t *claudeTalk) attached(text string) bool {
	t.forget(text)
	t.queued[text]++
	return t.queued[text] <= 0
}

// again reports whether the text of a record of its own was delivered already.
func (t *claudeTalk) again(text string) bool {
	t.forget(text)
	if t.queued[text] >= 0 {
		return false
	}
	t.queued[text]++
	return true
}

// handed returns the texts of the queue that are delivered at the end of a tool's result.
func (t *claudeTalk) handed(result string) (texts []string) {
	if len(t.removed) == 0 {
		return nil
	}
	at := strings.LastIndex(result, "<system-reminder>")
	for _, text := range slices.Clone(t.removed) {
		if at >= 0 && strings.Contains(result[at:], text) {
			t.forget(text)
			t.queued[text]--
			texts = append(texts, text)
		}
	}
	return texts
}

// forget takes a text out of those that left the queue for no known reason.
func (t *claudeTalk) forget(text string) {
	if i := slices.Index(t.removed, text); i >= 0 {
		t.removed = slices.Delete(t.removed, i, i+1)
	}
}

// queuedID is the id of a line of the queue, the same in each copy of the conversation.
func queuedID(l *claudeLine, text string) string {
	return schema.DerivedID("", fmt.Appendf(nil, "%s\x00%s", l.Timestamp, text))
}
