package validate

import (
	"fmt"
	"strings"
	"testing"
)

const (
	hotOurs = `  "version": 5,
  "active_goals": [
    {"id": "goal-1", "goal": "a"},
    {"id": "goal-2", "goal": "ours"}
  ],
  "notes": ["remember"],
  "current_file_context": {"files": ["a.go", "b.go"], "last_edited": "b.go", "agent": "alice", "updated": "2025-11-09T05:00:00Z"},
  "key_entities": {"files": ["a.go"]},
`
	hotTheirs = `  "version": 4,
  "active_goals": [
    {"id": "goal-1",  "goal": "\u0061"},
    {"goal_id": "goal-3", "description": "theirs"}
  ],
  "notes": ["remember", {"id": "note-1", "note": "theirs"}],
  "open_questions": [],
  "current_file_context": {"files": ["a.go", "c.go"], "last_edited": "c.go", "agent": "bob", "updated": "2025-11-09 05:30:00"},
  "key_entities": {"files": ["z.go", "a.go"], "people": ["@bob"]},
`
	hotRest = `  "pending_actions": [],
  "key_decisions": [],
  "important_constraints": []
`
)

// between is a hot context of which a merge left both sides.
func between(ours, theirs string) string {
	return fmt.Sprintf("{\n<<<<<<< HEAD\n%s=======\n%s>>>>>>> bob\n%s}\n", ours, theirs, hotRest)
}

// TestJoinAHotContext: the items of both, ours first, each once; what was edited
// last by its time; one version more than either.
func TestJoinAHotContext(t *testing.T) {
	after, did := Fix(hot, []byte(between(hotOurs, hotTheirs)))
	if want := `{
  "version": 6,
  "active_goals": [
    {"id": "goal-1", "goal": "a"},
    {"id": "goal-2", "goal": "ours"},
    {"goal_id": "goal-3", "description": "theirs"}
  ],
  "notes": ["remember", {"id": "note-1", "note": "theirs"}],
  "current_file_context": {"files": ["a.go", "b.go", "c.go"], "last_edited": "c.go", "agent": "bob", "updated": "2025-11-09 05:30:00"},
  "key_entities": {"files": ["a.go", "z.go"], "people": ["@bob"]},
  "pending_actions": [],
  "key_decisions": [],
  "important_constraints": [],
  "open_questions": []
}
`; string(after) != want {
		t.Errorf("got\n%s\nwant\n%s", after, want)
	}
	expect(t, "did", did,
		hot+`:1:1: error: joined both sides of the conflict: the items of both, version 6 [conflict-marker]`)
	expect(t, "left", Bytes(hot, after, Options{}))

	again, _ := Fix(hot, []byte(between(hotTheirs, hotOurs)))
	for _, has := range []string{`"version": 6`, `"last_edited": "c.go"`, `["a.go", "c.go", "b.go"]`, `["z.go", "a.go"]`} {
		if !strings.Contains(string(again), has) {
			t.Errorf("the sides exchanged: no %s in\n%s", has, again)
		}
	}
}

// TestWhatOfAHotContextIsForPeople: what can't both be true stays as git left it.
func TestWhatOfAHotContextIsForPeople(t *testing.T) {
	for name, sides := range map[string][2]string{
		"one id, two contents":       {`"notes": [{"id": "n", "note": "a"}],`, `"notes": [{"id": "n", "note": "b"}],`},
		"one id, two lists":          {`"notes": [{"id": "n", "note": "a"}],`, `"active_goals": [{"id": "n", "goal": "a"}],`},
		"one id twice on one side":   {`"notes": [],`, `"notes": [{"id": "n", "note": "a"}, {"id": "n", "note": "b"}],`},
		"another session":            {`"conversation_id": "c-1",`, `"conversation_id": "c-2",`},
		"another beginning":          {`"session_started": "2025-11-09T05:00:00Z",`, `"session_started": "2025-11-09T05:30:00Z",`},
		"a member of one's own":      {`"mine": [1],`, `"mine": [2],`},
		"a version that is none":     {`"version": 1,`, `"version": "2",`},
		"the greatest version":       {`"version": 1,`, `"version": 9007199254740992,`},
		"two kinds of one list":      {`"notes": [],`, `"notes": {},`},
		"edited last, no time":       {`"current_file_context": {"last_edited": "a"},`, `"current_file_context": {"last_edited": "b"},`},
		"edited last at one time":    {`"current_file_context": {"last_edited": "a", "updated": "2025-11-09T05:00:00Z"},`, `"current_file_context": {"last_edited": "b", "updated": "2025-11-09T05:00:00Z"},`},
		"a function of an old file":  {`"current_file_context": {"last_edited": "a", "current_function": "f", "updated": "2025-11-09T05:00:00Z"},`, `"current_file_context": {"last_edited": "b", "updated": "2025-11-09T06:00:00Z"},`},
		"the same, the other way":    {`"current_file_context": {"last_edited": "b", "updated": "2025-11-09T06:00:00Z"},`, `"current_file_context": {"last_edited": "a", "current_function": "f", "updated": "2025-11-09T05:00:00Z"},`},
		"entities that are no texts": {`"key_entities": {"files": ["a"]},`, `"key_entities": {"files": [1]},`},
		"more than people write":     {`"notes": [],`, `"notes": [` + numbered(600) + `],`},
		"a side that is no JSON":     {`"notes": [],`, `"notes": [`},
	} {
		before := between("  "+sides[0]+"\n", "  "+sides[1]+"\n")
		after, did := Fix(hot, []byte(before))
		if string(after) != before || len(did) > 0 {
			t.Errorf("%s: %sbecame\n%s", name, text(did), after)
		}
		if found := Bytes(hot, after, Options{}); len(found) != 1 || found[0].Rule != "conflict-marker" {
			t.Errorf("%s: %s", name, text(found))
		}
	}
}

// numbered is the inside of a list of n texts.
func numbered(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"a%d"`, i)
	}
	return strings.Join(list, ", ")
}
