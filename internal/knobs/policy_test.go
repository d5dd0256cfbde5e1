package knobs_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
)

// The thresholds of config.json take precedence over the knobs, for the policy memfas only.
func TestUnder(t *testing.T) {
	set := knobs.Set{Knobs: schema.DefaultKnobs()}
	set.CompactionTrigger = 0.55
	memfas := func(t schema.Thresholds) *schema.Compaction {
		return &schema.Compaction{Policy: schema.PolicyMemfas, Thresholds: &t}
	}
	for _, c := range []struct {
		what                      string
		config                    *schema.Compaction
		curation, compaction, max float64
	}{
		{"no config.json", nil, 0.4, 0.55, 0.85},
		{"another policy", &schema.Compaction{Policy: schema.PolicyForgemind, Thresholds: &schema.Thresholds{Compaction: 60}}, 0.4, 0.55, 0.85},
		{"memfas", memfas(schema.Thresholds{}), 0.4, 0.55, 0.85},
		{"memfas with thresholds", memfas(schema.Thresholds{Compaction: 60, HardLimit: 90}), 0.4, 0.6, 0.9},
	} {
		if k := set.Under(c.config); k.CurationTrigger != c.curation || k.CompactionTrigger != c.compaction || k.MaxContext != c.max {
			t.Errorf("%s: %v, %v, %v", c.what, k.CurationTrigger, k.CompactionTrigger, k.MaxContext)
		}
	}
}
