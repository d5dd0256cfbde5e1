package compact

import (
	"fmt"
	"math"
)

// The reasons why a message leaves by Relevance, as logs and cold storage have
// them.
const (
	lowRelevance    = "low_relevance"    // its score is below RELEVANCE_CUTOFF
	mediumRelevance = "medium_relevance" // below KEEP_THRESHOLD
	toolOutput      = "tool_output"      // what a tool gave goes first
	noRoom          = "no_room"          // it scores well, and the budget or the window is full
)

// adjust plans by the memfas plan: a score that reaches KEEP_THRESHOLD keeps a
// message, one below RELEVANCE_CUTOFF drops it, and those between are summarised.
// It returns why nothing is to be done, if so.
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

// sift takes out what a level asks for.
func (t *talk) sift(level int) {
	t.judge()
	for i := range t.messages {
		t.place(&t.messages[i], level, i >= t.recent)
	}
}

// place says what becomes of a message at a level.
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

// drop says how a message leaves: what answers the prompt at all is summarised
// where the knobs have it so.
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

// thousandths is the score of a message; 0 where it was not compared.
func (m *message) thousandths() int {
	if m.parts == nil {
		return 0
	}
	return m.parts.Score
}

// thousandths is a threshold as scores are written.
func thousandths(ratio float64) int { return int(math.Round(1000 * ratio)) }
