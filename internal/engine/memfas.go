package engine

import (
	"strconv"

	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// The triggers that a tree has by the policy memfas, at the thresholds of
// context-config.yaml.
const (
	CurationTrigger  = "token_curation"  // at CURATION_TRIGGER_PCT
	ThresholdTrigger = "token_threshold" // at COMPACTION_TRIGGER_PCT
	LimitTrigger     = "hard_limit"      // at MAX_CONTEXT_PCT
	RecoveryTrigger  = "prompt_recovery" // at a user's message
)

// recoverAction is the action of RecoveryTrigger.
const recoverAction = "recover_chunks"

// memfasTriggers are those on how full the window is, the most pressing first:
// what it did needs not be done again. None by another policy.
func memfasTriggers(c schema.Config, k knobs.Set) []schema.Trigger {
	policy, t := k.Resolve(c.Compaction)
	if policy != schema.PolicyMemfas {
		return nil
	}
	at := func(percent float64) string {
		return "context_usage_percent >= " + strconv.FormatFloat(percent, 'f', -1, 64)
	}
	return []schema.Trigger{
		{Name: LimitTrigger, Enabled: true, Condition: at(t.HardLimit), Actions: []string{compactAction, "preserve_critical_info"}},
		{Name: ThresholdTrigger, Enabled: true, Condition: at(t.Compaction), Actions: []string{compactAction, "preserve_critical_info"}},
		{Name: CurationTrigger, Enabled: true, Condition: at(t.Curation), Actions: []string{"curate", "preserve_critical_info"}},
	}
}

// recoveryTrigger is the one on what a user says, as config.json would list it;
// none by another policy.
func recoveryTrigger(c schema.Config) []schema.Trigger {
	if policy, _ := c.Compaction.Resolve(); policy != schema.PolicyMemfas {
		return nil
	}
	return []schema.Trigger{{
		Name: RecoveryTrigger, Enabled: true, Actions: []string{recoverAction},
		Condition: triggers.UserPrompted,
	}}
}
