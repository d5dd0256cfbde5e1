package condense

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// ContextOf returns the sections that a project's CONTEXT.md should have. The argument decisions
// holds all known decisions, including those of other projects.
func ContextOf(p Project, decisions []schema.Decision) []templates.ContextSection {
	standing := schema.Current(decisions)
	all := standing.All()
	known := make(map[string]schema.Decision, len(all))
	for _, d := range all {
		known[d.ID] = d
	}
	var holding []schema.Decision
	var superseded []templates.Superseded
	for _, d := range p.decisions(standing) {
		if by, ok := standing.SupersededBy(d.ID); ok {
			superseded = append(superseded, templates.Superseded{Decision: d, By: known[by]})
		} else {
			holding = append(holding, d)
		}
	}
	slices.Reverse(holding)
	slices.Reverse(superseded)
	return templates.ContextSections(p.ProjectRecord, holding, superseded)
}

// decisions returns the project's decisions sorted by time: those that name it, those of its
// channels that name no project, and of those that name neither the ones that supersede one of the
// project's decisions or are superseded by one.
func (p Project) decisions(standing schema.Standing) []schema.Decision {
	all := standing.All()
	ours := map[string]bool{}
	homeless := func(d schema.Decision) bool { return d.Project == "" && d.Channel == "" }
	for _, d := range all {
		switch {
		case d.Project != "":
			ours[d.ID] = p.HasName(d.Project)
		case d.Channel != "":
			ours[d.ID] = p.HasChannel(d.Channel)
		default:
			ours[d.ID] = slices.ContainsFunc(d.Supersedes, func(id string) bool { return ours[id] })
		}
	}
	for _, d := range slices.Backward(all) {
		if by, ok := standing.SupersededBy(d.ID); ok && homeless(d) && ours[by] {
			ours[d.ID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(d schema.Decision) bool { return !ours[d.ID] })
}

// HasChannel reports whether a channel belongs to the project.
func (p Project) HasChannel(name string) bool {
	name = ChannelID(name)
	return slices.ContainsFunc(p.Channels, func(c string) bool { return ChannelID(c) == name })
}
