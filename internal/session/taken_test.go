package session_test

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// What a user took back does not stand, in parts or as a whole, until the user goes back
// to it; the latest note prevails, whatever its time. What nobody knows is not noted.
func TestWhatWasTakenBack(t *testing.T) {
	var conversation []byte
	add := func(m schema.Message) {
		line, err := session.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		conversation = append(append(conversation, line...), '\n')
	}
	said := func(id, at string) schema.Message {
		return schema.Message{ID: id, Timestamp: at, Role: "user", Agent: "user", Kind: "message", Content: "Words."}
	}
	for _, id := range []string{"m1", "m2"} {
		add(said(id, "2026-03-02T09:00:00.000Z"))
	}
	part := said("m3-part", "2026-03-02T09:00:00.000Z")
	part.Metadata = []byte(`{"part":1,"parts":2,"of":"m3"}`)
	add(part)
	elsewhere := func(id string) bool { return id == "m3" || id == "m9" }
	note := func(w session.Rewind, now, want string) {
		t.Helper()
		m, ok := w.Note(conversation, elsewhere, now)
		if m.Content != want || ok != (want != "") {
			t.Errorf("noted %q", m.Content)
		}
		if ok {
			add(m)
		}
	}
	stand := func(want ...string) {
		t.Helper()
		messages := session.Messages(session.Read(conversation))
		session.InOrder(messages)
		var ids []string
		for _, m := range session.Standing(messages) {
			if m.Agent == "user" {
				ids = append(ids, m.ID)
			}
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%v stand, not %v", ids, want)
		}
	}
	note(session.Rewind{Back: []string{"unknown"}}, "2026-03-02T10:00:00.000Z", "")
	note(session.Rewind{Back: []string{"m2", "m3", "unknown"}}, "2026-03-02T12:00:00.000Z", "The user took back 2 messages, m2 to m3: no longer to be relied on.")
	stand("m1")
	note(session.Rewind{Back: []string{"m2", "m3"}}, "2026-03-02T12:00:00.000Z", "")
	note(session.Rewind{Whole: true, Told: []schema.Message{said("m2", "")}}, "2026-03-02T11:00:00.000Z", "") // it does not know the newest
	note(session.Rewind{Told: []schema.Message{said("m1", ""), said("m2", ""), said("m3", "")}}, "2026-03-02T11:00:00.000Z", "The user went back to 2 messages, m2 to m3, which had been taken back.")
	stand("m1", "m2", "m3-part")
	note(session.Rewind{Back: []string{"m2"}, Told: []schema.Message{said("m1", ""), said("new", "2026-03-02T08:00:00.000Z")}}, "", "The user took back message m2: no longer to be relied on.")
	stand("m1", "m3-part")
	if last := session.Messages(session.Read(conversation)); last[len(last)-1].Timestamp != "2026-03-02T08:00:00.000Z" {
		t.Errorf("the note has the time %s, not that of what is new", last[len(last)-1].Timestamp)
	}
}
