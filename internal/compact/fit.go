package compact

import (
	"cmp"
	"fmt"
	"slices"
)

// fit plans what fits into Options.Budget by Relevance: pins, which cost no more;
// decisions, what is essential and the last messages as far as they fit, the
// newest first; a summary, which names those of them that do not; and in the
// room that is left what answers the prompt best. It returns why nothing is to
// be done, if so.
func (t *talk) fit(p *Plan, w window) string {
	t.weigh()
	t.judge()
	share := t.summaryShare()
	room, reserve := t.protect(share)
	for range 3 { // what has no room is to be named, and takes room itself
		if cost := t.outsideCost(); cost > 0 {
			room, reserve = t.protect(share + cost)
		}
	}
	share = max(share, reserve)
	room = t.fillByScore(room)
	_, left := t.leaving()
	summary, cost := t.summary(min(room+reserve, share))
	if t.tokens-left+cost > t.o.Budget {
		summary, cost = "", 0
	}
	if note := t.settled(p, left, summary, cost); note != "" {
		return note
	}
	p.Level = levels[max(aggressive, w.level())]
	if n := len(t.outside); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("%s of those that stay whatever they score have no room in the budget; the summary names what it has room for", thousands(n)))
	}
	t.short(p, w)
	return ""
}

// protect keeps pins, and of decisions, what is essential and the last messages
// what there is room for beside a reserve for the summary. What decisions need is
// not reserved as long as all of them fit. It returns the room that is left, and
// the reserve.
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
		if m.kind == Decision {
			decisions += m.tokens
		}
	}
	reserve = min(room/2, share)
	if decisions <= room {
		reserve = min(room-decisions, share)
	}
	room -= reserve
	t.outside = t.outside[:0]
	for _, m := range t.protected() {
		if m.tokens > room {
			t.outside = append(t.outside, m)
			continue
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

// protected are the messages that stay whatever they score, pins apart, in the
// order in which they are given room: decisions, what is essential, the last
// messages, and tools' outputs among these; of each the newest first.
func (t *talk) protected() (all []*message) {
	rank := func(m *message) int {
		switch {
		case m.kind == Decision:
			return 0
		case m.essential != "":
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

// tooManyPins says what a budget fails by that the pins alone exceed.
func (t *talk) tooManyPins() string {
	n := 0
	for _, m := range t.messages {
		if m.pinned {
			n++
		}
	}
	return fmt.Sprintf("%s pinned, at %s tokens, the budget is %s, and pins are never cut: nothing was changed",
		are(n, "message"), thousands(t.pins()), thousands(t.o.Budget))
}

// pins is what they cost.
func (t *talk) pins() (cost int) {
	for _, m := range t.messages {
		if m.pinned {
			cost += m.tokens
		}
	}
	return cost
}
