package health

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Suggestion is a change that the numbers support.
type Suggestion struct {
	Knob string  `json:"knob,omitzero"` // "" if no knob helps
	Now  float64 `json:"now,omitzero"`
	Try  float64 `json:"try,omitzero"`
	Text string  `json:"text"` // for people
}

// Reasons of drops of the strategy relevance.
const (
	LowRelevance    = "low_relevance"
	MediumRelevance = "medium_relevance"
	ToolOutput      = "tool_output"
	NoRoom          = "no_room"
)

// The minimum numbers of lines for a suggestion: smaller numbers may be chance.
const (
	leastMistakes = 3
	leastDrops    = 50
	leastRuns     = 5
)

// step is the change of a knob in a suggestion, in thousandths.
const step = 50

func suggest(logs Logs, fates []fate, t Tuning, k schema.Knobs) []Suggestion {
	all := []Suggestion{}
	for _, s := range []Suggestion{
		lowerCutoff(logs.Drops, fates, k),
		raiseCutoff(logs.Drops, fates, t, k),
		missedTools(t),
		compactSooner(logs.Health, t, k),
		curateLater(logs.Health, t, k),
	} {
		if s.Text != "" {
			all = append(all, s)
		}
	}
	return all
}

// byCutoff reports whether the present cutoff would drop what d dropped for its score.
func byCutoff(d schema.LogDrop, k schema.Knobs) bool {
	return d.Reason == LowRelevance && scored(d) && relevance.Thousandths(d.RelevanceScore) < relevance.Thousandths(k.RelevanceCutoff)
}

// A trial counts the drops that a lower cutoff would have prevented.
type trial struct {
	cutoff         int // thousandths
	hits, misses   int // of the mistakes; of the other drops
	tokens, unused schema.Int
}

// lowerCutoff suggests the cutoff that best separates mistakes from the other drops.
func lowerCutoff(drops []schema.LogDrop, fates []fate, k schema.Knobs) Suggestion {
	now := relevance.Thousandths(k.RelevanceCutoff)
	var trials []trial
	for c := (now - 1) / step * step; c > 0; c -= step {
		trials = append(trials, trial{cutoff: c})
	}
	mistakes, others := 0, 0
	for i, d := range drops {
		if !byCutoff(d, k) {
			continue
		}
		if fates[i].recovered {
			mistakes++
		} else {
			others++
		}
		for j := range trials {
			if relevance.Thousandths(d.RelevanceScore) >= trials[j].cutoff {
				trials[j].count(d, fates[i])
			}
		}
	}
	best, most := trial{}, 0.0
	for _, tr := range trials {
		gain := float64(tr.hits)/float64(max(mistakes, 1)) - float64(tr.misses)/float64(max(others, 1))
		if tr.hits >= leastMistakes && gain > most {
			best, most = tr, gain
		}
	}
	if most < 0.25 { // the scores do not separate them
		return Suggestion{}
	}
	try := float64(best.cutoff) / 1000
	cost := ""
	if best.tokens > 0 {
		cost = fmt.Sprintf(", at a cost of %s tokens", grouped(best.tokens))
		if best.misses > 0 {
			cost += fmt.Sprintf(", %s of them in %d that nobody missed", grouped(best.unused), best.misses)
		}
	}
	return Suggestion{"RELEVANCE_CUTOFF", k.RelevanceCutoff, try, fmt.Sprintf(
		"RELEVANCE_CUTOFF %v instead of %v would not have dropped %d of the %d chunks of low relevance that had to be recovered%s; 'forgemind tune --replay --set RELEVANCE_CUTOFF=%v' shows them",
		try, k.RelevanceCutoff, best.hits, mistakes, cost, try)}
}

func (t *trial) count(d schema.LogDrop, f fate) {
	t.tokens = plus(t.tokens, d.Tokens)
	if f.recovered {
		t.hits++
		return
	}
	t.misses++
	t.unused = plus(t.unused, d.Tokens)
}

