package knobs

import (
	"math"

	"github.com/forgemind/forgemind/schema"
)

// Resolve returns the compaction policy that config.json chooses, and its thresholds. For the
// policy memfas the thresholds come from config.json if it has them, and else from the knobs.
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

// Under returns the knobs that are in force with config.json. For the policy memfas the thresholds
// of config.json replace the three triggers.
func (s Set) Under(c *schema.Compaction) schema.Knobs {
	k := s.Knobs
	if policy, t := s.Resolve(c); policy == schema.PolicyMemfas {
		k.CurationTrigger, k.CompactionTrigger, k.MaxContext = t.Curation/100, t.Compaction/100, t.HardLimit/100
	}
	return k
}
