package dash

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A standing is where the project stands, as its State says.
type standing struct {
	Name      string    `json:"name"`
	Layer     int       `json:"layer"`
	Layers    []string  `json:"layers"`  // the names of all, from 0
	Clarity   float64   `json:"clarity"` // percent
	Role      string    `json:"role,omitempty"`
	Questions []waiting `json:"questions"` // the first that are open
	Actions   []waiting `json:"actions"`   // the first that are pending
}

// A waiting is something that is asked or to be done.
type waiting struct {
	ID       string   `json:"id,omitempty"`
	Text     string   `json:"text"`
	Priority string   `json:"priority,omitempty"`
	Due      string   `json:"due,omitempty"`
	Blocked  []string `json:"blocked_by,omitempty"`
}

// stands reads where the project stands; nil where no State says so.
func (s *Server) stands() *standing {
	const most = 20
	src, err := s.Tree.Read(fs.State)
	var state schema.State
	if err != nil || jsonedit.Decode(src, &state) != nil || state.Project == nil {
		return nil // the alerts say why
	}
	now := &standing{
		Name: clip(state.Project.Name, 200), Layer: int(state.Project.CurrentLayer), Clarity: state.Project.Clarity,
		Questions: []waiting{}, Actions: []waiting{},
	}
	for n := 0; ; n++ {
		name, ok := schema.LayerName(n)
		if !ok {
			break
		}
		now.Layers = append(now.Layers, name)
	}
	if state.Role != nil {
		now.Role = clip(state.Role.Agent, 100)
	}
	hot := health.Hot(s.Tree)
	questions, actions := session.Questions(state.OpenQuestions, hot.OpenQuestions), session.Actions(state.PendingActions, hot.PendingActions)
	for _, q := range questions[:min(len(questions), most)] {
		now.Questions = append(now.Questions, waiting{ID: clip(q.ID, 100), Text: clip(q.Question, shortText), Priority: q.Priority})
	}
	for _, a := range actions[:min(len(actions), most)] {
		now.Actions = append(now.Actions, waiting{clip(a.ID, 100), clip(a.Action, shortText), a.Priority, a.Due, clipAll(a.BlockedBy, word, few)})
	}
	return now
}

// counted is how much there is in the other views. What cannot be read counts as
// nothing here: its view says why.
type counted struct {
	Decisions     int `json:"decisions"`
	Current       int `json:"decisions_current"`
	Condensations int `json:"condensations"`
	Threads       int `json:"threads"`
	Active        int `json:"threads_active"`
	Uncondensed   int `json:"threads_uncondensed"` // came to a conclusion that nothing holds
	Channels      int `json:"channels"`
	Projects      int `json:"projects"`
	Behind        int `json:"projects_behind"` // whose CONTEXT.md is
	Handoffs      int `json:"handoffs"`
	Open          int `json:"handoffs_open"`
}

func (s *Server) counted() counted {
	var c counted
	if d, err := s.decided(); err == nil {
		c.Decisions, c.Current = len(d.newest), d.current
	}
	if all, err := s.condensed(); err == nil {
		c.Condensations = len(all.newest)
	}
	if d, err := s.discussed(); err == nil {
		c.Threads, c.Uncondensed = len(d.all), len(condense.Uncondensed(d.all))
		for _, t := range d.all {
			if t.Status == condense.Active {
				c.Active++
			}
		}
	}
	if all, err := s.channelled(); err == nil {
		c.Channels = len(all)
	}
	if p, err := s.projected(); err == nil {
		c.Projects = len(p.all)
		for _, one := range p.all {
			if len(one.Behind) > 0 {
				c.Behind++
			}
		}
	}
	h := s.handedOn()
	c.Handoffs = len(h.newest)
	for _, one := range h.newest {
		if one.Status == condense.Open {
			c.Open++
		}
	}
	return c
}
