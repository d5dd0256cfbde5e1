package compact

import (
	"cmp"
	"fmt"
	"slices"
)

// budget plans what fits into Options.Budget: decisions and pins whatever they
// cost, then what else is essential, the newest of the last messages, a summary, and
// in the room that is left the messages that tell most for what they cost. It
// returns why nothing is to be done, if so.
func (t *talk) budget(p *Plan, w window) string {
	budget := t.o.Budget
	if t.tokens <= budget {
		return fmt.Sprintf("the conversation costs %s tokens, within the budget of %s", thousands(t.tokens), thousands(budget))
	}
	switch t.o.Strategy {
	case PSD, SessionSummary, Adaptive, Relevance:
	default:
		return fmt.Sprintf("there is no strategy %.40q", t.o.Strategy)
	}
	t.weigh()
	room := budget - t.fillFixed()
	reserve := 0
	if room > 0 {
		reserve = min(room, t.summaryShare())
	}
	room -= reserve
	room = t.fillEssential(room)
	room = t.fillRecent(room)
	if t.favour >= few {
		// Where the user says little, it is what all the rest is about.
		part := room * 3 / 4
		room -= part - t.fillRest(part, func(m *message) bool { return m.user })
	}
	room = t.fillRest(room, func(*message) bool { return true })
	count, left := t.leaving()
	if count == 0 && t.fixed() > budget { // an earlier summary alone leaves only for a smaller one that fits
		t.keepAll(earlierSummary)
		return t.overBudget()
	}
	summary, cost := t.summary(max(pointerLimit, min(room+reserve, max(budget/8, reserve))))
	if t.tokens-left+cost > budget && t.fixed() <= budget {
		summary, cost = "", 0
	}
	if count == 0 && summary == "" {
		t.keepAll(earlierSummary)
		return fmt.Sprintf("a budget of %s tokens has no room for the summary of what left before, which stays", thousands(budget))
	}
	if note := t.settled(p, left, summary, cost); note != "" {
		return note
	}
	p.Level = levels[max(aggressive, w.level())]
	if p.TokensAfter > budget {
		p.Notes = append(p.Notes, t.overBudget())
	}
	t.short(p, w)
	return ""
}

// overBudget says what a budget that cannot be kept to fails by.
func (t *talk) overBudget() string {
	return fmt.Sprintf("decisions and pins cost %s tokens, the budget is %s, and decisions are never cut", thousands(t.fixed()), thousands(t.o.Budget))
}

// fixed is what decisions and pins cost.
func (t *talk) fixed() (cost int) {
	for _, m := range t.messages {
		if m.kind == Decision || m.pinned {
			cost += m.tokens
		}
	}
	return cost
}

// few is how many times as long as the user's messages the others' are where
// the user is said to say little.
const few = 1.5

// summaryShare is what the summary may cost of the budget: a fourteenth, twice
// that where the user says little (by Relevance, which keeps what the user said
// first, a twentieth), more where files were changed, a quarter at most.
func (t *talk) summaryShare() int {
	share := t.o.Budget / 14
	switch {
	case t.o.Strategy == Relevance:
		share = t.o.Budget / 20
	case t.favour >= few:
		share *= 2
	}
	files := 0
	for _, path := range t.changed(func(m *message) bool { return true }) {
		files += t.o.Count(path) + 2
	}
	return min(t.o.Budget/4, share+files)
}

// fillFixed marks all messages as leaving but decisions and pins, and returns
// what those cost.
func (t *talk) fillFixed() (cost int) {
	for i := range t.messages {
		m := &t.messages[i]
		m.goes("no room in the budget")
		if m.kind == Decision || m.pinned {
			m.keep(m.essential)
			cost += m.tokens
		}
	}
	return cost
}

// fillEssential keeps what is essential, the newest first, and returns the room
// that is left.
func (t *talk) fillEssential(room int) int {
	for i := len(t.messages) - 1; i >= 0; i-- {
		m := &t.messages[i]
		if m.essential == "" || m.verdict == Kept || m.tokens > room {
			continue
		}
		m.keep(m.essential)
		room -= m.tokens
	}
	return room
}

// fillRecent keeps as many of the last messages as fit, the newest first.
// Where not all fit, the tools' outputs that take the most leave first.
func (t *talk) fillRecent(room int) int {
	var last []*message
	cost := 0
	for i := t.recent; i < len(t.messages); i++ {
		if m := &t.messages[i]; m.verdict != Kept && m.kind != Summary {
			last = append(last, m)
			cost += m.tokens
		}
	}
	huge := slices.DeleteFunc(slices.Clone(last), func(m *message) bool { return m.kind != ToolOutput || m.tokens <= room/8 })
	slices.SortStableFunc(huge, func(a, b *message) int { return cmp.Compare(b.tokens, a.tokens) })
	for _, m := range huge {
		if cost <= room {
			break
		}
		m.leave(Dropped, fmt.Sprintf("a huge output of a tool (%s tokens) among the last %d messages", thousands(m.tokens), recents))
		cost -= m.tokens
		last = slices.DeleteFunc(last, func(other *message) bool { return other == m })
	}
	for _, m := range slices.Backward(last) {
		if m.tokens <= room {
			m.keep(fmt.Sprintf("one of the last %d messages", recents))
			room -= m.tokens
		}
	}
	return room
}

// fillRest keeps those of some messages that tell most for what they cost, as
// long as there is room.
func (t *talk) fillRest(room int, of func(m *message) bool) int {
	var rest []*message
	for i := range t.messages {
		m := &t.messages[i]
		if m.verdict != Kept && m.kind != Summary && m.tokens <= room && i < t.recent && of(m) {
			rest = append(rest, m)
		}
	}
	slices.SortStableFunc(rest, func(a, b *message) int { return cmp.Compare(b.density, a.density) })
	for _, m := range rest {
		if m.tokens <= room {
			if m.keep("tells much for what it costs"); m.user {
				m.reason = "what the user said"
			}
			room -= m.tokens
		}
	}
	return room
}
