package transcript

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// A claudeQueue is what the user typed while the agent worked. It is the user's message
// once, wherever the client notes that it was delivered: in an attachment, in a record of
// its own, in the row that takes it from the queue into the running turn, or at the end of
// a tool's result. The first two bear its id; so a row waits whether one of them follows.
// What is taken from the queue unread is not delivered.
type claudeQueue struct {
	waiting []queued       // taken into the turn, by a row alone so far
	removed []queued       // taken from the queue for no known reason
	given   map[string]int // times that a text was delivered and no row said so yet, by its key
	told    map[string]int // times that it was delivered by a row or a result alone
}

// A queued is a text that was taken from the queue.
type queued struct {
	key, text string
	said      schema.Message // its id, time and session
	back      bool           // the user took it back
}

// mostQueued is how many texts are kept in mind that left the queue for no known reason.
const mostQueued = 100

// row takes in a row of the queue.
func (q *claudeQueue) row(l *claudeLine, said schema.Message, back bool) {
	text := str(l.Content)
	said.ID = schema.DerivedID("msg-", fmt.Appendf(nil, "%s\x00%s", l.Timestamp, text)) // in each copy of the conversation
	taken := queued{withoutPictures(text), text, said, back}
	switch {
	case taken.key == "":
	case l.Operation == "enqueue": // what was delivered before is another
		delete(q.given, taken.key)
		delete(q.told, taken.key)
	case l.Operation != "remove":
	case q.given[taken.key] > 0:
		q.given[taken.key]--
	case l.Reason == "absorbed_mid_turn":
		q.waiting = append(q.waiting, taken)
	case l.Reason == "": // versions before 2.1.246 do not say why
		q.removed = last(append(q.removed, taken), mostQueued)
	}
}

// delivers reports whether an attachment, or a record of its own, delivers text: no row or
// result did.
func (q *claudeQueue) delivers(text string, attached bool) bool {
	key := withoutPictures(text)
	q.removed, _ = without(q.removed, key)
	var waits bool
	if q.waiting, waits = without(q.waiting, key); waits {
		return true
	}
	if q.told[key] > 0 {
		q.told[key]--
		return false
	}
	if attached {
		q.given[key]++
	}
	return true
}

// due returns the texts that rows alone delivered before what is said now.
func (q *claudeQueue) due() []queued {
	texts := q.waiting
	q.waiting = nil
	for _, t := range texts {
		q.told[t.key]++
	}
	return texts
}

// ends returns the texts that are delivered at the end of a tool's result, in lines of
// their own.
func (q *claudeQueue) ends(result string) (texts []queued) {
	at := strings.LastIndex(result, "<system-reminder>")
	if len(q.removed) == 0 || at < 0 {
		return nil
	}
	reminder := result[at:] + "\n"
	var rest []queued
	for _, t := range q.removed {
		if strings.Contains(reminder, "\n"+t.text+"\n") {
			q.told[t.key]++
			texts = append(texts, t)
		} else {
			rest = append(rest, t)
		}
	}
	q.removed = rest
	return texts
}

// without returns list without the first text of that key, and whether there is one.
func without(list []queued, key string) (rest []queued, ok bool) {
	for i, t := range list {
		if t.key == key {
			return append(list[:i:i], list[i+1:]...), true
		}
	}
	return list, false
}

// last returns the end of a list, of n elements at most.
func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }
