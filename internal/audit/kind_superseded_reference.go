package audit

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

var supersededReference = Kind{
	Name:    "superseded-reference",
	Summary: "A note, a CONTEXT.md or another text goes by a decision that was superseded.",
	look: func(s *survey) {
		for _, note := range s.notes {
			s.mentions(note, 75, 60)
		}
		for _, context := range s.contexts {
			s.mentions(context, 85, 70)
		}
		s.mentionsInRecords()
	},
}

// mentions reports the mentions of superseded decisions in a markdown file, by id and
// by their words.
func (s *survey) mentions(d document, byID, restated int) {
	page := newPage(string(d.src), true)
	found := s.old.byID(page)
	for _, m := range append(found, s.old.restated(page, found)...) {
		if s.behind(d.name, m.id) {
			continue // reported by context-behind
		}
		score := byID
		if m.restated {
			score = restated
		}
		s.mention(spot{d.name, m.line, 1}, score, m)
	}
}

// mention reports one mention of a superseded decision.
func (s *survey) mention(at spot, score int, m mention) {
	says := "names " + plain(m.id)
	if m.restated {
		says = "says what " + plain(m.id) + " decided"
	}
	message := fmt.Sprintf("it %s, which %s superseded", says, plain(m.by))
	if i, known := s.byID[m.by]; known {
		if when, err := schema.ParseTime(s.decisions[i].Timestamp); err == nil {
			message += " on " + day(when)
		}
	}
	s.add(at, score, m.id, message, fmt.Sprintf("say what %s decides instead, or mark the passage as superseded", plain(m.by)),
		at.evidence(m.text), s.decision(m.by))
}

// mentionsInRecords reports mentions in open work and in notes of a session.
func (s *survey) mentionsInRecords() {
	look := func(name, pointer, text string) {
		p := newPage(text, true)
		for _, m := range s.old.byID(p) {
			at := s.spot(name, pointer)
			m.line, m.text = at.line, text
			s.mention(at, 70, m)
		}
	}
	if st := s.state; st != nil {
		for i, a := range st.PendingActions {
			look(fs.State, fmt.Sprintf("/pending_actions/%d", i), a.Action)
		}
		for i, q := range st.OpenQuestions {
			look(fs.State, fmt.Sprintf("/open_questions/%d", i), q.Question)
		}
	}
	if hot := s.hot; hot != nil {
		name := session.HotContext(s.active)
		for i, a := range hot.PendingActions {
			if !s.inState(a.ID) {
				look(name, fmt.Sprintf("/pending_actions/%d", i), a.Action)
			}
		}
		for i, g := range hot.ActiveGoals {
			if g.Status != "complete" {
				look(name, fmt.Sprintf("/active_goals/%d", i), g.Goal)
			}
		}
		for i, c := range hot.ImportantConstraints {
			look(name, fmt.Sprintf("/important_constraints/%d", i), c.Constraint)
		}
		for i, n := range hot.Notes {
			look(name, fmt.Sprintf("/notes/%d", i), n.Note)
		}
	}
}

// inState reports whether the State shows an action or a question too. An item of both
// documents is reported once.
func (s *survey) inState(id string) bool {
	if s.state == nil || id == "" {
		return false
	}
	if s.shown == nil {
		s.shown = map[string]bool{}
		for _, a := range s.state.PendingActions {
			s.shown[a.ID] = true
		}
		for _, q := range s.state.OpenQuestions {
			s.shown[q.ID] = true
		}
	}
	return s.shown[id]
}
