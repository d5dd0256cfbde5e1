package compact

import (
	"fmt"
	"math"
)

// The reasons why a message leaves with Relevance, as logs and cold storage name them.
const (
	lowRelevance    = "low_relevance"    // its score is below RELEVANCE_CUTOFF
	mediumRelevance = "medium_relevance" // below KEEP_THRESHOLD
	toolOutput      = "tool_output"      // outputs of tools leave first
	noRoom          = "no_room"          // it has a high score, but the budget or the window is full
)

// adjust plans by the memfas plan: a message whose score reaches KEEP_THRESHOLD stays, one
// below RELEVANCE_CUTOFF is dropped, and those between are summarized. It returns why there
// is nothing to do, if so.
func (t *talk) adjust(p *Plan, w window) string {
	if note := w.waits(t.o, w.goal); note != "" {
		return note
	}
	level := w.level()
	if t.o.Force {
		level = max(level, medium)
	}
	if t.o.Curate {
		level = light
	}
	if t.settledAt(level) {
		return "nothing was said since the last compaction, which went as far"
	}
	if note := t.carry(p, func() { t.sift(level) }); note != "" {
		return note
	}
	p.Level, p.Mark = levels[level], t.mark(level)
	t.short(p, w)
	return ""
}

// sift sets the verdicts at a level.
func (t *talk) sift(level int) {
	t.judge()
	for i := range t.messages {
		t.place(&t.messages[i], level, i >= t.recent)
	}
}

// place decides the verdict of a message at a level.
func (t *talk) place(m *message, level int, last bool) {
	k := t.o.Knobs
	score := m.thousandths()
	switch {
	case m.kind == Summary:
		if !last {
			m.goes("")
		}
	case m.essential != "":
		m.keep(m.essential)
	case last:
		m.keep(fmt.Sprintf("one of the last %d messages", k.MinChunksToKeep))
	case level < emergency && score >= thousandths(k.KeepThreshold):
		m.keep("it answers the prompt")
	case score < thousandths(k.RelevanceCutoff), level >= medium && m.kind == ToolOutput:
		t.drop(m)
	case level < medium:
		m.keep("not below the cutoff, which is all that curation drops")
	case k.SummarizeMediumChunks || level >= emergency:
		t.drop(m)
	default:
		m.keep("between the thresholds, and SUMMARIZE_MEDIUM_CHUNKS is off")
	}
}

// drop decides how a message is removed: if the knobs say so, a message with any
// similarity to the prompt is summarized.
func (t *talk) drop(m *message) {
	k := t.o.Knobs
	low, medium := m.thousandths() < thousandths(k.RelevanceCutoff), m.thousandths() < thousandths(k.KeepThreshold)
	switch {
	case m.kind == Summary:
		m.goes("")
	case m.kind == ToolOutput:
		m.leave(Dropped, toolOutput)
	case m.essential != "":
		m.leave(Summarised, noRoom)
	case low:
		m.leave(Dropped, lowRelevance)
	case !k.SummarizeMediumChunks:
		m.leave(Dropped, noRoom)
	case medium:
		m.leave(Summarised, mediumRelevance)
	default:
		m.leave(Summarised, noRoom)
	}
}

// thousandths returns the score of a message, 0 if it was not compared.
func (m *message) thousandths() int {
	if m.parts == nil {
		return 0
	}
	return m.parts.Score
}

// thousandths returns a threshold in the unit of scores.
func thousandths(ratio float64) int { return int(math.Round(1000 * ratio)) }
