package audit

import (
	"fmt"
)

var unblockedAction = Kind{
	Name:    "unblocked-action",
	Summary: "An action waits for something that is done.",
	look: func(s *survey) {
		actions, questions := s.waiting()
		done := s.finished()
		open := map[string]bool{} // an open item is settled only where it is listed
		for _, a := range actions {
			open[a.ID] = true
		}
		for _, q := range questions {
			open[q.ID] = true
		}
		delete(open, "")
		for _, a := range actions {
			for n, blocker := range a.BlockedBy {
				if open[blocker] {
					continue
				}
				if e, ok := s.settled(blocker, done); ok {
					pointer := fmt.Sprintf("/pending_actions/%d/blocked_by", a.index)
					if len(a.BlockedBy) > 1 {
						pointer += fmt.Sprintf("/%d", n)
					}
					s.add(s.spot(a.name, pointer), 70, title(a.ID, a.Action.Action)+" "+blocker,
						fmt.Sprintf("the action %s waits for %s, which is done", title(a.ID, a.Action.Action), plain(blocker)),
						"take it out of blocked_by: the action can go on", e, Evidence{Text: a.Action.Action})
				}
			}
		}
	},
}

// settled reports whether the item that an action waits for is settled: a question is
// answered, an action is done, or it is a decision.
func (s *survey) settled(blocker string, done map[string]Evidence) (Evidence, bool) {
	s.readAnswers()
	if a, ok := s.answerByID[blocker]; ok {
		return a.at, true
	}
	if e, ok := done[blocker]; ok {
		return e, true
	}
	if _, known := s.byID[blocker]; known {
		return s.decision(blocker), true
	}
	words := sameWords(blocker)
	if a, ok := s.answerByText[words]; ok && words != "" {
		return a.at, true
	}
	e, ok := done[words]
	return e, ok && words != ""
}
