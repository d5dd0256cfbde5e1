package session_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// class is one in the shape of the document's class.
const class = `{
  "version": 3,
  "active_goals": [
    {"goal_id": "goal-000", "description": "Implement JWT", "status": "pending", "priority": "medium", "parent_goal_id": null},
    {"goal_id": "goal-001", "description": "Test JWT", "status": "pending", "priority": "medium", "parent_goal_id": "goal-000"},
    {"goal_id": "goal-002", "description": "Test the refresh", "status": "someday", "priority": "medium", "parent_goal_id": "goal-001"}
  ],
  "pending_actions": [
    {"id": "ACT-1", "action": "Rotate keys", "blocked_by": ["Q-1", "frost"]},
    {"id": "ACT-2", "action": "Tell them", "blocked_by": "ACT-1"}
  ],
  "key_decisions": [{"decision_id": "dec-000", "description": "Use RS256"}],
  "open_questions": [{"id": "Q-1", "question": "How often?", "blocking": ["ACT-1"]}],
  "important_constraints": [{"id": "con-1", "constraint": "No secrets"}],
  "notes": ["Ask Sarah", {"id": "note-1", "note": "Ask John", "agent": "user"}],
  "key_entities": {"files": ["a.py"], "a/b": []}
}
`

type hotEdit = func(*session.Hot) error

// edited is src after edit, which must not fail.
func edited(t *testing.T, src string, edit hotEdit) string {
	t.Helper()
	h, err := session.ReadHot([]byte(src))
	if err == nil {
		err = edit(h)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := h.Text()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func touch(path, function, agent, at string) hotEdit {
	return func(h *session.Hot) error { return h.Touch(path, function, agent, at) }
}

// Each edit changes what it is about, and the version; every other byte stays.
func TestHotEdits(t *testing.T) {
	for _, c := range []struct {
		what, src string
		edit      hotEdit
		change    []string // old, new, old, new, … of the text
	}{
		{"entities", class, func(h *session.Hot) error {
			return h.AddEntities(map[string][]string{"files": {"a.py", "b.py", "b.py", " "}, "a/b": {"c~d"}, "none": {}})
		},
			[]string{`["a.py"]`, `["a.py", "b.py"]`, `"a/b": []`, `"a/b": ["c~d"]`}},
		{"several edits are one change", class, func(h *session.Hot) error {
			return errors.Join(h.AddEntities(map[string][]string{"files": {"b.py"}}), h.AddEntities(map[string][]string{"files": {"c.py"}}))
		},
			[]string{`["a.py"]`, `["a.py", "b.py", "c.py"]`}},
		{"entities that are there", class, func(h *session.Hot) error { return h.AddEntities(map[string][]string{"files": {"a.py"}}) }, nil},
		{"actions that a message told of", class, func(h *session.Hot) error {
			return h.ShowDetected([]schema.Action{{ID: "ACT-3", Action: "Dig", Origin: schema.OriginDetected}, {ID: "ACT-4", Action: "Hoe", Origin: schema.OriginDetected}}, 1)
		},
			[]string{`"ACT-1"}
`, `"ACT-1"},
    {"id": "ACT-4", "action": "Hoe", "origin": "detected"}
`}},
	} {
		want := c.src
		for i := 0; i < len(c.change); i += 2 {
			if strings.Count(want, c.change[i]) != 1 {
				t.Fatalf("%s: %q stands %d times", c.what, c.change[i], strings.Count(want, c.change[i]))
			}
			want = strings.Replace(want, c.change[i], c.change[i+1], 1)
		}
		if c.change != nil {
			want = strings.NewReplacer(`"version": 7`, `"version": 8`, `"version": 3`, `"version": 4`).Replace(want)
		}
		if got := edited(t, c.src, c.edit); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, want)
		}
	}
}

