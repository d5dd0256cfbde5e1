package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// The goals of the documents' example, in either shape, as a person lays them out.
const (
	exampleGoals = "\t\t{\"goal\": \"Implement JWT authentication\", \"status\": \"in-progress\", \"priority\": \"high\", \"x\":[1,2 ]},\r\n" +
		"\t\t{\"id\": \"goal-2\", \"goal\": \"Write the docs\", \"parent_goal_id\": \"implement jwt authentication\"}"
	classGoals = `
    {"goal_id": "goal-000", "description": "Implement JWT", "status": "pending", "priority": "medium", "parent_goal_id": null},
    {"goal_id": "goal-001", "description": "Test JWT", "status": "pending", "priority": "medium", "parent_goal_id": "goal-000"},
    {"goal_id": "goal-002", "description": "Test the refresh", "status": "pending", "priority": "medium", "parent_goal_id": "goal-001"}
  `
)

// planned makes a tree whose hot context has a list that somebody wrote.
func planned(t *testing.T, list, items string) *house {
	t.Helper()
	h := converse(t)
	if list == "notes" { // a new one has none
		h.save(session.HotContext("conv-1"), `"important_constraints": []`, `"important_constraints": [], "notes": []`)
	}
	h.save(session.HotContext("conv-1"), `"`+list+`": []`, `"`+list+`": [`+items+`]`)
	return h
}

func word(s string) *string { return &s }

func addGoal(g schema.Goal) step {
	return func(h *house) error {
		_, _, err := operation.AddGoal(context.Background(), h.Tree, g)
		return err
	}
}

func updateGoal(which string, change session.GoalChange) step {
	return func(h *house) error {
		_, _, err := operation.UpdateGoal(context.Background(), h.Tree, which, change, "ann")
		return err
	}
}

func completeGoal(which string) step {
	return func(h *house) error {
		_, _, err := operation.CompleteGoal(context.Background(), h.Tree, which, "ann")
		return err
	}
}

func removeNote(which string) step {
	return func(h *house) error {
		_, _, err := operation.RemoveNote(context.Background(), h.Tree, which, "ann")
		return err
	}
}

// A change of a goal without a record changes only that goal and the version of the hot
// context.
func TestGoalsOfAFormerTree(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, goals string
		step        step
		change      []string // old, new, old, new, … of the text
	}{
		{"a status, by the text in any case", exampleGoals, updateGoal(" implement jwt Authentication ", session.GoalChange{Status: word(session.Pending)}),
			[]string{`"in-progress"`, `"pending"`}},
		{"a part of the text", exampleGoals, updateGoal("JWT", session.GoalChange{Priority: word(session.Low)}), []string{`"high"`, `"low"`}},
		{"the text of a goal without an id, which another names", exampleGoals, updateGoal("JWT", session.GoalChange{Goal: word("Implement tokens")}),
			[]string{`"Implement JWT authentication"`, `"Implement tokens"`, `"implement jwt authentication"`, `"Implement tokens"`}},
		{"the text of a goal in the other shape", classGoals, updateGoal("goal-001", session.GoalChange{Goal: word("Test all")}),
			[]string{`"description": "Test JWT"`, `"description": "Test all"`}},
		{"a parent, by a part of its text", classGoals, updateGoal("goal-002", session.GoalChange{Parent: word("Implement")}),
			[]string{`"parent_goal_id": "goal-001"`, `"parent_goal_id": "goal-000"`}},
		{"no parent", classGoals, updateGoal("goal-001", session.GoalChange{Parent: word("")}), []string{`, "parent_goal_id": "goal-000"`, ""}},
		{"a goal is complete; its part goes on naming it", classGoals, completeGoal("goal-001"),
			[]string{`,
    {"goal_id": "goal-001", "description": "Test JWT", "status": "pending", "priority": "medium", "parent_goal_id": "goal-000"}`, ""}},
		{"a new goal under one without an id", exampleGoals, addGoal(schema.Goal{ID: "goal-9", Goal: " Sign ", ParentGoalID: "JWT", Agent: "a", Created: "2026-03-02T09:00:00Z"}),
			[]string{`authentication"}]`, "authentication\"},\r\n\t\t" + `{"id": "goal-9", "goal": "Sign", "status": "pending", "priority": "medium", "created": "2026-03-02T09:00:00Z", "parent_goal_id": "Implement JWT authentication", "agent": "a"}]`}},
		{"a goal that is there", classGoals, addGoal(schema.Goal{ID: "goal-9", Goal: "Test JWT "}), nil},
		{"the parent that it has, though that is complete", classGoals, func(h *house) error {
			return errors.Join(completeGoal("goal-000")(h), updateGoal("goal-001", session.GoalChange{Parent: word("goal-000")})(h))
		},
			[]string{`
    {"goal_id": "goal-000", "description": "Implement JWT", "status": "pending", "priority": "medium", "parent_goal_id": null},`, ""}},
	} {
		h := planned(t, "active_goals", c.goals)
		want := h.read(session.HotContext("conv-1"))
		for i := 0; i < len(c.change); i += 2 {
			if strings.Count(want, c.change[i]) != 1 {
				t.Fatalf("%s: %q stands %d times", c.what, c.change[i], strings.Count(want, c.change[i]))
			}
			want = strings.Replace(want, c.change[i], c.change[i+1], 1)
		}
		if err := c.step(h); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if got := h.read(session.HotContext("conv-1")); goalsOf(t, got) != goalsOf(t, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.what, got, want)
		} else if len(c.change) == 2 && !strings.Contains(got, c.change[1]) {
			t.Errorf("%s: laid out otherwise:\n%s", c.what, got)
		}
	}
}

