package session

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// signDone begins the lines of what was done.
const signDone = "✅ "

// A statement is a sentence about the progress of the session.
type statement struct {
	text   string
	from   string
	at     int     // number of messages before it
	weight float64 // importance
	goal   bool    // from a goal, so it holds until the goal changes
	claim  claim
}

func stated(text, from string, at int, weight float64) statement {
	return statement{text: strings.TrimSpace(text), from: from, at: at, weight: weight, claim: claimOf(text)}
}

func aGoal(text, from string, at int) statement {
	s := stated(text, from, at, 1)
	s.goal = true
	return s
}

// progress returns a function that returns at most so many lines: what was done, what is being
// done and what is pending, each sorted by time. An announcement that was done later is left out.
func (a *account) progress(hot schema.HotContext, about schema.SessionMetadata) func(most int) []templates.SummaryLine {
	done := distinctByTime(a.done(hot, about))
	doing := newestOf(distinctByTime(unmet(a.doing(hot), done)), doingMost)
	pending := slices.DeleteFunc(distinctByTime(unmet(a.pending(hot), done)), func(s statement) bool {
		return !s.goal && slices.ContainsFunc(doing, func(d statement) bool { return d.claim.covers(s.claim, much) })
	})
	return func(most int) (lines []templates.SummaryLine) {
		pending := newestOf(pending, min(pendingMost, most/3))
		for _, part := range []struct {
			sign string
			of   []statement
		}{{signDone, newestOf(done, most-len(doing)-len(pending))}, {"🔄 ", doing}, {"⏳ Pending: ", pending}} {
			for _, s := range part.of {
				lines = append(lines, templates.SummaryLine{Text: part.sign + s.text, From: s.from})
			}
		}
		return lines
	}
}

// done returns what was completed, done, or decided without being a key decision.
func (a *account) done(hot schema.HotContext, about schema.SessionMetadata) (all []statement) {
	for _, d := range about.Completed {
		text := cmp.Or(d.Goal, d.Action)
		all = append(all, aGoal(text, a.origin(d.ID, text), a.before(d.Completed)))
	}
	for _, g := range hot.ActiveGoals {
		if g.Status == Complete {
			all = append(all, aGoal(g.Goal, a.origin(g.ID, g.Goal), len(a.messages)))
		}
	}
	for i, m := range a.messages {
		before := len(all)
		for _, text := range a.work[i].Done {
			all = append(all, stated(text, m.ID, i, importance(m)))
		}
		if text := decided(m); text != "" {
			s := stated(asDecided(text, m.Content), m.ID, i, importance(m))
			told := slices.ContainsFunc(a.said, func(c claim) bool { return c.covers(s.claim, much) }) ||
				slices.ContainsFunc(all[before:], func(d statement) bool { return d.claim.covers(s.claim, 1) })
			if !told {
				all = append(all, s)
			}
		}
	}
	return all
}

// asDecided returns a decision as a line of progress, in its original words if they say that it is
// a decision.
func asDecided(decision, content string) string {
	lower := strings.ToLower(content)
	for _, words := range []string{"on ", "to "} {
		if strings.Contains(lower, "decided "+words+strings.ToLower(decision)) {
			return "Decided " + words + decision
		}
	}
	if who, _, ok := strings.Cut(strings.ToLower(decision), "decided "); ok && len(strings.Fields(who)) <= 3 { // "we have all decided"
		return capped(decision)
	}
	return "Decided: " + decision
}

// doing returns what each agent last said it is working on, and the goals in progress other than
// the objective.
func (a *account) doing(hot schema.HotContext) (all []statement) {
	objective := a.said[0]
	last := map[string]bool{}
	for i, m := range slices.Backward(a.messages) {
		if who := speaker(m); len(a.work[i].Doing) > 0 && !last[who] {
			last[who] = true
			for _, text := range a.work[i].Doing {
				if s := stated(text, m.ID, i, importance(m)); !objective.covers(s.claim, 1) {
					all = append(all, s)
				}
			}
		}
	}
	return append(all, a.goals(hot, InProgress)...)
}

// pending returns what messages call pending, and the pending goals.
func (a *account) pending(hot schema.HotContext) (all []statement) {
	for i, m := range a.messages {
		for _, text := range a.work[i].Pending {
			all = append(all, stated(text, m.ID, i, importance(m)))
		}
	}
	return append(all, a.goals(hot, Pending)...)
}

// goals returns the goals with a status, except the one in the objective.
func (a *account) goals(hot schema.HotContext, status string) (all []statement) {
	main := mainGoal(hot, schema.SessionMetadata{})
	for _, g := range hot.ActiveGoals {
		if g != main && (g.Status == status || g.Status == "" && status == Pending) {
			all = append(all, aGoal(g.Goal, a.origin(g.ID, g.Goal), a.before(g.Created)))
		}
	}
	return all
}

// unmet returns the statements that nothing done later fulfills.
func unmet(all, done []statement) []statement {
	return slices.DeleteFunc(all, func(s statement) bool {
		return !s.goal && slices.ContainsFunc(done, func(d statement) bool { return d.at > s.at && d.claim.covers(s.claim, much) })
	})
}

// distinctByTime returns statements sorted by time without empty and duplicate ones. Of duplicates it keeps a
// goal, or else the newest.
func distinctByTime(all []statement) (kept []statement) {
	slices.SortStableFunc(all, func(a, b statement) int { return cmp.Compare(a.at, b.at) })
	for _, s := range all {
		if len(s.claim.terms) == 0 {
			continue
		}
		i := slices.IndexFunc(kept, func(k statement) bool { return k.claim.same(s.claim) })
		switch {
		case i < 0:
			kept = append(kept, s)
		case s.goal || !kept[i].goal:
			kept = append(slices.Delete(kept, i, i+1), s)
		}
	}
	return kept
}

// newestOf returns the n most important statements sorted by time. Of equally important ones it
// takes the newest.
func newestOf(all []statement, n int) []statement {
	order := make([]int, len(all))
	for i := range order {
		order[i] = len(all) - 1 - i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[b].weight, all[a].weight) })
	order = order[:min(len(order), n)]
	slices.Sort(order)
	kept := make([]statement, len(order))
	for i, at := range order {
		kept[i] = all[at]
	}
	return kept
}
