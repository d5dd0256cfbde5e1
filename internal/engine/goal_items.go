package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

const parentGoal = "parent_goal_id"

// AddGoal adds a goal and returns it as it stands: an empty ID, Agent, Created, Status
// (pending) or Priority (medium) is filled in. Its parent is named by id or by unique
// text, and recorded by id where it has one. A goal of that text that is there already is
// returned instead.
func (e *Edit) AddGoal(g schema.Goal) (schema.Goal, error) {
	r := e.round
	g.Goal, g.Status, g.Priority = strings.TrimSpace(g.Goal), cmp.Or(g.Status, session.Pending), cmp.Or(g.Priority, session.Medium)
	if err := (session.GoalChange{Status: &g.Status, Priority: &g.Priority}).Check(); err != nil {
		return g, err
	}
	if g.ParentGoalID != "" {
		parent, err := r.find(records.Goal, g.ParentGoalID)
		if err != nil {
			return g, err
		}
		g.ParentGoalID = parent.Name
	}
	return addItem(r, records.Goal, &g, fields{&g.ID, &g.Goal, &g.Agent, &g.Created})
}

// UpdateGoal changes the goal that which names by its id or by unique text. One that
// becomes complete is in force no more, with what else is changed of it. A goal may not
// become a part of itself (session.ErrCircle).
func (e *Edit) UpdateGoal(which string, change session.GoalChange) (g schema.Goal, err error) {
	r := e.round
	complete := change.Status != nil && *change.Status == session.Complete
	if complete {
		change.Status = nil
	}
	it, err := r.find(records.Goal, which)
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
		parent, err := r.parent(it, strings.TrimSpace(*change.Parent))
		if err != nil {
			return g, err
		}
		if members[parentGoal] = parent; parent == "" {
			members[parentGoal] = nil
		}
	}
	if change.Goal != nil && it.Name == it.Text {
		if err := r.renameParent(it, strings.TrimSpace(*change.Goal)); err != nil {
			return g, err
		}
	}
	if len(members) > 0 {
		if it, err = r.set(records.Goal, it, "updated", members); err != nil {
			return g, err
		}
	}
	if complete {
		return e.complete(it)
	}
	return decoded[schema.Goal](it)
}

// parent returns how the goal it names another one as that it is a part of.
func (r *round) parent(it views.Item, which string) (string, error) {
	if which == it.Members.Text(parentGoal) || which == "" { // it may have been completed since
		return which, nil
	}
	all, err := r.items(records.Goal)
	if err != nil {
		return "", err
	}
	above, err := r.find(records.Goal, which)
	if err != nil {
		return "", err
	}
	for at, steps := above, 0; steps <= len(all); steps++ { // a circle may be there already
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

// parentOf returns the index of the goal that a parent_goal_id means, by id or by text;
// -1 if there is none.
func parentOf(all []views.Item, name string) int {
	if name == "" {
		return -1
	}
	if i := slices.IndexFunc(all, func(it views.Item) bool { return it.ID == name }); i >= 0 {
		return i
	}
	return slices.IndexFunc(all, func(it views.Item) bool { return strings.EqualFold(it.Text, strings.TrimSpace(name)) })
}

// renameParent has what is a part of a goal without an id name it by its new text.
func (r *round) renameParent(it views.Item, text string) error {
	all, err := r.items(records.Goal)
	if err != nil {
		return err
	}
	for _, part := range all {
		if of := part.Members.Text(parentGoal); of == "" || !strings.EqualFold(strings.TrimSpace(of), it.Text) {
			continue
		}
		if _, err := r.set(records.Goal, part, "updated", map[string]any{parentGoal: text}); err != nil {
			return err
		}
	}
	return nil
}

// CompleteGoal takes the goal that which names out of force; it is kept among the
// completed ones of the session's metadata. What is a part of it keeps naming it.
func (e *Edit) CompleteGoal(which string) (schema.Goal, error) {
	it, err := e.round.find(records.Goal, which)
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
	if err := e.round.closeItem(records.Goal, it, records.Done, records.Complete); err != nil {
		return g, err
	}
	g.Status = session.Complete
	e.round.done = append(e.round.done, schema.Done{
		ID: g.ID, Goal: g.Goal, Priority: g.Priority, Created: g.Created, Agent: g.Agent, ParentGoalID: g.ParentGoalID,
		Completed: schema.FormatTime(e.round.at), CompletedBy: e.round.actor(),
	})
	return g, nil
}
