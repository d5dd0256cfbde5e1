package session

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Rewind lists the messages that a transcript has as taken back by the user, and those
// that stand.
type Rewind struct {
	Back  []string         // ids of those that no longer hold
	Told  []schema.Message // what holds, and is told now
	Whole bool             // Told is all of the transcript
}

// A retraction is the metadata of a message that notes a Rewind.
type retraction struct {
	Back  []string `json:"taken_back,omitempty"`
	Again []string `json:"stand_again,omitempty"` // they were taken back, and hold again
	Nth   int      `json:"rewind"`                // of the conversation's notes, from 1: a later one prevails
}

// Note returns the message that notes a Rewind, and false where there is nothing to note.
// conversation holds the messages that were told before, and what was noted of them;
// elsewhere reports whether a message is known that it does not hold. The time of the note
// is that of the first message that is new, or now.
func (w Rewind) Note(conversation []byte, elsewhere func(id string) bool, now string) (m schema.Message, ok bool) {
	notes := notesIn(conversation)
	gone := takenBack(notes)
	back := slices.DeleteFunc(slices.Clone(w.Back), func(id string) bool { return gone[id] })
	var again []string
	for _, m := range w.Told {
		if gone[m.ID] {
			again = append(again, m.ID)
		}
	}
	if len(back)+len(again) == 0 {
		return m, false
	}
	here, newest := map[string]bool{}, -1 // of the conversation that the transcript is of
	messages := Messages(Read(conversation))
	for i, m := range messages {
		if here[m.ID] = true; !mayNote(m.Metadata) && (len(w.Told) == 0 || m.Session == w.Told[0].Session) {
			newest = i
		}
	}
	fresh := slices.IndexFunc(w.Told, func(m schema.Message) bool { return !here[m.ID] })
	switch {
	case fresh >= 0:
		now = cmp.Or(w.Told[fresh].Timestamp, now)
	case w.Whole && newest >= 0 && !w.names().Has(messages[newest]):
		return m, false // it is an older copy
	}
	if back = slices.DeleteFunc(back, func(id string) bool { return !here[id] && !elsewhere(id) }); len(back)+len(again) == 0 {
		return m, false
	}
	metadata, err := jsonedit.Value(retraction{back, again, len(notes) + 1})
	if err != nil {
		return m, false
	}
	var said []string
	if len(back) > 0 {
		said = append(said, "The user took back "+named(back)+": no longer to be relied on.")
	}
	if len(again) > 0 {
		said = append(said, "The user went back to "+named(again)+", which had been taken back.")
	}
	return schema.Message{
		ID: schema.DerivedID("msg-", metadata), Timestamp: now, Agent: "forgemind", Role: "system", Kind: "message", Content: strings.Join(said, " "), Metadata: metadata,
	}, true
}

// names returns the ids of all that the transcript holds.
func (w Rewind) names() IDs {
	all := IDs{}
	for _, id := range w.Back {
		all[id] = true
	}
	for _, m := range w.Told {
		all[m.ID] = true
	}
	return all
}

func named(ids []string) string {
	if len(ids) == 1 {
		return "message " + ids[0]
	}
	return fmt.Sprintf("%d messages, %s to %s", len(ids), ids[0], ids[len(ids)-1])
}

// Standing returns messages without those that the user took back, as they note it.
func Standing(messages []schema.Message) []schema.Message {
	gone := takenBack(messages)
	if len(gone) == 0 {
		return messages
	}
	var stand []schema.Message
	for _, m := range messages {
		if !gone.Has(m) {
			stand = append(stand, m)
		}
	}
	return stand
}

// IDs are the ids of messages, as of those that the user took back.
type IDs map[string]bool

// Has reports whether m is among them, or the message that it is a part of.
func (g IDs) Has(m schema.Message) bool {
	var l link
	if len(g) > 0 && len(m.Metadata) > 0 {
		_ = jsonedit.Decode(m.Metadata, &l) // else it is no part of another
	}
	return g[m.ID] || g[l.Of]
}

// TakenBack returns what the user took back, as conversation notes it.
func TakenBack(conversation []byte) IDs { return takenBack(notesIn(conversation)) }

func takenBack(messages []schema.Message) IDs {
	var all []retraction
	for _, m := range messages {
		var r retraction
		if mayNote(m.Metadata) && jsonedit.Decode(m.Metadata, &r) == nil {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b retraction) int { return a.Nth - b.Nth })
	gone := IDs{}
	for _, r := range all {
		for _, id := range r.Back {
			gone[id] = true
		}
		for _, id := range r.Again {
			delete(gone, id)
		}
	}
	return gone
}

// notesIn returns the messages of a conversation that note what was taken back.
func notesIn(conversation []byte) (found []schema.Message) {
	if !mayNote(conversation) {
		return nil
	}
	for raw := range bytes.Lines(conversation) {
		if mayNote(raw) {
			found = append(found, Messages(Read(raw))...)
		}
	}
	return found
}

// mayNote reports whether text may note what was taken back.
func mayNote(text []byte) bool {
	return bytes.Contains(text, []byte(`"taken_back"`)) || bytes.Contains(text, []byte(`"stand_again"`))
}
