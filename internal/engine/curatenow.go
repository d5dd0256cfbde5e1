package engine

import (
	"context"

	"github.com/forgemind/forgemind/internal/compact"
)

// Curate is the curation that a trigger makes by the policy memfas, by hand and
// under every policy: what does not answer prompt, which is what the user said last
// where it is empty, leaves the live conversation, and nothing else does.
func (t *Tree) Curate(ctx context.Context, prompt string) (Compacted, Outcome, error) {
	var done Compacted
	out, err := t.doComparing(ctx, func(r *round) (err error) {
		o := r.compactOptions()
		o.Strategy, o.Curate, o.Force, o.Prompt = compact.Relevance, true, true, prompt
		done, err = r.carryOut(o, r.logCuration)
		return err
	})
	return done, out, err
}
