package dash

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A projected holds the projects of a tree.
type projected struct {
	all    []project
	faults []fault
}

// A project is a project with its CONTEXT.md.
type project struct {
	ID string `json:"id"` // name of its folder
	schema.ProjectRecord
	File    string   `json:"file"`
	Context string   `json:"context"`           // name of its CONTEXT.md
	Behind  []string `json:"behind"`            // differences between its CONTEXT.md and what that should contain
	Text    string   `json:"text,omitempty"`    // text of its CONTEXT.md, in the view of one project
	Missing string   `json:"missing,omitempty"` // why there is no text
}

// projected returns the projects, and reads them again if one of them or a decision changed.
func (s *Server) projected() (projected, error) {
	return s.projects.get(s.news.of(ofProjects), func() (projected, error) {
		all, faults, err := condense.Projects(s.Tree)
		if err != nil || len(all)+len(faults) == 0 {
			return projected{}, err
		}
		decisions, _ := engine.Decisions(s.Tree)
		p := projected{faults: faultsOf(faults)}
		for _, one := range all {
			listed := project{ID: one.Slug(), ProjectRecord: one.ProjectRecord, File: one.File, Context: one.Context, Behind: []string{}}
			lags, err := condense.Stale(s.Tree, one, decisions)
			if err != nil {
				listed.Behind = append(listed.Behind, clip(err.Error(), shortText))
			}
			for _, l := range lags {
				listed.Behind = append(listed.Behind, clip(l.String(), shortText))
			}
			listed.clip()
			p.all = append(p.all, listed)
		}
		slices.SortStableFunc(p.all, func(a, b project) int { // blocked projects first
			return cmp.Or(cmp.Compare(stopped(b), stopped(a)), strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
		})
		return p, nil
	})
}

func stopped(p project) int {
	if p.Blocked != "" {
		return 1
	}
	return 0
}

func (p *project) clip() {
	for _, text := range []*string{&p.Name, &p.Phase, &p.Active, &p.Blocked} {
		*text = clip(*text, shortText)
	}
	p.Channels, p.Constraints, p.Behind = clipAll(p.Channels, word, many), clipAll(p.Constraints, shortText, many), clipAll(p.Behind, shortText, many)
}

// listProjects answers /api/projects, blocked ones first. The parameter q filters them.
func (s *Server) listProjects(r *http.Request) (any, error) {
	all, err := s.projected()
	if err != nil {
		return nil, err
	}
	words := soughtIn(r)
	var matched []project
	for _, p := range all.all {
		text := strings.Join(slices.Concat([]string{p.ID, p.Name, p.Phase, p.Active, p.Blocked}, p.Channels, p.Constraints), "\n")
		if words.in(strings.ToLower(text)) {
			matched = append(matched, p)
		}
	}
	cut, list, err := pageOf(r, len(all.all), matched)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Channels, list[i].Constraints, list[i].Behind = clipAll(list[i].Channels, word, few), clipAll(list[i].Constraints, word, few), clipAll(list[i].Behind, word, few)
	}
	return struct {
		page
		Projects []project `json:"projects"`
		Faults   []fault   `json:"faults,omitempty"`
	}{cut, list, firstFaults(all.faults)}, nil
}

// showProject answers /api/projects/{id} with the project and its CONTEXT.md.
func (s *Server) showProject(r *http.Request) (any, error) {
	all, err := s.projected()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all.all, func(p project) bool { return p.ID == r.PathValue("id") })
	if i < 0 {
		return nil, errMissing
	}
	p := all.all[i]
	src, err := s.Tree.Read(p.Context)
	if err != nil {
		p.Missing = clip(err.Error(), shortText)
	}
	p.Text = clip(string(src), longText)
	return struct {
		Version int `json:"version"`
		project
	}{1, p}, nil
}
