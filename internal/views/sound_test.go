package views_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/views"
)

// What is against the schema in the lists of a view, and what cannot be decoded elsewhere, is left out for readers. Records
// are read from a view and shown in it where it is an object, and in the State where nothing but a list is wrong.
func TestSound(t *testing.T) {
	for _, c := range []struct {
		name, src       string
		state, readable bool
		want, why       string
	}{
		{"whole", `{"active_goals": [{"goal": "Dig"}]}`, false, true, `{"active_goals": [{"goal": "Dig"}]}`, ""},
		{"no JSON", `hello`, false, false, "", "expected a value"},
		{"cut off", `{"active_goals": [`, false, false, "", "end of the text"},
		{"a list", `[]`, false, false, "", "it is an array where an object should be"},
		{"a member twice", `{"notes": [], "notes": ["Dig"]}`, false, false, "", `"notes" stands in it twice`},
		{"a list that is none", `{"active_goals": 7, "notes": ["Dig"]}`, false, true, `{"notes": ["Dig"]}`, "active_goals is a number where a list should be"},
		{"null", `{"active_goals": null, "notes": ["Dig"]}`, false, true, `{"active_goals": null, "notes": ["Dig"]}`, ""},
		{"no item", `{"active_goals": [7, {"goal": "Dig"}, "x"]}`, false, true, `{"active_goals": [{"goal": "Dig"}]}`, "active_goals/0 is no goal, and 1 more"},
		{"an item without its text", `{"open_questions": [{"id": "Q-1"}, {"question": "Why?"}]}`, false, true, `{"open_questions": [{"question": "Why?"}]}`, "open_questions/0 has no text that is one"},
		{"an item that says its text twice", `{"notes": [{"note": "a", "note": "b"}]}`, false, true, `{"notes": []}`, `notes/0 says "note" twice`},
		{"an id that is none", `{"notes": [{"note": "a", "id": 7}]}`, false, true, `{"notes": []}`, `notes/0 has an id that is none`},
		{"members of other types", `{"active_goals": [{"goal": "Dig", "priority": 7, "status": []}]}`, false, true, `{"active_goals": [{"goal": "Dig"}]}`, "active_goals/0/priority is against the schema, and 1 more"},
		{"a number that no program can hold", `{"notes": [{"note": "Dig", "a/b": 1e999, "agent": 7}]}`, false, true, `{"notes": [{"note": "Dig"}]}`, "notes/0/a~1b is against the schema, and 1 more"},
		{"the other spelling", `{"active_goals": [{"goal_id": "g-1", "description": "Dig", "created": "now"}]}`, false, true, `{"active_goals": [{"goal_id": "g-1", "description": "Dig"}]}`, "active_goals/0/created is against the schema"},
		{"what is no time", `{"pending_actions": [{"action": "Dig", "due": "2026-03-20"}]}`, false, true, `{"pending_actions": [{"action": "Dig"}]}`, "pending_actions/0/due is against the schema"},
		{"decisions", `{"key_decisions": [{}, {"decision": "Dig"}, 7]}`, false, true, `{"key_decisions": [{"decision": "Dig"}]}`, "key_decisions/0 is against the schema, and 1 more"},
		{"elsewhere", `{"key_entities": 7, "notes": ["Dig"]}`, false, true, `{"notes": ["Dig"]}`, "key_entities is against the schema"},
		{"a State", `{"project": {"name": "x"}, "open_questions": [7]}`, true, true, `{"project": {"name": "x"}, "open_questions": []}`, "open_questions/0 is no question"},
		{"a State with other decisions", `{"project": {"name": "x"}, "recent_decisions": 7}`, true, true, `{"project": {"name": "x"}}`, "recent_decisions is a number where a list should be"},
		{"a State of another project", `{"project": {"name": "x", "clarity": "much"}}`, true, false, `{"project": {"name": "x"}}`, "project/clarity is against the schema"},
		{"a State that says a member of its project twice", `{"project": {"name": "x", "name": "y"}}`, true, false, "", "project/name is against the schema"},
		{"very many", `{"notes": ["Dig"` + strings.Repeat(`, 7`, 500) + `], "key_entities": {}}`, false, true, `{"notes": ["Dig"], "key_entities": {}}`, "notes/1 is no note, and 499 more"},
		{"very many members", `{"active_goals": [{"goal": "Dig"}` + strings.Repeat(`, {"goal": "Sow", "priority": 7}`, 500) + `]}`, false, true, `{"active_goals": [{"goal": "Dig"}]}`, "active_goals/1/priority is against the schema, and 499 more"},
	} {
		name := hot
		if c.state {
			name = fs.State
		}
		got, why := views.Sound(name, []byte(c.src))
		if string(got) != c.want || !says(why, c.why) {
			t.Errorf("%s: %.300s: %v", c.name, got, why)
		}
		if views.Readable(name, []byte(c.src)) != c.readable {
			t.Errorf("%s: readable %v", c.name, !c.readable)
		}
	}
}

