package engine

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// Plan plans how to shorten messages of a program's window. It changes nothing; Compact
// does.
func (t *Tree) Plan(ctx context.Context, messages []schema.Message, c Compaction) (Compacted, Outcome, error) {
	var done Compacted
	out, err := t.doComparing(ctx, func(r *WorkingSet) error {
		r.compacted = true
		done = Compacted{Plan: compact.Make(messages, r.optionsFor(c))}
		if !done.Empty() {
			var said []byte
			for _, m := range messages {
				said = append(append(said, m.ID...), '\n')
			}
			done.ID = session.CompactionID(said, done.Plan)
		}
		return nil
	})
	return done, out, err
}

// optionsFor returns the options of the Plan of a compaction.
func (r *WorkingSet) optionsFor(c Compaction) compact.Options {
	o := r.compactOptions()
	o.Strategy, o.Budget, o.Force = cmp.Or(c.Strategy, o.Strategy), c.Budget, c.Now
	o.Prompt = c.Prompt
	return o
}
