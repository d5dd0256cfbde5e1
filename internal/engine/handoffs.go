package engine

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// HandOff records the result of a task and returns it as it was recorded. An empty From
// or Created is filled in.
func (t *Tree) HandOff(ctx context.Context, h schema.Handoff) (made condense.Handoff, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent = h.From
		given := h
		r.Sign(&given.From)
		given.Created = cmp.Or(given.Created, r.Now())
		var masked []string
		made, masked, err = condense.AddHandoff(r.tx, r.home, given, r.tree.edge.Random)
		r.masked = append(r.masked, masked...)
		return err
	})
	return made, out, err
}

// ArchiveHandoff archives a handoff, which is named by its id or its task.
func (t *Tree) ArchiveHandoff(ctx context.Context, which, agent string) (done condense.Handoff, out Outcome, err error) {
	out, err = t.do(ctx, func(r *WorkingSet) (err error) {
		r.event.Agent = agent
		done, err = condense.ArchiveHandoff(r.tx, which, r.Now(), r.Actor())
		return err
	})
	return done, out, err
}
