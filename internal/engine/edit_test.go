package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A goal that is changed and completed at once keeps the change.
func TestAGoalThatBecomesCompleteKeepsItsChanges(t *testing.T) {
	t.Parallel()
	h := converse(t)
	ctx := context.Background()
	if _, _, err := operation.AddGoal(ctx, h.Tree, schema.Goal{Goal: "Prune"}); err != nil {
		t.Fatal(err)
	}
	g, _, err := operation.UpdateGoal(ctx, h.Tree, "prune", session.GoalChange{
		Goal: new("Prune the old trees"), Priority: new(session.High), Status: new(session.Complete),
	}, "anna")
	if err != nil || g.Status != session.Complete {
		t.Fatalf("%+v, %v", g, err)
	}
	done := h.about("conv-1").Completed
	if len(done) != 1 || done[0].Goal != "Prune the old trees" || done[0].Priority != session.High || done[0].CompletedBy != "anna" {
		t.Errorf("kept is %+v", done)
	}
	if hot := h.hot(); len(hot.ActiveGoals) != 0 || hot.Version != 3 {
		t.Errorf("left is %+v, version %d", hot.ActiveGoals, hot.Version)
	}
}

// A detected action stays once a person confirms it: in the State as well, however many
// others are detected afterwards.
func TestADetectedActionThatSomebodyWants(t *testing.T) {
	t.Parallel()
	h := build(t)
	documents, err := session.New("conv-1", morning)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range documents {
		write(t, h.root, name, string(text))
	}
	h.utter(schema.Message{Agent: "anna", Role: "user", Content: "Next: Prune the pear trees"})
	detected := h.hot().PendingActions
	if len(detected) != 1 || detected[0].Origin != schema.OriginDetected {
		t.Fatalf("%+v", detected)
	}
	ctx := context.Background()
	wanted, out, err := operation.AddAction(ctx, h.Tree, schema.Action{Action: "Prune the pear trees", Priority: session.High, CreatedBy: "ben"})
	if err != nil || wanted.ID != detected[0].ID || wanted.Message != detected[0].Message || out.Version != 3 {
		t.Fatalf("%+v, version %d, %v", wanted, out.Version, err)
	}
	for n := range 20 {
		h.utter(schema.Message{Agent: "anna", Role: "user", Content: fmt.Sprintf("Next: Water row %d of the orchard", n)})
	}
	kept := h.hot().PendingActions
	if kept[0].ID != wanted.ID || kept[0].Origin != "" || kept[0].Priority != session.High || kept[0].CreatedBy != "ben" {
		t.Errorf("kept is %+v", kept[0])
	}
	var s schema.State
	if err := json.Unmarshal([]byte(h.read(fs.State)), &s); err != nil || len(s.PendingActions) != 1 || s.PendingActions[0].ID != wanted.ID {
		t.Errorf("the State has %+v, %v", s.PendingActions, err)
	}
	if again, out, err := operation.AddAction(ctx, h.Tree, schema.Action{Action: "Prune the pear trees"}); err != nil || again.ID != wanted.ID || len(out.Changes) > 0 {
		t.Errorf("the second time: %+v, %v, %v", again, out.Changes, err)
	}
}
