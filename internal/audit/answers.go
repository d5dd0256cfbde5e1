package audit

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An answer is the evidence that a question is answered.
type answer struct {
	at   Evidence
	sure int // score of a finding that uses it
}

// answered finds the answer to an open question: among the clarifications, by id or by
// the question's words, or in a decision that names the question.
func (s *survey) answered(q schema.Question) (answer, bool) {
	s.readAnswers()
	if q.ID != "" {
		if a, ok := s.answerByID[q.ID]; ok {
			return a, true
		}
	}
	a, ok := s.answerByText[sameWords(q.Question)]
	return a, ok && sameWords(q.Question) != ""
}

// readAnswers collects all answers, once.
func (s *survey) readAnswers() {
	if s.answerByID != nil {
		return
	}
	s.answerByID, s.answerByText = map[string]answer{}, map[string]answer{}
	for i := range s.decisions {
		d := &s.decisions[i]
		for _, text := range []string{d.Decision, d.Rationale} {
			for id := range idsIn(text) {
				if strings.HasPrefix(id, "Q-") {
					s.answerByID[id] = answer{s.decision(d.ID), 60}
				}
			}
		}
	}
	for _, c := range s.clarifications {
		if strings.TrimSpace(c.value.Answer) == "" {
			continue
		}
		a := answer{Evidence{File: c.name, Line: max(c.line, 1), At: c.value.AnsweredAt, Text: c.value.Answer}, 85}
		if c.value.ID != "" {
			s.answerByID[c.value.ID] = a
		}
		a.sure = 75
		s.answerByText[sameWords(c.value.Question)] = a
	}
}

// finished returns the completed actions by id and by text.
func (s *survey) finished() map[string]Evidence {
	done := map[string]Evidence{}
	for _, m := range s.metas {
		for _, d := range m.value.Completed {
			e := Evidence{File: m.name, At: d.Completed, Text: d.Action + d.Goal}
			if d.ID != "" {
				done[d.ID] = e
			}
			if d.Action != "" {
				done[sameWords(d.Action)] = e
			}
		}
	}
	for _, h := range s.handoffs {
		if concluded(h.value.Status) {
			e := Evidence{File: h.name, Line: 1, At: h.value.Created, Text: h.value.Task}
			done[h.value.ID] = e
			done[sameWords(h.value.Task)] = e
		}
	}
	delete(done, "")
	return done
}

// concluded reports whether a status means that nothing is left to do.
func concluded(status string) bool {
	switch strings.ToLower(strings.TrimSpace(status)) {
	case "done", "complete", "completed", "finished", "closed", "resolved", "accepted", "merged", "answered":
		return true
	}
	return false
}

// waiting returns the pending actions and open questions of the State and of the active
// session, each once.
func (s *survey) waiting() (actions []waitingAction, questions []waitingQuestion) {
	add := func(name string, as []schema.Action, qs []schema.Question, also bool) {
		for i, a := range as {
			if !also || !s.inState(a.ID) {
				actions = append(actions, waitingAction{name, i, a})
			}
		}
		for i, q := range qs {
			if !also || !s.inState(q.ID) {
				questions = append(questions, waitingQuestion{name, i, q})
			}
		}
	}
	if s.state != nil {
		add(fs.State, s.state.PendingActions, s.state.OpenQuestions, false)
	}
	if s.hot != nil {
		add(session.HotContext(s.active), s.hot.PendingActions, s.hot.OpenQuestions, true)
	}
	return actions, questions
}

// A waitingAction is a pending action with its document and place.
type waitingAction struct {
	name  string
	index int
	schema.Action
}

// A waitingQuestion is an open question with its document and place.
type waitingQuestion struct {
	name  string
	index int
	schema.Question
}
