package compact

import "fmt"

// document plans by the document's algorithms 1 and 2. It returns why nothing
// is to be done, if so.
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

// before takes out everything before the last messages, but for what is
// essential; a session summary also leaves changes of the layer.
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
			m.goes("an old output of a tool")
		default:
			m.goes(fmt.Sprintf("before the last %d messages", recents))
		}
	}
}

// adapt plans by the document's algorithm 3: the level is that of the usage,
// and the next one where it does not bring usage below the goal. It returns why
// nothing is to be done, if so.
func (t *talk) adapt(p *Plan, w window) string {
	if note := w.waits(t.o, w.goal); note != "" {
		return note
	}
	level := w.level()
	if t.o.Force {
		level = max(level, aggressive)
	}
	// What no level can reach is no reason to take more than this one asks.
	hopeless := !w.reaches(0)
	best, taken, tried, why := *p, -1, -1, ""
	for ; level <= emergency; level++ {
		q := *p
		tried = level
		if note := t.carry(&q, func() { t.step(level) }); note != "" {
			if why = note; hopeless || w.reaches(t.tokens) {
				break // nor is usage low enough a reason to take what a higher level asks
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

// step takes out what a level asks for, before the last messages.
func (t *talk) step(level int) {
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
			m.goes("an old output of a tool")
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

// settle takes the question out that a clarification answers, so that it does
// not stand there as if it were open.
func (t *talk) settle(question int) {
	if question < 0 || question >= t.recent {
		return
	}
	if q := &t.messages[question]; q.essential == "" && q.kind == Question && !q.important() {
		q.goes("a question that was answered")
	}
}

// carry gives every message its verdict, and the Plan the summary and the
// figures that follow. Where that makes nothing smaller it takes all back and
// says so.
func (t *talk) carry(p *Plan, decide func()) string {
	decide()
	count, tokens := t.leaving()
	if count == 0 {
		t.keepAll(earlierSummary)
		if t.fixed() == t.tokens {
			return "there are decisions and pins alone, which are never cut"
		}
		return fmt.Sprintf("each message has a reason to stay; a budget (--budget) below %s tokens takes out more", thousands(t.tokens))
	}
	t.weigh()
	limit := summaryLimit(tokens)
	if t.o.Strategy == Relevance {
		limit = min(limit, max(pointerLimit, t.o.Knobs.SummaryTargetTokens))
	}
	summary, cost := t.summary(limit)
	return t.settled(p, tokens, summary, cost)
}

// settled writes a summary and the figures that follow from the verdicts into
// the Plan, unless nothing gets smaller.
func (t *talk) settled(p *Plan, left int, summary string, cost int) string {
	if cost >= left {
		t.keepAll("a summary would cost as much")
		return fmt.Sprintf("what could leave costs %s tokens, and its summary would cost as much", thousands(left))
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

// short notes why the goal is not reached.
func (t *talk) short(p *Plan, w window) {
	if note := w.short(p.TokensAfter); note != "" {
		p.Notes = append(p.Notes, note)
	}
}
