package engine

import (
	"context"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// step is an Edit of one step, and what that gave.
func step[T any](ctx context.Context, t *Tree, agent string, do func(*Edit) (T, error)) (T, Outcome, error) {
	var item T
	out, err := t.Edit(ctx, agent, func(e *Edit) (err error) {
		item, err = do(e)
		return err
	})
	return item, out, err
}

// AddGoal adds a goal to the hot context of the active session; see Edit.AddGoal.
func (t *Tree) AddGoal(ctx context.Context, g schema.Goal) (schema.Goal, Outcome, error) {
	return step(ctx, t, g.Agent, func(e *Edit) (schema.Goal, error) { return e.AddGoal(g) })
}

// UpdateGoal changes a goal; see Edit.UpdateGoal.
func (t *Tree) UpdateGoal(ctx context.Context, which string, change session.GoalChange, agent string) (schema.Goal, Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Goal, error) { return e.UpdateGoal(which, change) })
}

// CompleteGoal takes a goal off the hot context; see Edit.CompleteGoal.
func (t *Tree) CompleteGoal(ctx context.Context, which, agent string) (schema.Goal, Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Goal, error) { return e.CompleteGoal(which) })
}

// AddConstraint adds a constraint to the hot context; see Edit.AddConstraint.
func (t *Tree) AddConstraint(ctx context.Context, c schema.Constraint) (schema.Constraint, Outcome, error) {
	return step(ctx, t, c.Agent, func(e *Edit) (schema.Constraint, error) { return e.AddConstraint(c) })
}

// RemoveConstraint removes the constraint that which names.
func (t *Tree) RemoveConstraint(ctx context.Context, which, agent string) (schema.Constraint, Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Constraint, error) { return e.RemoveConstraint(which) })
}

// AddNote adds something to remember to the hot context; see Edit.AddNote.
func (t *Tree) AddNote(ctx context.Context, n schema.Note) (schema.Note, Outcome, error) {
	return step(ctx, t, n.Agent, func(e *Edit) (schema.Note, error) { return e.AddNote(n) })
}

// RemoveNote forgets the note that which names.
func (t *Tree) RemoveNote(ctx context.Context, which, agent string) (schema.Note, Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Note, error) { return e.RemoveNote(which) })
}

// TouchFile makes path the file that was edited last; see Edit.TouchFile.
func (t *Tree) TouchFile(ctx context.Context, path, function, agent string) (schema.FileContext, Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.FileContext, error) { return e.TouchFile(path, function) })
}