// grouped formats a number with groups of digits: "12,000".
func grouped(n schema.Int) string {
	digits := strconv.FormatInt(int64(n), 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// raiseCutoff makes a suggestion for a window that is too full although few dropped
// chunks are recovered.
func raiseCutoff(drops []schema.LogDrop, fates []fate, t Tuning, k schema.Knobs) Suggestion {
	dropped := 0
	for i, d := range drops {
		if byCutoff(d, k) {
			if fates[i].recovered {
				return Suggestion{}
			}
			dropped++
		}
	}
	try := float64(relevance.Thousandths(k.RelevanceCutoff)+step) / 1000
	if dropped < leastDrops || t.Window.Peak < k.MaxContext || try >= k.KeepThreshold || !k.LogRecovery {
		return Suggestion{}
	}
	return Suggestion{"RELEVANCE_CUTOFF", k.RelevanceCutoff, try, fmt.Sprintf(
		"none of the %d chunks dropped for low relevance had to be recovered, and the window was up to %s %% full: RELEVANCE_CUTOFF %v instead of %v would drop more",
		dropped, percentOf(t.Window.Peak), try, k.RelevanceCutoff)}
}

// missedTools makes a suggestion for outputs of tools, which are dropped first whatever
// their score is.
func missedTools(t Tuning) Suggestion {
	for _, m := range t.Recoveries.ByReason {
		if m.Of == ToolOutput && m.Recovered >= leastMistakes && m.Rate >= 0.1 {
			return Suggestion{Text: fmt.Sprintf(
				"%d of %d dropped outputs of tools had to be recovered: they leave first whatever their score; no knob changes that, a pin (metadata.pinned) does",
				m.Recovered, m.Drops)}
		}
	}
	return Suggestion{}
}

// compactSooner makes a suggestion for a window that exceeds its hard limit.
func compactSooner(lines []schema.LogHealth, t Tuning, k schema.Knobs) Suggestion {
	over := 0
	for _, line := range lines {
		if line.PctUsed >= k.MaxContext {
			over++
		}
	}
	try := float64(relevance.Thousandths(k.CompactionTrigger)-step) / 1000
	if over < leastMistakes || try <= k.CurationTrigger {
		return Suggestion{}
	}
	return Suggestion{"COMPACTION_TRIGGER_PCT", k.CompactionTrigger, try, fmt.Sprintf(
		"the window was at MAX_CONTEXT_PCT (%s %%) or above in %d of %d measurements: COMPACTION_TRIGGER_PCT %v instead of %v would compact sooner",
		percentOf(k.MaxContext), over, t.Window.Count, try, k.CompactionTrigger)}
}

// curateLater makes a suggestion for curations that save little.
func curateLater(lines []schema.LogHealth, t Tuning, k schema.Knobs) Suggestion {
	var limits []schema.Int
	for _, line := range lines {
		if line.Limit > 0 {
			limits = append(limits, line.Limit)
		}
	}
	try := float64(relevance.Thousandths(k.CurationTrigger)+step) / 1000
	if t.Curation.Count < leastRuns || len(limits) == 0 || try >= k.CompactionTrigger {
		return Suggestion{}
	}
	slices.Sort(limits)
	window := float64(limits[len(limits)/2])
	if t.Curation.Median >= window/100 {
		return Suggestion{}
	}
	return Suggestion{"CURATION_TRIGGER_PCT", k.CurationTrigger, try, fmt.Sprintf(
		"half of the %d curations saved no more than %s tokens, less than 1 %% of the window: CURATION_TRIGGER_PCT %v instead of %v would curate later, and more at once",
		t.Curation.Count, grouped(schema.Int(t.Curation.Median)), try, k.CurationTrigger)}
}

// percentOf formats a ratio as percent with at most one decimal.
func percentOf(ratio float64) string { return fmt.Sprint(math.Round(ratio*1000) / 10) }
