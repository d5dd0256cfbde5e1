package operation

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// AddNote adds a note to the hot context; see Edit.AddNote.
func AddNote(ctx context.Context, t *engine.Tree, n schema.Note) (schema.Note, engine.Outcome, error) {
	return step(ctx, t, n.Agent, func(e *Edit) (schema.Note, error) { return e.AddNote(n) })
}

// AddNote adds a note, or returns the existing one with that text.
func (e *Edit) AddNote(n schema.Note) (schema.Note, error) {
	return addItem(e.set, records.Note, &n, fields{&n.ID, &n.Note, &n.Agent, &n.Created})
}

// RemoveNote removes the note named which.
func RemoveNote(ctx context.Context, t *engine.Tree, which, agent string) (schema.Note, engine.Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.Note, error) { return e.RemoveNote(which) })
}

// RemoveNote removes the note named which.
func (e *Edit) RemoveNote(which string) (schema.Note, error) {
	return removeItem[schema.Note](e.set, records.Note, which)
}
