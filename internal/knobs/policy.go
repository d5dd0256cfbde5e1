package knobs

import (
	"math"

	"github.com/forgemind/forgemind/schema"
)

// Resolve returns the compaction policy that config.json chooses and the
// thresholds that hold for it: those of the policy memfas are the knobs', unless
// config.json says one.
func (s Set) Resolve(c *schema.Compaction) (policy string, t schema.Thresholds) {
	policy, t = c.Resolve()
	if policy != schema.PolicyMemfas {
		return policy, t
	}
	set := schema.Thresholds{}
	if c.Thresholds != nil {
		set = *c.Thresholds
	}
	for _, one := range []struct {
		into  *float64
		ratio float64
		there float64
	}{
		{&t.Curation, s.CurationTrigger, set.Curation},
		{&t.Compaction, s.CompactionTrigger, set.Compaction},
		{&t.HardLimit, s.MaxContext, set.HardLimit},
	} {
		if one.there == 0 {
			*one.into = math.Round(1e5*one.ratio) / 1e3
		}
	}
	return policy, t
}
