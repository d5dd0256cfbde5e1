package schema

import (
	"fmt"
	"strings"
)

// A Contradiction describes knobs whose values contradict each other.
type Contradiction struct {
	Names []string
	Msg   string
}

// Contradictions returns the contradictions among the values of k, such as a trigger
// above the hard limit.
func (k Knobs) Contradictions() []Contradiction {
	var found []Contradiction
	report := func(is bool, why, first, relation, second string) {
		if !is {
			return
		}
		a, _ := k.Get(first)
		b, _ := k.Get(second)
		found = append(found, Contradiction{[]string{first, second}, fmt.Sprintf("%s %s %s %s %s: %s", first, a, relation, second, b, why)})
	}
	report(k.CurationTrigger > k.CompactionTrigger, "curation is to come before compaction, and never would",
		"CURATION_TRIGGER_PCT", "is above", "COMPACTION_TRIGGER_PCT")
	report(k.CompactionTrigger >= k.MaxContext, "compaction is to come before the hard limit, and never would",
		"COMPACTION_TRIGGER_PCT", "is not below", "MAX_CONTEXT_PCT")
	report(k.RelevanceCutoff > k.KeepThreshold, "what scores between them would have to be dropped and kept",
		"RELEVANCE_CUTOFF", "is above", "KEEP_THRESHOLD")
	report(k.MemfasWeight == 0 && k.RecencyBonus == 0, "nothing is left that could tell one chunk from another",
		"MEMFAS_WEIGHT", "and", "RECENCY_BONUS")
	return found
}

// Consistent returns k with the defaults in place of all values that contradict each
// other, and these contradictions.
func (k Knobs) Consistent() (Knobs, []Contradiction) {
	var all []Contradiction
	for found := k.Contradictions(); len(found) > 0; found = k.Contradictions() {
		all = append(all, found...)
		for _, c := range found {
			for _, name := range c.Names {
				knob, _ := FindKnob(name)
				k.Set(name, knob.Default())
			}
		}
	}
	return k, all
}

// deciding lists the knobs that decide what is dropped.
var deciding = []string{"RELEVANCE_CUTOFF", "KEEP_THRESHOLD", "MEMFAS_WEIGHT", "RECENCY_BONUS", "IMPORTANCE_BONUS", "MEMFAS_MIN_SCORE"}

// Deciding returns the knobs that decide what is dropped, with their values, on one
// line. Logs store it as config_used.
func (k Knobs) Deciding() string {
	var line []string
	for _, name := range deciding {
		value, _ := k.Get(name)
		line = append(line, name+"="+value)
	}
	return strings.Join(line, " ")
}
