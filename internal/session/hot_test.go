package session_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// example is the hot context of the document's example, as a person lays it out:
// CRLF, tabs, members that forgemind does not know.
const example = "{\r\n\t\"conversation_id\" : \"conv-2025-11-09-001\", \"mood\": 1.50,\r\n" +
	"\t\"active_goals\": [\r\n" +
	"\t\t{\"goal\": \"Implement JWT authentication\", \"status\": \"in-progress\", \"priority\": \"high\", \"x\":[1,2 ]},\r\n" +
	"\t\t{\"id\": \"goal-2\", \"goal\": \"Write the docs\", \"parent_goal_id\": \"implement jwt authentication\"}\r\n" +
	"\t],\r\n" +
	"\t\"pending_actions\": [\"Test token refresh flow\", \"Update documentation\"],\r\n" +
	"\t\"important_constraints\": [\"Token TTL must be 1 hour\", \"Must support refresh tokens\"],\r\n" +
	"\t\"version\": 7\r\n}"

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

func word(s string) *string { return &s }

func addGoal(g schema.Goal) hotEdit {
	return func(h *session.Hot) error { _, err := h.AddGoal(g); return err }
}

func updateGoal(which string, change session.GoalChange) hotEdit {
	return func(h *session.Hot) error { _, err := h.UpdateGoal(which, change); return err }
}

func completeGoal(which string) hotEdit {
	return func(h *session.Hot) error { _, err := h.CompleteGoal(which); return err }
}

func finishAction(which string) hotEdit {
	return func(h *session.Hot) error { _, err := h.FinishAction(which); return err }
}