// goalsOf returns the goals of a hot context, without blanks.
func goalsOf(t *testing.T, src string) string {
	t.Helper()
	var hot struct {
		Goals json.RawMessage `json:"active_goals"`
	}
	if err := json.Unmarshal([]byte(src), &hot); err != nil {
		t.Fatal(err)
	}
	return squeezed(t, hot.Goals)
}

func TestGoalsThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, err string
		step      step
	}{
		{"a goal that is not there", `there is no goal "Plant"`, completeGoal("Plant")},
		{"a goal without a name", `there is no goal " "`, completeGoal(" ")},
		{"a text that two have", `"test" is in 2 goals`, completeGoal("test")},
		{"a goal that has no text", "the goal is empty", addGoal(schema.Goal{ID: "g", Goal: " "})},
		{"a goal that is to say nothing", "the goal is empty", updateGoal("goal-001", session.GoalChange{Goal: word(" ")})},
		{"an id that is taken", `goal goal-001: the id is taken`, addGoal(schema.Goal{ID: "goal-001", Goal: "Dig"})},
		{"an id that is none", `"a b" is not an id`, addGoal(schema.Goal{ID: "a b", Goal: "Dig"})},
		{"a status that is none", `the status is "done", not one of pending, in-progress, complete`, updateGoal("goal-001", session.GoalChange{Status: word("done")})},
		{"a priority that is none", `the priority is "P0", not one of high, medium, low`, addGoal(schema.Goal{ID: "g", Goal: "Dig", Priority: "P0"})},
		{"a parent that is not there", `there is no goal "goal-404"`, addGoal(schema.Goal{ID: "g", Goal: "Dig", ParentGoalID: "goal-404"})},
		{"a goal that is complete from the start", session.ErrComplete.Error(), addGoal(schema.Goal{Goal: "Dig", Status: session.Complete})},
		{"a part of its own part", `goal "goal-000" under "goal-002": ` + session.ErrCircle.Error(), updateGoal("goal-000", session.GoalChange{Parent: word("goal-002")})},
		{"a part of itself", `goal "goal-001" under "goal-001": ` + session.ErrCircle.Error(), updateGoal("goal-001", session.GoalChange{Parent: word("goal-001")})},
		{"a note that is not there", `there is no note "Ask Jim"`, removeNote("Ask Jim")},
	} {
		h := planned(t, "active_goals", classGoals)
		before := h.files()
		if err := c.step(h); err == nil || err.Error() != c.err {
			t.Errorf("%s: %v", c.what, err)
		}
		if !maps.Equal(h.files(), before) {
			t.Errorf("%s: something was written", c.what)
		}
	}
}

