package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// briefProjects returns the projects that a brief refers to: all, or the given one, and then
// keeps only its decisions.
func briefProjects(r fs.Reader, rec *brief.Records, which string) ([]condense.Project, error) {
	all, faults, err := condense.Projects(r)
	if err != nil {
		rec.Faults = append(rec.Faults, err.Error())
	}
	for _, f := range faults {
		rec.Faults = append(rec.Faults, f.Name+" cannot be read as a project")
	}
	if which == "" {
		return all, nil
	}
	p, err := condense.FindProject(all, which)
	if err != nil {
		return nil, cmp.Or(condense.FirstUnread(faults), err)
	}
	ours := ofProject(p, rec.Standing.All())
	rec.Mine = func(d *schema.Decision) bool { return ours[d.ID] }
	return []condense.Project{p}, nil
}

// ofProject returns the ids of the decisions of a project; all is in order of time. They name
// the project, or one of its channels and no project, or name neither and supersede one of
// its decisions.
func ofProject(p condense.Project, all []schema.Decision) map[string]bool {
	channels := map[string]bool{}
	for _, c := range p.Channels {
		channels[condense.ChannelID(c)] = true
	}
	ours := map[string]bool{}
	for i := range all {
		d := &all[i]
		mine := false
		switch {
		case d.Project != "":
			mine = strings.EqualFold(d.Project, p.Name) || strings.EqualFold(d.Project, p.ID) || strings.EqualFold(d.Project, p.Slug())
		case d.Channel != "":
			mine = channels[condense.ChannelID(d.Channel)]
		default:
			mine = slices.ContainsFunc(d.Supersedes, func(id string) bool { return ours[id] })
		}
		if mine {
			ours[d.ID] = true
		}
	}
	return ours
}
