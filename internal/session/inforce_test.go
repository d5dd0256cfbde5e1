package session

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// A hot context takes over what is in force, in whatever form it is written, and
// drops what is closed.
func TestTakeOver(t *testing.T) {
	from := `{"version": 3, "active_goals": [
  {"id": "goal-1", "goal": "Ship the API", "status": "in-progress", "note": "kept"},
  {"goal_id": "goal-2", "description": "Write the docs"},
  {"id": "goal-3", "goal": "Reached", "status": "complete"}
], "important_constraints": ["No token in the log", {"id": "con-1", "constraint": "Two reviews"}]}`
	for name, tt := range map[string]struct{ into, goals, constraints string }{
		"nothing": {`{"version": 1}`, "goal-1 in-progress, goal-2 ", " No token in the log, con-1 Two reviews"},
		"null":    {`{"active_goals": null, "important_constraints": null}`, "goal-1 in-progress, goal-2 ", " No token in the log, con-1 Two reviews"},
		"older ones": {
			`{"active_goals": [{"id": "goal-0", "goal": "Closed"}, {"id": "goal-1", "goal": "Ship the API", "status": "pending"}, {"id": "goal-9", "goal": "Own"}],
			  "important_constraints": ["No token in the log", "Gone"]}`,
			"goal-1 in-progress, goal-9 , goal-2 ", " No token in the log, con-1 Two reviews",
		},
	} {
		h, err := ReadHot([]byte(tt.into))
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := ReadHot([]byte(from))
		if err != nil {
			t.Fatal(err)
		}
		closed := func(key string) bool { return key == "goal-0" || key == "Gone" }
		for range 2 { // twice is once
			if err := h.TakeOver(theirs, closed); err != nil {
				t.Fatal(name, err)
			}
			now := h.Context()
			if got := namesOf(now.ActiveGoals, func(g schema.Goal) string { return g.ID + " " + g.Status }); got != tt.goals {
				t.Errorf("%s: goals %q, want %q", name, got, tt.goals)
			}
			if got := namesOf(now.ImportantConstraints, func(c schema.Constraint) string { return c.ID + " " + c.Constraint }); got != tt.constraints {
				t.Errorf("%s: constraints %q, want %q", name, got, tt.constraints)
			}
		}
		if text, _ := h.Text(); !strings.Contains(string(text), `"note": "kept"`) {
			t.Errorf("%s: an unknown member is gone:\n%s", name, text)
		}
	}
	h, _ := ReadHot([]byte(`{"active_goals": "none"}`))
	theirs, _ := ReadHot([]byte(from))
	if err := h.TakeOver(theirs, func(string) bool { return false }); err == nil {
		t.Error("a list that is none is taken for one")
	}
}

func namesOf[T any](all []T, name func(T) string) string {
	var names []string
	for _, v := range all {
		names = append(names, name(v))
	}
	return strings.Join(names, ", ")
}