func says(err error, text string) bool {
	return err == nil && text == "" || err != nil && text != "" && strings.Contains(err.Error(), text)
}

// A member that is against the schema is neither read back nor written over; once it is right, it is.
func TestAWrongMemberIsLeft(t *testing.T) {
	facts, faults := views.Read(files{
		".quaid/config.json":                   `{"format": 2}`,
		".quaid/goals/goal-0h5k2m.json":        `{"id": "goal-0h5k2m", "goal": "Dig", "priority": "low", "created": "2026-01-01T10:00:00Z"}`,
		".quaid/goals/goal-1h5k2m.json":        `{"id": "goal-1h5k2m", "goal": "Sow", "created": "2026-01-02T10:00:00Z"}`,
		".quaid/goals/goal-1h5k2m.done-a.json": `{"of": "goal-1h5k2m", "at": "2026-01-03T10:00:00Z", "set": {"status": "complete"}}`,
	})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	const stood = `{"id": "goal-0h5k2m", "goal": "Dig", "priority": "low", "created": "2026-01-01T10:00:00Z"}`
	const wrong = `{"id": "goal-0h5k2m", "goal": "Dig deep", "priority": 7, "created": "2026-01-01T10:00:00Z"}`
	for _, c := range []struct{ name, before, after, edits, rendered string }{
		{"wrong", stood, wrong, `goal-0h5k2m goal="Dig deep"`, `{"id": "goal-0h5k2m", "goal": "Dig", "priority": 7, "created": "2026-01-01T10:00:00Z"}`},
		{"still wrong", wrong, wrong, "", ""},
		{"mended", strings.Replace(wrong, "deep", "", 1), strings.Replace(stood, "low", "high", 1), `goal-0h5k2m priority="high"`, stood},
		{"without its text", stood, `{"id": "goal-0h5k2m", "priority": "high", "created": "2026-01-01T10:00:00Z"}`, `goal-0h5k2m priority="high"`, `{"id": "goal-0h5k2m", "priority": "low", "created": "2026-01-01T10:00:00Z", "goal": "Dig"}`},
		{"with another text that is none", stood, `{"id": "goal-0h5k2m", "goal": 7, "priority": "high", "created": "2026-01-01T10:00:00Z"}`, `goal-0h5k2m priority="high"`, `{"id": "goal-0h5k2m", "goal": 7, "priority": "low", "created": "2026-01-01T10:00:00Z"}`},
		{"its text again", `{"id": "goal-0h5k2m", "goal": 7, "priority": "low"}`, stood, "", stood},
		{"stale beside a mended text", `{"id": "goal-0h5k2m", "goal": "a", "goal": "b", "priority": "medium"}`, `{"id": "goal-0h5k2m", "goal": "b", "priority": "medium"}`, `goal-0h5k2m goal="b"`, ""},
		{"doubled beside an edit", stood, `{"id": "goal-0h5k2m", "goal": "a", "goal": "b", "priority": "high", "created": "2026-01-01T10:00:00Z"}`, `goal-0h5k2m priority="high"`, `{"id": "goal-0h5k2m", "goal": "a", "goal": "b", "priority": "low", "created": "2026-01-01T10:00:00Z"}`},
		{"a blank text", stood, `{"id": "goal-0h5k2m", "goal": " ", "priority": "high", "created": "2026-01-01T10:00:00Z"}`, `goal-0h5k2m priority="high"`, `{"id": "goal-0h5k2m", "goal": " ", "priority": "low", "created": "2026-01-01T10:00:00Z"}`},
		{"what was shown in the place of an item, beside that", stood, strings.Replace(stood, "Dig", "Dig deep", 1) + ", " + stood, `goal-0h5k2m goal="Dig deep"`, stood},
		{"one that is closed, with a wrong member", `{"id": "goal-1h5k2m", "goal": 7, "status": "pending"}`, `{"id": "goal-1h5k2m", "goal": 7, "status": "pending"}, ` + stood, "", stood},
		{"a new one", stood, stood + `, {"goal": "Sow", "priority": 7, "agent": "ann"}`, `new {"id":"goal-gmeryq6tbb75","goal":"Sow","agent":"ann"}`, ""},
		{"a new one without a text", stood, stood + `, {"id": "goal-9h5k2m", "priority": "low"}`, "", ""},
		{"an id that is none", stood, `{"id": 7, "goal": "Dig", "priority": "high"}`, "goal-0h5k2m closed", `{"id": 7, "goal": "Dig", "priority": "high"}`},
		{"a wrong member taken out", wrong, `{"id": "goal-0h5k2m", "goal": "Dig deep", "created": "2026-01-01T10:00:00Z"}`, "", `{"id": "goal-0h5k2m", "goal": "Dig", "created": "2026-01-01T10:00:00Z", "priority": "low"}`},
		{"one that is wrong taken off", stood + `, {"id": "goal-9h5k2m", "goal": "a", "goal": "b"}`, stood, "", stood},
		{"a new one, once it is right", stood + `, {"id": "goal-9h5k2m", "goal": "a", "goal": "b"}`, stood + `, {"id": "goal-9h5k2m", "goal": "a"}`, `new {"id":"goal-9h5k2m","goal":"a"}`, ""},
		{"no list", stood, `7`, "", `7`},
	} {
		text := func(items string) []byte {
			if items == "7" {
				return []byte(`{"active_goals": 7}`)
			}
			return []byte(`{"active_goals": [` + items + `]}`)
		}
		var edits []string
		for _, e := range views.Compare([]views.Document{{Name: hot, Before: text(c.before), After: text(c.after)}}, facts) {
			if e.New != nil {
				edits = append(edits, fmt.Sprintf("new %s", e.New))
				continue
			}
			for name, value := range e.Set {
				raw, err := jsonedit.Value(value)
				edits = append(edits, fmt.Sprintf("%s %s=%s%v", e.ID, name, raw, map[bool]string{true: "", false: "!"}[err == nil]))
			}
			if e.Closed {
				edits = append(edits, e.ID+" closed")
			}
		}
		if got := strings.Join(edits, "; "); got != c.edits {
			t.Errorf("%s: edits %s", c.name, got)
		}
		if c.rendered == "" {
			continue
		}
		got, err := views.Render(hot, text(c.after), text(c.before), facts)
		if err != nil || string(got) != string(text(c.rendered)) {
			t.Errorf("%s: rendered %s, %v", c.name, got, err)
		}
	}
}

// A member that was removed by a command leaves a view, unless somebody wrote what is against the schema there.
func TestAWrongMemberIsNotTakenOut(t *testing.T) {
	facts, _ := views.Read(files{
		".quaid/config.json":                         `{"format": 2}`,
		".quaid/goals/goal-0h5k2m.json":              `{"id": "goal-0h5k2m", "goal": "Dig", "priority": "low"}`,
		".quaid/goals/goal-0h5k2m.updated-0001.json": `{"of": "goal-0h5k2m", "at": "2026-01-03T10:00:00Z", "set": {"priority": null}}`,
	})
	for said, want := range map[string]string{
		`{"id": "goal-0h5k2m", "goal": "Dig", "priority": "low"}`: `{"id": "goal-0h5k2m", "goal": "Dig"}`,
		`{"id": "goal-0h5k2m", "goal": "Dig", "priority": 7}`:     `{"id": "goal-0h5k2m", "goal": "Dig", "priority": 7}`,
	} {
		got, err := views.Render(hot, []byte(`{"active_goals": [`+said+`]}`), nil, facts)
		if err != nil || string(got) != `{"active_goals": [`+want+`]}` {
			t.Errorf("%s: %s, %v", said, got, err)
		}
	}
}