// An existing circle of goals does not cause an endless loop.
func TestGoalCirclesThatAreThere(t *testing.T) {
	t.Parallel()
	h := planned(t, "active_goals", `{"id": "a", "goal": "A", "parent_goal_id": "b"}, {"id": "b", "goal": "B", "parent_goal_id": "a"}, {"id": "c", "goal": "C"}`)
	if err := updateGoal("c", session.GoalChange{Parent: word("a")})(h); err != nil {
		t.Fatal(err)
	}
	if goals := h.hot().ActiveGoals; len(goals) != 3 || goals[2].ParentGoalID != "a" {
		t.Errorf("%+v", goals)
	}
	if err := updateGoal("JWT", session.GoalChange{Parent: word("goal-2")})(planned(t, "active_goals", exampleGoals)); !errors.Is(err, session.ErrCircle) {
		t.Errorf("by text: %v", err)
	}
}

// A whole text in the same case takes precedence over one in another case, and that over a
// part; of two equal ones the first is meant.
func TestWhichNoteIsMeant(t *testing.T) {
	t.Parallel()
	const notes = `"Use foo", "use foo", "Use foo, always", {"id": "Use", "note": "x"}`
	all := []string{"Use foo", "use foo", "Use foo, always", "x"}
	for which, gone := range map[string]int{"Use foo": 0, "use foo": 1, "always": 2, "Use": 3} {
		h := planned(t, "notes", notes)
		if err := removeNote(which)(h); err != nil {
			t.Errorf("%s: %v", which, err)
			continue
		}
		var left []string
		for _, n := range h.hot().Notes {
			left = append(left, n.Note)
		}
		if want := slices.Delete(slices.Clone(all), gone, gone+1); !slices.Equal(left, want) {
			t.Errorf("without %s: %q", which, left)
		}
	}
	var several *session.AmbiguousError
	if err := removeNote("USE FOO")(planned(t, "notes", notes)); !errors.As(err, &several) || !slices.Equal(several.Among, []string{"Use foo", "use foo"}) {
		t.Errorf("USE FOO: %v, %+v", err, several)
	}
	var unknown *session.UnknownError
	if err := removeNote("Ask Jim")(planned(t, "notes", `"Ask Sarah", {"id": "note-1", "note": "Ask John"}`)); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, []string{"Ask Sarah", "note-1"}) {
		t.Errorf("Ask Jim: %v, %+v", err, unknown)
	}
}

// Items that somebody wrote into a session belong to the project: a new session shows them,
// and so does a restored one, except for those that were closed meanwhile.
func TestGoalsAndConstraintsGoOn(t *testing.T) {
	t.Parallel()
	h := planned(t, "active_goals", `{"id": "goal-1", "goal": "Ship the API", "status": "in-progress", "note": "kept"},
  {"goal_id": "goal-2", "description": "Write the docs"}, {"id": "goal-3", "goal": "Reached", "status": "complete"}`)
	h.save(session.HotContext("conv-1"), `"important_constraints": []`, `"important_constraints": ["No token in the log", {"id": "con-1", "constraint": "Two reviews"}]`)
	ctx := context.Background()
	if _, _, err := h.NewSession(ctx, "", "ann"); err != nil {
		t.Fatal(err)
	}
	inForce := func() (names []string) {
		for _, g := range h.hot().ActiveGoals {
			names = append(names, g.Goal+" "+g.Status)
		}
		for _, c := range h.hot().ImportantConstraints {
			names = append(names, c.Constraint)
		}
		slices.Sort(names)
		return names
	}
	if got := inForce(); !slices.Equal(got, []string{"No token in the log", "Ship the API in-progress", "Two reviews", "Write the docs "}) {
		t.Errorf("in force is %q", got)
	}
	if !strings.Contains(h.read(session.HotContext(h.active())), `"note": "kept"`) {
		t.Error("a member that forgemind does not know is gone")
	}
	if err := completeGoal("docs")(h); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.RestoreSession(ctx, "conv-1"); err != nil {
		t.Fatal(err)
	}
	if got := inForce(); !slices.Equal(got, []string{"No token in the log", "Reached complete", "Ship the API in-progress", "Two reviews"}) {
		t.Errorf("in force again is %q", got)
	}
}
