package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// The statuses of a goal.
const (
	Pending    = "pending"
	InProgress = "in-progress"
	Complete   = "complete"
)

// The priorities of a goal.
const (
	High   = "high"
	Medium = "medium"
	Low    = "low"
)

var (
	// ErrComplete is a goal in the list that is to be complete: one leaves the
	// list by CompleteGoal.
	ErrComplete = errors.New("a goal that is complete leaves the list: complete it")
	// ErrCircle is a goal that would be a part of itself.
	ErrCircle = errors.New("a goal cannot be a part of itself")
)

const parentGoal = "parent_goal_id"

// A GoalChange is what is to be another of a goal; nil stays. An empty Parent
// makes it a part of no other.
type GoalChange struct{ Goal, Status, Priority, Parent *string }

// AddGoal adds a goal, whose id must be new; its parent is named by id or by
// unique text, and stored by id where it has one. Without a status it is
// pending, without a priority of medium one. A goal of that text that is there
// already is returned as it stands, and nothing changes.
func (h *Hot) AddGoal(g schema.Goal) (schema.Goal, error) {
	g.Goal, g.Status, g.Priority = strings.TrimSpace(g.Goal), cmp.Or(g.Status, Pending), cmp.Or(g.Priority, Medium)
	if err := (GoalChange{Status: &g.Status, Priority: &g.Priority}).check(); err != nil {
		return schema.Goal{}, err
	}
	if g.ParentGoalID != "" {
		parent, err := h.find(goals, g.ParentGoalID)
		if err != nil {
			return schema.Goal{}, err
		}
		g.ParentGoalID = cmp.Or(parent.id, parent.text)
	}
	return add(h, goals, g.ID, g.Goal, g)
}

// UpdateGoal changes the goal that which names by id or unique text (a whole
// text in any case, else a part of it) and returns it as it is then. A goal may
// not become a part of itself (ErrCircle), nor complete (ErrComplete).
func (h *Hot) UpdateGoal(which string, change GoalChange) (schema.Goal, error) {
	var g schema.Goal
	err := h.whole(func() error {
		it, err := h.find(goals, which)
		if err != nil {
			return err
		}
		if g, err = decode[schema.Goal](h, goals, it); err != nil {
			return err
		}
		if err := change.check(); err != nil {
			return err
		}
		if change.Parent != nil {
			if err := h.move(it, g, strings.TrimSpace(*change.Parent)); err != nil {
				return err
			}
		}
		if change.Goal != nil {
			if err := h.reword(it, strings.TrimSpace(*change.Goal)); err != nil {
				return err
			}
		}
		for _, m := range []struct {
			name  string
			value *string
		}{{"status", change.Status}, {"priority", change.Priority}} {
			if m.value == nil {
				continue
			}
			if err := h.set(it.at+"/"+m.name, *m.value); err != nil {
				return err
			}
		}
		it.node = h.doc.Find(it.at)
		g, err = decode[schema.Goal](h, goals, it)
		return err
	})
	return g, err
}

// CompleteGoal takes the goal that which names off the list and returns it. What
// is a part of it keeps naming it.
func (h *Hot) CompleteGoal(which string) (schema.Goal, error) {
	g, _, err := take[schema.Goal](h, goals, which)
	return g, err
}

func (c GoalChange) check() error {
	for _, field := range []struct {
		what  string
		value *string
		words []string
	}{
		{"status", c.Status, []string{Pending, InProgress, Complete}},
		{"priority", c.Priority, priorities},
	} {
		if field.value != nil && !slices.Contains(field.words, *field.value) {
			return fmt.Errorf("the %s is %s, not one of %s", field.what, cut(*field.value), strings.Join(field.words, ", "))
		}
	}
	switch {
	case c.Status != nil && *c.Status == Complete:
		return ErrComplete
	case c.Goal != nil && strings.TrimSpace(*c.Goal) == "":
		return errors.New("the goal says nothing")
	}
	return nil
}

// move makes the goal it, which reads g, a part of the goal that parent names.
func (h *Hot) move(it item, g schema.Goal, parent string) error {
	pointer := it.at + "/" + parentGoal
	switch {
	case parent == g.ParentGoalID: // it may have been completed since
		return nil
	case parent == "":
		return h.delete(pointer)
	}
	all, err := h.items(goals)
	if err != nil {
		return err
	}
	above, err := h.find(goals, parent)
	if err != nil {
		return err
	}
	for at, steps := above, 0; steps <= len(all); steps++ { // a circle may be there already
		if at.at == it.at {
			return fmt.Errorf("goal %s under %s: %w", cut(cmp.Or(it.id, it.text)), cut(cmp.Or(above.id, above.text)), ErrCircle)
		}
		next := parentOf(all, word(&h.doc, at.node, parentGoal))
		if next < 0 {
			break
		}
		at = all[next]
	}
	return h.set(pointer, cmp.Or(above.id, above.text))
}

// parentOf is the index of the goal that a parent_goal_id means, -1 if there is
// none: of that id, or of that text.
func parentOf(all []item, name string) int {
	if name == "" {
		return -1
	}
	if i := slices.IndexFunc(all, func(it item) bool { return it.id == name }); i >= 0 {
		return i
	}
	return slices.IndexFunc(all, func(it item) bool { return fold(it.text) == fold(name) })
}

// reword gives the goal it another text. What is a part of it goes on naming it.
func (h *Hot) reword(it item, text string) error {
	name := goals.text[0]
	if i := spelled(&h.doc, h.doc.Find(it.at), goals.text); i >= 0 {
		name = h.doc.Key(i)
	}
	if err := h.set(it.at+"/"+name, text); err != nil || it.id != "" {
		return err
	}
	return h.each(goals, func(record *jsonedit.Doc) ([]byte, error) {
		if of := word(record, 0, parentGoal); of == "" || fold(of) != fold(it.text) {
			return record.Src, nil
		}
		value, err := jsonedit.Value(text)
		if err != nil {
			return nil, err
		}
		return jsonedit.Set(record.Src, "/"+parentGoal, value)
	})
}
