package dash

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A standing is where the project stands, as its State says.
type standing struct {
	Name    string   `json:"name"`
	Layer   int      `json:"layer"`
	Layers  []string `json:"layers"`  // the names of all, from 0
	Clarity float64  `json:"clarity"` // percent
	Role    string   `json:"role,omitempty"`
}

// stands reads where the project stands; nil where no State says so.
func (s *Server) stands() *standing {
	src, err := s.Tree.Read(fs.State)
	var state schema.State
	if err != nil || jsonedit.Decode(src, &state) != nil || state.Project == nil {
		return nil // the alerts say why
	}
	now := &standing{
		Name: clip(state.Project.Name, 200), Layer: int(state.Project.CurrentLayer), Clarity: state.Project.Clarity,
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
	return now
}

// A holding lists the records in force, as the brief tells them.
type holding struct {
	Goals       list `json:"goals"`
	Next        list `json:"next"`
	Questions   list `json:"open_questions"`
	Constraints list `json:"constraints"`
	Decisions   list `json:"decisions"`
	Notes       list `json:"notes"`

	Faults []string `json:"faults,omitempty"` // what could not be read
}

// A list is the part of a section of the brief that has room.
type list struct {
	Items []brief.Item `json:"items"`
	Total int          `json:"total"`
}

// held reads what holds now.
func (s *Server) held() holding {
	const most = 6000 // tokens
	h, _ := s.holds.get(s.news.of(ofHealth), func() (holding, error) {
		b := brief.Make(brief.Read(s.Tree), brief.Options{MaxTokens: most})
		of := func(s brief.Section) list { return list{append([]brief.Item{}, s.Items...), s.Total} }
		return holding{of(b.Goals), of(b.Next), of(b.Questions), of(b.Constraints), of(b.Decisions), of(b.Notes), clipAll(b.Faults, shortText, few)}, nil
	})
	return h
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