// What an empty hot context lacks is made.
func TestHotBegins(t *testing.T) {
	got := edited(t, "{\n  \"key_entities\": null\n}\n", func(h *session.Hot) error {
		return errors.Join(touch("a.go", "Open", "x", "2026-03-02T09:00:00Z")(h), h.AddEntities(map[string][]string{"people": {"@jo"}}))
	})
	want := `{"key_entities": {"people": ["@jo"]},
"current_file_context": {"files": ["a.go"], "last_edited": "a.go", "current_function": "Open", "agent": "x", "updated": "2026-03-02T09:00:00Z"}, "version": 1}`
	if squeeze(got) != squeeze(want) {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(got, "\n  \"current_file_context\": {\n    \"files\": [") {
		t.Errorf("laid out otherwise:\n%s", got)
	}
}

// A touched file is the last edited one; files keeps the order of first touch,
// and twenty of them. The same touch again is no change, later or not.
func TestTouch(t *testing.T) {
	src := "{}"
	for i := range 25 {
		src = edited(t, src, touch(fmt.Sprintf("f%02d.go", i), "", "x", "2026-03-02T09:00:00Z"))
	}
	src = edited(t, src, touch("f07.go", "Close", "y", "2026-03-02T09:01:00Z"))
	if again := edited(t, src, touch("f07.go", "", "y", "2026-03-02T10:00:00Z")); again != src {
		t.Errorf("twice:\n%s", again)
	}
	h, err := session.ReadHot([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	now := h.Context().CurrentFileContext
	if len(now.Files) != 20 || now.Files[0] != "f05.go" || now.Files[19] != "f24.go" ||
		now.LastEdited != "f07.go" || now.CurrentFunction != "Close" || now.Agent != "y" || now.Updated != "2026-03-02T09:01:00Z" {
		t.Errorf("%+v", now)
	}
	if err := h.Touch("f08.go", "", "y", "2026-03-02T09:02:00Z"); err != nil || h.Context().CurrentFileContext.CurrentFunction != "" {
		t.Errorf("a function of another file: %v, %+v", err, h.Context().CurrentFileContext)
	}
}

// Ten names of a kind are kept, the newest; adding the same ones again changes
// nothing, though some of them pushed others out.
func TestAddEntities(t *testing.T) {
	add := func(names ...string) hotEdit {
		return func(h *session.Hot) error { return h.AddEntities(map[string][]string{"concepts": names}) }
	}
	all := strings.Fields("a b c d e f g h i j k l")
	for _, c := range []struct {
		before, add []string
		want        string
	}{
		{nil, all, "c d e f g h i j k l"},
		{all[:10], []string{"a", "n"}, "c d e f g h i j a n"},
		{all[:10], []string{"a"}, "a b c d e f g h i j"},
		{strings.Fields("a b a b c c d e f g h i j k l"), []string{"m"}, "d e f g h i j k l m"},
	} {
		src := "{}"
		if c.before != nil {
			src = fmt.Sprintf(`{"key_entities": {"concepts": ["%s", 7]}}`, strings.Join(c.before, `", "`))
		}
		got := edited(t, src, add(c.add...))
		if again := edited(t, got, add(c.add...)); again != got {
			t.Errorf("%v, twice:\n%s", c.add, again)
		}
		got = strings.ReplaceAll(squeeze(got), "7,", "")
		if want := `["` + strings.ReplaceAll(c.want, " ", `","`) + `"`; !strings.Contains(got, want) {
			t.Errorf("%v to %v:\n%s", c.add, c.before, got)
		}
	}
}

func TestHotRefuses(t *testing.T) {
	for _, c := range []struct {
		what, src, want string
		edit            hotEdit
	}{
		{"a file context that is none", `{"current_file_context": []}`, `current_file_context is an array where an object should be`, touch("a", "", "", "")},
		{"files that are none", `{"current_file_context": {"files": "a"}}`, `current_file_context/files is a string where a list should be`, touch("a", "", "", "")},
		{"a last file that is none", `{"current_file_context": {"last_edited": ["a"]}}`, `current_file_context/last_edited is an array where a text should be`, touch("a", "", "", "")},
		{"entities that are none", `{"key_entities": ["a"]}`, `key_entities is an array where an object should be`, func(h *session.Hot) error { return h.AddEntities(map[string][]string{"x": {"y"}}) }},
		{"a file without a name", class, `no name`, touch("", "", "", "")},
	} {
		h, err := session.ReadHot([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.edit(h); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		if text, err := h.Text(); err != nil || string(text) != c.src {
			t.Errorf("%s: changed, %v:\n%s", c.what, err, text)
		}
	}
	for _, src := range []string{"", "[]", `"x"`, "{", "\xff"} {
		if _, err := session.ReadHot([]byte(src)); err == nil {
			t.Errorf("%q was read", src)
		}
	}
}

// What cannot be read of a hot context does not hide the rest.
func TestContextIsWhatCanBeRead(t *testing.T) {
	h, err := session.ReadHot([]byte(`{"version": "x", "conversation_id": 7, "session_started": "2026-03-02T09:00:00Z",
		"active_goals": [7, {"description": "Plant"}, {"goal": "Dig", "status": 1}], "pending_actions": "none",
		"notes": ["a", {"note": []}], "key_entities": 3, "current_file_context": {"files": ["a"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := h.Context()
	if c.Version != 0 || c.SessionStarted == "" || len(c.ActiveGoals) != 1 || c.ActiveGoals[0].Goal != "Plant" ||
		len(c.PendingActions) != 0 || len(c.Notes) != 1 || c.KeyEntities != nil || len(c.CurrentFileContext.Files) != 1 {
		t.Errorf("%+v", c)
	}
	if whole, _ := session.ReadHot([]byte(class)); whole.Context().ActiveGoals[1].ID != "goal-001" || whole.Context().Version != 3 {
		t.Errorf("%+v", whole.Context())
	}
}
