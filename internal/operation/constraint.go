package operation

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// AddConstraint adds a constraint to the hot context; see Edit.AddConstraint.
func AddConstraint(ctx context.Context, t *engine.Tree, c schema.Constraint) (schema.Constraint, engine.Outcome, error) {
	return step(ctx, t, c.Agent, func(e *Edit) (schema.Constraint, error) { return e.AddConstraint(c) })
}

// AddConstraint adds a constraint, or returns the existing one with that text.
func (e *Edit) AddConstraint(c schema.Constraint) (schema.Constraint, error) {
	return addItem(e.set, records.Constraint, &c, fields{&c.ID, &c.Constraint, &c.Agent, &c.Created})
}

// RemoveConstraint removes the constraint named which.
func RemoveConstraint(ctx context.Context, t *engine.Tree, which, agent string) (schema.Constraint, engine.Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Constraint, error) { return e.RemoveConstraint(which) })
}

// RemoveConstraint removes the constraint named which.
func (e *Edit) RemoveConstraint(which string) (schema.Constraint, error) {
	c, err := removeItem[schema.Constraint](e.set, records.Constraint, which)
	if err == nil {
		e.set.NoteRemoved(cmp.Or(c.ID, c.Constraint))
	}
	return c, err
}
