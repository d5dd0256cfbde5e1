package engine

import (
	"strconv"

	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// The triggers of the policy memfas, at the thresholds of context-config.yaml.
const (
	CurationTrigger  = "token_curation"  // at CURATION_TRIGGER_PCT
	ThresholdTrigger = "token_threshold" // at COMPACTION_TRIGGER_PCT
	LimitTrigger     = "hard_limit"      // at MAX_CONTEXT_PCT
	RecoveryTrigger  = "prompt_recovery" // at a user's message
)

// memfasTriggers returns the triggers of the policy memfas on the usage of the window,
// the most urgent first: what it did need not be done again. Other policies have none.
func memfasTriggers(c schema.Config, k knobs.Set) []schema.Trigger {
	policy, t := k.Resolve(c.Compaction)
	if policy != schema.PolicyMemfas {
		return nil
	}
	at := func(percent float64) string {
		return "context_usage_percent >= " + strconv.FormatFloat(percent, 'f', -1, 64)
	}
	return []schema.Trigger{
		{Name: LimitTrigger, Enabled: true, Condition: at(t.HardLimit), Actions: []string{"trigger_compaction", "preserve_critical_info"}},
		{Name: ThresholdTrigger, Enabled: true, Condition: at(t.Compaction), Actions: []string{"trigger_compaction", "preserve_critical_info"}},
		{Name: CurationTrigger, Enabled: true, Condition: at(t.Curation), Actions: []string{"curate", "preserve_critical_info"}},
	}
}

// recoveryTrigger returns the trigger of the policy memfas on a user's message, as
// config.json would list it; nil for other policies.
func recoveryTrigger(c schema.Config) []schema.Trigger {
	if policy, _ := c.Compaction.Resolve(); policy != schema.PolicyMemfas {
		return nil
	}
	return []schema.Trigger{{
		Name: RecoveryTrigger, Enabled: true, Actions: []string{"recover_chunks"},
		Condition: triggers.UserPrompted,
	}}
}
