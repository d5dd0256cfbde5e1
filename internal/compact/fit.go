package compact

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/internal/text"
)

const (
	// longStatement is the number of tokens from which on a message is longer than the
	// decision, goal or question that it states.
	longStatement = 128
	// longShare is the divisor of the budget for the share of long statements and the
	// last messages.
	longShare = 20
)

// fit plans by Options.Budget for Relevance. It keeps pins, which always stay; decisions and
// essential messages as far as they fit, the newest first; of the last messages, and of long
// messages that state a decision, as many as fit into a twentieth of the budget; a summary,
// which names those of them that do not fit; and, in the remaining room, the messages that
// answer the prompt best. It returns why there is nothing to do, if so.
func (t *talk) fit(p *Plan, w window) string {
	t.weigh()
	t.judge()
	share := t.summaryShare()
	room, reserve := t.protect(share)
	for range 3 { // naming what has no room takes room itself
		if cost := t.outsideCost(); cost > 0 {
			room, reserve = t.protect(share + cost)
		}
	}
	share = max(share, reserve)
	room = t.fillByScore(room)
	t.outside = slices.DeleteFunc(t.outside, func(m *message) bool { return m.verdict == Kept })
	_, left := t.leaving()
	if t.hasTools() { // names use the room that is too small for a message
		share += room
	}
	summary, cost := t.summary(min(room+reserve, share))
	if t.tokens-left+cost > t.o.Budget {
		summary, cost = "", 0
	}
	if note := t.settled(p, left, summary, cost); note != "" {
		return note
	}
	p.Level = levels[max(aggressive, w.level())]
	if n := len(t.outside); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s protected messages have no room in the budget; the summary names as many as fit", text.Thousands(n)))
	}
	t.short(p, w)
	return ""
}

// protect keeps pins, and as many decisions, essential messages and last messages as have
// room beside a reserve for the summary. As long as all decisions fit, their room is not
// reserved. It returns the remaining room, and the reserve.
func (t *talk) protect(share int) (room, reserve int) {
	room = t.o.Budget
	decisions := 0
	for i := range t.messages {
		m := &t.messages[i]
		if m.pinned {
			m.keep(m.essential)
			room -= m.tokens
			continue
		}
		t.drop(m)
		if m.kind == Decision && !m.isLong() {
			decisions += m.tokens
		}
	}
	reserve = min(room/2, share)
	if decisions <= room {
		reserve = min(room-decisions, share)
	}
	room -= reserve
	t.outside = t.outside[:0]
	share = t.o.Budget / longShare
	for _, m := range t.protected() {
		capped := m.essential == "" || m.isLong()
		if m.tokens > room || capped && m.tokens > share {
			if m.essential != "" {
				t.outside = append(t.outside, m)
			}
			continue
		}
		if capped {
			share -= m.tokens
		}
		if m.essential != "" {
			m.keep(m.essential)
		} else {
			m.keep(fmt.Sprintf("one of the last %d messages", t.o.Knobs.MinChunksToKeep))
		}
		room -= m.tokens
	}
	return room, reserve
}

// isLong reports whether a message is longer than a statement: the decision of somebody
// who pastes code is a small part of the message.
func (m *message) isLong() bool { return m.tokens > longStatement }

// protected returns the messages that stay whatever their score, without pins, in order
// of priority: decisions, essential messages, the last messages and long ones of the
// former, and outputs of tools among the last; each group newest first.
func (t *talk) protected() (all []*message) {
	rank := func(m *message) int {
		switch {
		case m.kind == Decision && !m.isLong():
			return 0
		case m.essential != "" && !m.isLong():
			return 1
		case m.kind != ToolOutput:
			return 2
		}
		return 3
	}
	for i := range slices.Backward(t.messages) {
		m := &t.messages[i]
		if !m.pinned && m.kind != Summary && (m.essential != "" || i >= t.recent) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b *message) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// tooManyPins returns the message for a budget that the pins alone exceed.
func (t *talk) tooManyPins() string {
	n := 0
	for _, m := range t.messages {
		if m.pinned {
			n++
		}
	}
	return fmt.Sprintf("%s pinned, at %s tokens, the budget is %s, and pins are never cut: nothing was changed",
		are(n, "message"), text.Thousands(t.pins()), text.Thousands(t.o.Budget))
}

// pins returns the tokens of the pins.
func (t *talk) pins() (cost int) {
	for _, m := range t.messages {
		if m.pinned {
			cost += m.tokens
		}
	}
	return cost
}
