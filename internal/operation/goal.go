package operation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// AddGoal adds a goal to the hot context of the active session; see Edit.AddGoal.
func AddGoal(ctx context.Context, t *engine.Tree, g schema.Goal) (schema.Goal, engine.Outcome, error) {
	return step(ctx, t, g.Agent, func(e *Edit) (schema.Goal, error) { return e.AddGoal(g) })
}

// UpdateGoal changes a goal; see Edit.UpdateGoal.
func UpdateGoal(ctx context.Context, t *engine.Tree, which string, change session.GoalChange, agent string) (schema.Goal, engine.Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Goal, error) { return e.UpdateGoal(which, change) })
}

// CompleteGoal completes a goal; see Edit.CompleteGoal.
func CompleteGoal(ctx context.Context, t *engine.Tree, which, agent string) (schema.Goal, engine.Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Goal, error) { return e.CompleteGoal(which) })
}

const parentGoal = "parent_goal_id"

// AddGoal adds a goal and returns it as recorded: an empty ID, Agent, Created, Status
// (pending) or Priority (medium) is filled in. Its parent is named by id or by unique text,
// and recorded by id if it has one. If a goal with that text exists, AddGoal returns that
// one.
func (e *Edit) AddGoal(g schema.Goal) (schema.Goal, error) {
	w := e.set
	g.Goal, g.Status, g.Priority = strings.TrimSpace(g.Goal), cmp.Or(g.Status, session.Pending), cmp.Or(g.Priority, session.Medium)
	if err := (session.GoalChange{Status: &g.Status, Priority: &g.Priority}).Check(); err != nil {
		return g, err
	}
	if g.ParentGoalID != "" {
		parent, err := find(w, records.Goal, g.ParentGoalID)
		if err != nil {
			return g, err
		}
		g.ParentGoalID = parent.Name
	}
	return addItem(w, records.Goal, &g, fields{&g.ID, &g.Goal, &g.Agent, &g.Created})
}

// UpdateGoal changes the goal named which, by its id or by unique text. A goal that becomes
// complete is no longer in force, but gets the other changes. The error is session.ErrCircle
// if a goal would become a part of itself.
func (e *Edit) UpdateGoal(which string, change session.GoalChange) (g schema.Goal, err error) {
	w := e.set
	complete := change.Status != nil && *change.Status == session.Complete
	if complete {
		change.Status = nil
	}
	it, err := find(w, records.Goal, which)
	if err != nil {
		return g, err
	}
	if err := change.Check(); err != nil {
		return g, err
	}
	members := map[string]any{}
	for name, value := range map[string]*string{"status": change.Status, "priority": change.Priority, "goal": change.Goal} {
		if value != nil {
			members[name] = strings.TrimSpace(*value)
		}
	}
	if change.Parent != nil {
		parent, err := parent(w, it, strings.TrimSpace(*change.Parent))
		if err != nil {
			return g, err
		}
		if members[parentGoal] = parent; parent == "" {
			members[parentGoal] = nil
		}
	}
	if change.Goal != nil && it.Name == it.Text {
		if err := renameParent(w, it, strings.TrimSpace(*change.Goal)); err != nil {
			return g, err
		}
	}
	if len(members) > 0 {
		if it, err = w.Change(records.Goal, it, "updated", members); err != nil {
			return g, err
		}
	}
	if complete {
		return e.complete(it)
	}
	return decoded[schema.Goal](it)
}

// parent returns the name by which the goal it refers to its parent which.
func parent(w *engine.WorkingSet, it views.Item, which string) (string, error) {
	if which == it.Members.Text(parentGoal) || which == "" { // an unchanged parent may have been completed since
		return which, nil
	}
	all, err := w.Items(records.Goal)
	if err != nil {
		return "", err
	}
	above, err := find(w, records.Goal, which)
	if err != nil {
		return "", err
	}
	for at, steps := above, 0; steps <= len(all); steps++ { // a circle may exist already
		if at.ID == it.ID && at.Text == it.Text {
			return "", fmt.Errorf("goal %.60q under %.60q: %w", cmp.Or(it.ID, it.Text), cmp.Or(above.ID, above.Text), session.ErrCircle)
		}
		next := parentOf(all, at.Members.Text(parentGoal))
		if next < 0 {
			break
		}
		at = all[next]
	}
	return above.Name, nil
}

// parentOf returns the index of the goal that a parent_goal_id names, by id or by text; -1 if
// there is none.
func parentOf(all []views.Item, name string) int {
	if name == "" {
		return -1
	}
	if i := slices.IndexFunc(all, func(it views.Item) bool { return it.ID == name }); i >= 0 {
		return i
	}
	return slices.IndexFunc(all, func(it views.Item) bool { return strings.EqualFold(it.Text, strings.TrimSpace(name)) })
}

// renameParent updates the parts of a goal without an id, which name it by its text.
func renameParent(w *engine.WorkingSet, it views.Item, text string) error {
	all, err := w.Items(records.Goal)
	if err != nil {
		return err
	}
	for _, part := range all {
		if of := part.Members.Text(parentGoal); of == "" || !strings.EqualFold(strings.TrimSpace(of), it.Text) {
			continue
		}
		if _, err := w.Change(records.Goal, part, "updated", map[string]any{parentGoal: text}); err != nil {
			return err
		}
	}
	return nil
}

// CompleteGoal completes the goal named which; the session's metadata keeps it among the
// completed ones. Its parts continue to name it.
func (e *Edit) CompleteGoal(which string) (schema.Goal, error) {
	it, err := find(e.set, records.Goal, which)
	if err != nil {
		return schema.Goal{}, err
	}
	return e.complete(it)
}

func (e *Edit) complete(it views.Item) (schema.Goal, error) {
	g, err := decoded[schema.Goal](it)
	if err != nil {
		return g, err
	}
	if err := e.set.Close(records.Goal, it, records.Done, records.Complete); err != nil {
		return g, err
	}
	g.Status = session.Complete
	e.set.NoteDone(schema.Done{
		ID: g.ID, Goal: g.Goal, Priority: g.Priority, Created: g.Created, Agent: g.Agent, ParentGoalID: g.ParentGoalID,
		Completed: e.set.Now(), CompletedBy: e.set.Actor(),
	})
	return g, nil
}
