package session_test

import (
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

func TestNewSessionIsValid(t *testing.T) {
	documents, err := session.New("conv-2026-11-20-000000", time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	for name, src := range documents {
		if fs.Place(name) == fs.NoDoc {
			t.Errorf("%s: no document stands there", name)
		}
		for _, f := range validate.Bytes(name, src, validate.Options{}) {
			t.Errorf("%s:%d:%d: %s [%s]\n%s", name, f.Line, f.Column, f.Message, f.Rule, src)
		}
	}
	if got := string(documents[fs.ActiveSession]); got != "conv-2026-11-20-000000\n" {
		t.Errorf("the active session is %q", got)
	}
}

func TestNewSessionNeedsAnID(t *testing.T) {
	for _, id := range []string{"", "../x", "a/b", "a b"} {
		if documents, err := session.New(id, time.Now()); err == nil {
			t.Errorf("%q: got %d documents", id, len(documents))
		}
	}
}

// A session that continues another goes on with what is open there, byte for
// byte, and counts on.
func TestASessionContinues(t *testing.T) {
	const carried = `{
  "version": 41,
  "conversation_id": "conv-1",
  "session_started": "2025-11-09T04:30:00Z",
  "active_goals": [
    {"goal_id": "goal-1", "description": "JWT", "status": "in-progress", "by_hand": true},
    {"id": "goal-2", "goal": "Tokens", "status": "complete"},
    {"id": "goal-3", "goal": "Tests"}
  ],
  "current_file_context": {"files": ["auth/jwt.py"], "last_edited": "auth/jwt.py"},
  "pending_actions": ["Test token refresh flow"],
  "key_decisions": [
    {"id": "DEC-1", "decision": "HS256", "superseded_by": "DEC-2"},
    {"id": "DEC-2", "decision": "RS256", "superseded_by": null},
    {"id": "DEC-3", "decision": "1 h"},
    {"id": "DEC-4", "decision": "2 h", "supersedes": "DEC-3"},
    {"decision": "by hand"}
  ],
  "important_constraints": ["Must support refresh tokens"],
  "open_questions": [{"id": "Q-1", "question": "Which?"}],
  "notes": ["n"],
  "key_entities": {"people": ["@john"]},
  "other": 1
}
`
	want := strings.NewReplacer(
		"41", "42", `"conv-1"`, `"conv-2"`, "2025-11-09T04:30:00Z", "2025-11-10T09:00:00.000Z",
		`
    {"id": "goal-2", "goal": "Tokens", "status": "complete"},`, "",
		`
    {"id": "DEC-1", "decision": "HS256", "superseded_by": "DEC-2"},`, "",
		`
    {"id": "DEC-3", "decision": "1 h"},`, "",
	).Replace(carried)
	documents, err := session.NewDocuments("conv-2", "Tokens", time.Date(2025, 11, 10, 9, 0, 0, 0, time.UTC), "conv-1", []byte(carried))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(documents[session.HotContext("conv-2")]); got != want {
		t.Errorf("the hot context is\n%s", got)
	}
	var m schema.SessionMetadata
	if err := jsonedit.Decode(documents[session.MetadataFile("conv-2")], &m); err != nil || m.Continues != "conv-1" || m.Title != "Tokens" || m.Status != session.Open {
		t.Errorf("%v: %+v", err, m)
	}
	if len(documents) != 2 {
		t.Errorf("it has %d documents", len(documents))
	}
	for name, src := range documents {
		for _, f := range validate.Bytes(name, src, validate.Options{}) {
			t.Errorf("%s: %s [%s]", name, f.Message, f.Rule)
		}
	}
}

func TestWhatCannotBeCarriedOver(t *testing.T) {
	for _, carried := range []string{"", "{", `{"active_goals": 1}`, `{"version":1,"version":2}`} {
		if documents, err := session.NewDocuments("conv-2", "", time.Now(), "conv-1", []byte(carried)); err == nil {
			t.Errorf("%q gave %d documents", carried, len(documents))
		} else if !strings.Contains(err.Error(), "conv-1/hot_context.json") {
			t.Errorf("%q: the error does not name the file: %v", carried, err)
		}
	}
	documents, err := session.NewDocuments("conv-2", "", time.Now(), "conv-1", []byte(`{}`))
	if err != nil || !strings.Contains(string(documents[session.HotContext("conv-2")]), `"version": 1`) {
		t.Errorf("%v, %s", err, documents[session.HotContext("conv-2")])
	}
}
