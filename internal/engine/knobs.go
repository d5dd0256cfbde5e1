package engine

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// readKnobs reads context-config.yaml; what config.json sets holds before it. What
// is wrong with it keeps nothing from being done: the defaults hold, and
// `validate` says where.
func (r *round) readKnobs() error {
	set, err := knobs.Read(r.tx)
	if err != nil {
		return err
	}
	r.knobs = set
	r.knobs.Knobs = set.Under(r.config.Compaction)
	if n := len(set.Faults); n > 0 {
		f := set.Faults[0]
		r.tell(fmt.Sprintf("%s:%d: %s; 'forgemind validate' says more", f.File, f.Line, f.Msg))
	}
	return nil
}

// policy is the one that config.json chooses, with the thresholds that hold.
func (r *round) policy() (string, schema.Thresholds) { return r.knobs.Resolve(r.config.Compaction) }

// strategyOf is the strategy of a policy where a command names none.
func strategyOf(policy string) string {
	if policy == schema.PolicyMemfas {
		return compact.Relevance
	}
	return compact.Adaptive
}
