package engine

import (
	"context"

	"github.com/forgemind/forgemind/internal/compact"
)

// Curate moves the messages that do not answer prompt to cold storage, under any
// policy; a trigger does so under the policy memfas. If prompt is empty, it is the
// user's last message.
func (t *Tree) Curate(ctx context.Context, prompt string) (Compacted, Outcome, error) {
	var done Compacted
	out, err := t.doComparing(ctx, func(r *WorkingSet) (err error) {
		o := r.compactOptions()
		o.Strategy, o.Curate, o.Force, o.Prompt = compact.Relevance, true, true, prompt
		done, err = r.carryOut(o, r.logCuration)
		return err
	})
	return done, out, err
}
