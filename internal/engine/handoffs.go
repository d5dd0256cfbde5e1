package engine

import (
	"context"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// HandOff records the result of a task and returns it as it stands: an empty From
// or Created is filled in.
func (t *Tree) HandOff(ctx context.Context, h schema.Handoff) (made condense.Handoff, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		r.event.Agent = h.From
		given := h
		r.sign(&given.From)
		fill(&given.Created, schema.FormatTime(r.at))
		var masked []string
		made, masked, err = condense.AddHandoff(r.tx, r.home, given, r.tree.edge.Random)
		r.masked = append(r.masked, masked...)
		return err
	})
	return made, out, err
}

// ArchiveHandoff says that the handoff is done with which the id or the task names.
func (t *Tree) ArchiveHandoff(ctx context.Context, which, agent string) (done condense.Handoff, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		by := agent
		fill(&by, r.actor())
		done, err = condense.ArchiveHandoff(r.tx, which, schema.FormatTime(r.at), by)
		return err
	})
	return done, out, err
}