func addNote(n schema.Note) hotEdit {
	return func(h *session.Hot) error { _, err := h.AddNote(n); return err }
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
		{"a goal's status, named by its text in any case", example, updateGoal(" implement jwt Authentication ", session.GoalChange{Status: word(session.Pending)}),
			[]string{`"in-progress"`, `"pending"`}},
		{"a goal named by a part of its text", example, updateGoal("JWT", session.GoalChange{Priority: word(session.Low)}),
			[]string{`"high"`, `"low"`}},
		{"the text of a goal without an id, which another names", example, updateGoal("JWT", session.GoalChange{Goal: word("Implement tokens")}),
			[]string{`"Implement JWT authentication"`, `"Implement tokens"`, `"implement jwt authentication"`, `"Implement tokens"`}},
		{"the text of a goal in the other shape", class, updateGoal("goal-001", session.GoalChange{Goal: word("Test all")}),
			[]string{`"description": "Test JWT"`, `"description": "Test all"`}},
		{"a status that is no word of ours", class, updateGoal("goal-002", session.GoalChange{Status: word(session.InProgress)}), []string{"someday", "in-progress"}},
		{"a parent, by a part of its text", class, updateGoal("goal-002", session.GoalChange{Parent: word("Implement")}),
			[]string{`"parent_goal_id": "goal-001"`, `"parent_goal_id": "goal-000"`}},
		{"no parent", class, updateGoal("goal-001", session.GoalChange{Parent: word("")}), []string{`, "parent_goal_id": "goal-000"`, ""}},
		{"a goal is complete; its part goes on naming it", class, completeGoal("goal-001"),
			[]string{`,
    {"goal_id": "goal-001", "description": "Test JWT", "status": "pending", "priority": "medium", "parent_goal_id": "goal-000"}`, ""}},
		{"a new goal under one without an id", example, addGoal(schema.Goal{ID: "goal-9", Goal: " Sign ", ParentGoalID: "JWT", Agent: "a"}),
			[]string{"\r\n\t],", ",\r\n\t\t{\"id\": \"goal-9\", \"goal\": \"Sign\", \"status\": \"pending\", \"priority\": \"medium\", \"parent_goal_id\": \"Implement JWT authentication\", \"agent\": \"a\"}\r\n\t],"}},
		{"an action that is done", example, finishAction("documentation"), []string{`, "Update documentation"`, ""}},
		{"an action that is done frees others, and its question", class, finishAction("ACT-1"),
			[]string{`
    {"id": "ACT-1", "action": "Rotate keys", "blocked_by": ["Q-1", "frost"]},`, "", `"blocked_by": "ACT-1"`, `"blocked_by": null`, `["ACT-1"]`, `[]`}},
		{"a question that is answered frees actions", class, func(h *session.Hot) error { _, err := h.Answer("Q-1"); return err },
			[]string{`[{"id": "Q-1", "question": "How often?", "blocking": ["ACT-1"]}]`, `[]`, `["Q-1", "frost"]`, `["frost"]`}},
		{"a new question", class, func(h *session.Hot) error {
			return h.Ask(schema.Question{ID: "Q-2", Question: "Who?", Blocking: []string{"ACT-1", "ACT-2", "ACT-404"}})
		},
			[]string{`["ACT-1"]}]`, `["ACT-1"]}, {"id": "Q-2", "question": "Who?", "blocking": ["ACT-1", "ACT-2", "ACT-404"]}]`,
				`["Q-1", "frost"]`, `["Q-1", "frost", "Q-2"]`, `"blocked_by": "ACT-1"`, `"blocked_by": ["ACT-1", "Q-2"]`}},
		{"a new action", class, func(h *session.Hot) error {
			_, err := h.AddAction(schema.Action{ID: "ACT-3", Action: "Wait", BlockedBy: schema.IDs{"Q-1"}})
			return err
		},
			[]string{`"ACT-1"}
`, `"ACT-1"},
    {"id": "ACT-3", "action": "Wait", "blocked_by": "Q-1"}
`, `["ACT-1"]}]`, `["ACT-1", "ACT-3"]}]`}},
		{"a constraint among mere texts", example, func(h *session.Hot) error {
			_, err := h.AddConstraint(schema.Constraint{ID: "con-1", Constraint: "No panic"})
			return err
		},
			[]string{`refresh tokens"]`, `refresh tokens", {"id": "con-1", "constraint": "No panic"}]`}},
		{"a constraint that goes", class, func(h *session.Hot) error { _, err := h.RemoveConstraint("no secrets"); return err },
			[]string{`[{"id": "con-1", "constraint": "No secrets"}]`, `[]`}},
		{"a note that goes", class, func(h *session.Hot) error { _, err := h.RemoveNote("sarah"); return err }, []string{`"Ask Sarah", `, ""}},
		{"a note that is a mere text", class, addNote(schema.Note{Note: "Ask Jo"}), []string{`"agent": "user"}]`, `"agent": "user"}, "Ask Jo"]`}},
		{"entities", class, func(h *session.Hot) error {
			return h.AddEntities(map[string][]string{"files": {"a.py", "b.py", "b.py", " "}, "a/b": {"c~d"}, "none": {}})
		},
			[]string{`["a.py"]`, `["a.py", "b.py"]`, `"a/b": []`, `"a/b": ["c~d"]`}},
		{"a decision that supersedes one in the other shape", class, func(h *session.Hot) error {
			return h.ShowDecision(schema.Decision{ID: "DEC-1", Decision: "Use pears", Timestamp: "2026-03-02T09:00:00Z", Supersedes: schema.IDs{"dec-000"}})
		},
			[]string{`"Use RS256"}]`, `"Use RS256", "superseded_by": "DEC-1"}, {"decision": "Use pears", "timestamp": "2026-03-02T09:00:00Z", "id": "DEC-1"}]`}},
		{"several edits are one change", class, func(h *session.Hot) error {
			return errors.Join(completeGoal("goal-002")(h), updateGoal("goal-000", session.GoalChange{Priority: word(session.High)})(h))
		},
			[]string{`,
    {"goal_id": "goal-002", "description": "Test the refresh", "status": "someday", "priority": "medium", "parent_goal_id": "goal-001"}`, "",
				`"medium", "parent_goal_id": null`, `"high", "parent_goal_id": null`}},
		{"there and back", class, func(h *session.Hot) error {
			return errors.Join(addNote(schema.Note{Note: "Ask Jo"})(h), func() error { _, err := h.RemoveNote("Ask Jo"); return err }())
		}, nil},
		{"a goal that is there", class, addGoal(schema.Goal{ID: "goal-9", Goal: "Test JWT "}), nil},
		{"a note that is there", class, addNote(schema.Note{ID: "note-9", Note: "Ask John"}), nil},
		{"the parent that it has, though that is complete", class, func(h *session.Hot) error {
			return errors.Join(completeGoal("goal-000")(h), updateGoal("goal-001", session.GoalChange{Parent: word("goal-000")})(h))
		},
			[]string{`
    {"goal_id": "goal-000", "description": "Implement JWT", "status": "pending", "priority": "medium", "parent_goal_id": null},`, ""}},
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
	got := edited(t, "{\n  \"key_entities\": null,\n  \"notes\": null\n}\n", func(h *session.Hot) error {
		_, action := h.AddAction(schema.Action{Action: "Dig"})
		_, constraint := h.AddConstraint(schema.Constraint{Constraint: "No frost"})
		return errors.Join(action, constraint, addGoal(schema.Goal{ID: "goal-1", Goal: "Plant", Created: "2026-03-02T09:00:00Z"})(h),
			addNote(schema.Note{ID: "note-1", Note: "It is damp"})(h), touch("a.go", "Open", "x", "2026-03-02T09:00:00Z")(h),
			h.AddEntities(map[string][]string{"people": {"@jo"}}), h.Ask(schema.Question{ID: "Q-1", Question: "When?"}))
	})
	want := `{"key_entities": {"people": ["@jo"]}, "notes": [{"id": "note-1", "note": "It is damp"}],
"pending_actions": ["Dig"], "important_constraints": ["No frost"],
"active_goals": [{"id": "goal-1", "goal": "Plant", "status": "pending", "priority": "medium", "created": "2026-03-02T09:00:00Z"}],
"current_file_context": {"files": ["a.go"], "last_edited": "a.go", "current_function": "Open", "agent": "x", "updated": "2026-03-02T09:00:00Z"},
"open_questions": [{"id": "Q-1", "question": "When?"}], "version": 1}`
	if squeeze(got) != squeeze(want) {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(got, "\n  \"active_goals\": [\n    {\n      \"id\"") {
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
		{"a goal that is not there", class, `there is no goal "Plant"`, completeGoal("Plant")},
		{"a goal without a name", class, `there is no goal " "`, completeGoal(" ")},
		{"a text that two have", class, `"test" stands in 2 goals`, completeGoal("test")},
		{"a list that is none", `{"active_goals": "Plant"}`, `active_goals is a string where a list should be`, addGoal(schema.Goal{ID: "g", Goal: "Dig"})},
		{"a list that is none, to take from", `{"notes": {}}`, `notes is an object where a list should be`, func(h *session.Hot) error { _, err := h.RemoveNote("x"); return err }},
		{"a goal that is a text", `{"active_goals": ["Plant"]}`, `active_goals/0 is a string where an object should be`, updateGoal("Plant", session.GoalChange{Status: word("pending")})},
		{"a member of a goal that is no text", `{"active_goals": [{"goal": "Plant", "status": 7}]}`, `active_goals/0: `, completeGoal("Plant")},
		{"a file context that is none", `{"current_file_context": []}`, `current_file_context is an array where an object should be`, touch("a", "", "", "")},
		{"files that are none", `{"current_file_context": {"files": "a"}}`, `current_file_context/files is a string where a list should be`, touch("a", "", "", "")},
		{"a last file that is none", `{"current_file_context": {"last_edited": ["a"]}}`, `current_file_context/last_edited is an array where a text should be`, touch("a", "", "", "")},
		{"entities that are none", `{"key_entities": ["a"]}`, `key_entities is an array where an object should be`, func(h *session.Hot) error { return h.AddEntities(map[string][]string{"x": {"y"}}) }},
		{"a list twice", `{"notes": [], "notes": []}`, `duplicate member`, addNote(schema.Note{Note: "x"})},
		{"a goal that says nothing", class, "says nothing", addGoal(schema.Goal{ID: "g", Goal: " "})},
		{"a goal that is to say nothing", class, "says nothing", updateGoal("goal-001", session.GoalChange{Goal: word(" ")})},
		{"an id that is taken, if by a question", class, `goal Q-1: the id is taken`, addGoal(schema.Goal{ID: "Q-1", Goal: "Dig"})},
		{"an id that is none", class, `"a b" is no id`, addGoal(schema.Goal{ID: "a b", Goal: "Dig"})},
		{"a goal without an id", class, `"" is no id`, addGoal(schema.Goal{Goal: "Dig"})},
		{"a status that is none", class, `the status is "done", not one of pending, in-progress, complete`, updateGoal("goal-001", session.GoalChange{Status: word("done")})},
		{"a priority that is none", class, `the priority is "P0", not one of high, medium, low`, addGoal(schema.Goal{ID: "g", Goal: "Dig", Priority: "P0"})},
		{"a parent that is not there", class, `there is no goal "goal-404"`, addGoal(schema.Goal{ID: "g", Goal: "Dig", ParentGoalID: "goal-404"})},
		{"a question that is there", class, `question Q-1: the id is taken`, func(h *session.Hot) error { return h.Ask(schema.Question{ID: "Q-1", Question: "How?"}) }},
		{"an answer to nothing", class, `there is no question "Q-404"`, func(h *session.Hot) error { _, err := h.Answer("Q-404"); return err }},
		{"an answer to a text", class, `there is no question "How often?"`, func(h *session.Hot) error { _, err := h.Answer("How often?"); return err }},
		{"what waits for an action that is not there", class, `there is no question or action "ACT-404"`, func(h *session.Hot) error { return h.Refer([]string{"frost", "Q-1", "ACT-2", "ACT-404"}) }},
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

// A goal cannot be a part of itself, however far up, and a circle that is there
// already holds nobody up.
func TestGoalCircles(t *testing.T) {
	for which, parent := range map[string]string{"goal-000": "goal-002", "goal-001": "goal-001"} {
		h, _ := session.ReadHot([]byte(class))
		if _, err := h.UpdateGoal(which, session.GoalChange{Parent: &parent}); !errors.Is(err, session.ErrCircle) {
			t.Errorf("%s under %s: %v", which, parent, err)
		}
	}
	h, _ := session.ReadHot([]byte(example))
	if _, err := h.UpdateGoal("JWT", session.GoalChange{Parent: word("goal-2")}); !errors.Is(err, session.ErrCircle) {
		t.Errorf("by text: %v", err)
	}
	circle := `{"active_goals": [{"id": "a", "goal": "A", "parent_goal_id": "b"}, {"id": "b", "goal": "B", "parent_goal_id": "a"}, {"id": "c", "goal": "C"}]}`
	if got := edited(t, circle, updateGoal("c", session.GoalChange{Parent: word("a")})); !strings.Contains(got, `"goal": "C", "parent_goal_id": "a"`) {
		t.Error(got)
	}
}

func TestGoalsThatAreCompleteLeaveTheListOnly(t *testing.T) {
	h, _ := session.ReadHot([]byte(class))
	if _, err := h.UpdateGoal("goal-001", session.GoalChange{Status: word(session.Complete)}); !errors.Is(err, session.ErrComplete) {
		t.Error(err)
	}
	if _, err := h.AddGoal(schema.Goal{ID: "g", Goal: "Dig", Status: session.Complete}); !errors.Is(err, session.ErrComplete) {
		t.Error(err)
	}
	if g, err := h.CompleteGoal("goal-001"); err != nil || g.Goal != "Test JWT" || g.ParentGoalID != "goal-000" {
		t.Errorf("%+v, %v", g, err)
	}
}

// Who asks for what is not there, or not clearly one, is told what there is.
func TestHotErrorsNameWhatThereIs(t *testing.T) {
	h, _ := session.ReadHot([]byte(class))
	_, err := h.RemoveNote("Ask Jim")
	var unknown *session.Unknown
	if !errors.As(err, &unknown) || unknown.What != "note" || !slices.Equal(unknown.Known, []string{"Ask Sarah", "note-1"}) {
		t.Errorf("%+v, %v", unknown, err)
	}
	_, err = h.RemoveNote("ask")
	var ambiguous *session.Ambiguous
	if !errors.As(err, &ambiguous) || !slices.Equal(ambiguous.Among, []string{"Ask Sarah", "note-1 (Ask John)"}) {
		t.Errorf("%+v, %v", ambiguous, err)
	}
}

// A whole text in the right case goes before one in another case, that before a
// part; of two that nobody can tell apart the first is meant.
func TestHotFinds(t *testing.T) {
	const src = `{"notes": ["Use foo", "use foo", "Use foo, always", "twice", "twice", {"id": "Use", "note": "x"}]}`
	for which, left := range map[string]string{
		"Use foo": `"use foo","Use foo, always","twice","twice",`, "use foo": `"Use foo","Use foo, always","twice","twice",`,
		"always": `"Use foo","use foo","twice","twice",`, "twice": `"Use foo","use foo","Use foo, always","twice",`,
		"Use": `"Use foo","use foo","Use foo, always","twice","twice"]`,
	} {
		got := edited(t, src, func(h *session.Hot) error { _, err := h.RemoveNote(which); return err })
		if want := strings.ReplaceAll(`{"notes":[`+left, ",", ", "); !strings.HasPrefix(strings.ReplaceAll(squeeze(got), " ", ""), strings.ReplaceAll(want, " ", "")) {
			t.Errorf("without %s: %s", which, got)
		}
	}
	h, _ := session.ReadHot([]byte(src))
	var ambiguous *session.Ambiguous
	if _, err := h.RemoveNote("USE FOO"); !errors.As(err, &ambiguous) {
		t.Errorf("USE FOO: %v", err)
	}
}

func TestBlocked(t *testing.T) {
	h, _ := session.ReadHot([]byte(strings.Replace(class, `"blocked_by": ["Q-1", "frost"]`, `"blocked_by": ["frost"]`, 1)))
	for which, want := range map[string]string{"ACT-1": "frost Q-1", "tell": "ACT-1"} {
		if by, err := h.Blocked(which); err != nil || strings.Join(by, " ") != want {
			t.Errorf("%s: %v, %v", which, by, err)
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

// Long lists of a stranger cost no more than once through them.
func TestHotIsNotHeldUp(t *testing.T) {
	var src strings.Builder
	src.WriteString(`{"pending_actions": [{"id": "A", "action": "x"}`)
	for i := range 20000 {
		fmt.Fprintf(&src, `, {"action": "%d", "blocked_by": ["A", "A", 1, "B"]}`, i)
	}
	src.WriteString(`], "open_questions": [{"id": "Q", "question": "?", "blocking": ["A"` + strings.Repeat(`, "A"`, 20000) + `, "B"]}]}`)
	got := edited(t, src.String(), finishAction("A"))
	if strings.Contains(got, `"A"`) || strings.Count(got, `[1, "B"]`) != 20000 {
		t.Errorf("%.300s", got)
	}
}
