package compact

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/text"
)

// document plans by algorithms 1 and 2 of the CMS document. It returns why there is nothing
// to do, if so.
func (t *talk) document(p *Plan, w window) string {
	if note := w.waits(t.o, w.threshold()); note != "" {
		return note
	}
	if note := t.carry(p, func() { t.before(t.o.Strategy) }); note != "" {
		return note
	}
	p.Level = levels[max(medium, w.level())]
	t.short(p, w)
	return ""
}

// before removes everything before the last messages, except essential messages; a session
// summary also keeps changes of the layer.
func (t *talk) before(strategy string) {
	for i := range t.messages {
		m := &t.messages[i]
		switch {
		case m.essential != "":
			m.keep(m.essential)
		case i >= t.recent:
			m.keep(fmt.Sprintf("one of the last %d messages", recents))
		case m.kind == LayerChange && strategy == SessionSummary:
			m.keep("a change of the layer")
		case m.kind == ToolOutput:
			m.goes(OldOutput)
		default:
			m.goes(fmt.Sprintf("before the last %d messages", recents))
		}
	}
}

// adapt plans by algorithm 3 of the CMS document: it uses the level of the usage, and the
// next one if that does not reach the goal. It returns why there is nothing to do, if so.
func (t *talk) adapt(p *Plan, w window) string {
	if note := w.waits(t.o, w.goal); note != "" {
		return note
	}
	level := w.level()
	if t.o.Force {
		level = max(level, aggressive)
	}
	// If no level can reach the goal, a higher level is not used.
	hopeless := !w.reaches(0)
	best, taken, tried, why := *p, -1, -1, ""
	for ; level <= emergency; level++ {
		q := *p
		tried = level
		if note := t.carry(&q, func() { t.step(level) }); note != "" {
			if why = note; hopeless || w.reaches(t.tokens) {
				break // usage does not require the higher level
			}
			continue
		}
		if taken < 0 || q.TokensAfter < best.TokensAfter {
			q.Level = levels[level]
			best, taken = q, level
		}
		if hopeless || w.reaches(q.TokensAfter) {
			break
		}
	}
	if taken < 0 {
		return why
	}
	if taken != tried {
		t.carry(&best, func() { t.step(taken) })
	}
	*p = best
	t.short(p, w)
	return ""
}

// step removes the messages of a level before the last messages.
func (t *talk) step(level int) {
	t.reset()
	for i := range t.messages {
		m := &t.messages[i]
		switch {
		case m.kind == Summary && i < t.recent:
			m.goes("")
		case m.essential != "":
			m.keep(m.essential)
		case i >= t.recent:
			m.keep(fmt.Sprintf("one of the last %d messages", recents))
		case m.kind == LayerChange:
			m.keep("a change of the layer")
		case m.kind == ToolOutput:
			m.goes(OldOutput)
		case level < emergency && m.important():
			m.keep("marked as important")
		case m.kind == Clarification && level >= medium:
			m.goes("a clarification")
			t.settle(m.answered)
		case level >= aggressive:
			m.goes("before the last messages, and not essential")
		default:
			m.keep("nothing that this level takes out")
		}
	}
}

// settle removes the question that a clarification answers, so that it does not look open.
func (t *talk) settle(question int) {
	if question < 0 || question >= t.recent {
		return
	}
	if q := &t.messages[question]; q.essential == "" && q.kind == Question && !q.important() {
		q.goes("a question that was answered")
	}
}

// carry sets the verdict of every message, and the summary and the figures of the Plan.
// If the result is not smaller, it undoes everything and notes that.
func (t *talk) carry(p *Plan, decide func()) string {
	decide()
	count, tokens := t.leaving()
	if count == 0 {
		t.keepAll()
		return "there is nothing that could leave the conversation"
	}
	t.weigh()
	limit := summaryLimit(tokens)
	if t.o.Strategy == Relevance {
		limit = min(limit, max(pointerLimit, t.o.Knobs.SummaryTargetTokens))
	}
	summary, cost := t.summary(limit)
	return t.settled(p, tokens, summary, cost)
}

// settled sets the summary of the Plan and the figures that follow from the verdicts, unless
// nothing gets smaller.
func (t *talk) settled(p *Plan, left int, summary string, cost int) string {
	if cost >= left {
		t.reset()
		return fmt.Sprintf("what could leave costs %s tokens, and its summary would cost as much", text.Thousands(left))
	}
	p.Summary, p.TokensAfter, p.Ratio = summary, t.tokens-left+cost, 1
	if cost > 0 {
		p.Ratio = float64(left) / float64(cost)
	}
	p.From, p.To = "", ""
	for _, m := range t.messages {
		if m.verdict == Kept || m.kind == Summary || m.Timestamp == "" {
			continue
		}
		if p.From == "" {
			p.From = m.Timestamp
		}
		p.To = m.Timestamp
	}
	t.grade()
	return ""
}

// short adds a note of why the goal is not reached.
func (t *talk) short(p *Plan, w window) {
	if note := w.short(p.TokensAfter); note != "" {
		p.Notes = append(p.Notes, note)
	}
}
