package condense

import (
	"slices"

	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// ContextOf returns the sections that a project's CONTEXT.md should have.
// decisions are all that are known, those of other projects too.
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
	sections := templates.ContextSections(p.ProjectRecord, holding, superseded)
	for i := range sections {
		for k, l := range sections[i].Lines {
			if l.Decision != "" { // another program may have recorded a secret in it
				sections[i].Lines[k].Text, _ = secret.Mask(l.Text)
				sections[i].Lines[k].Says, _ = secret.Mask(l.Says)
			}
		}
	}
	return sections
}

// decisions are the project's, in order of time: those that name it, those of
// its channels that name no project, and of those that name neither what
// supersedes one of the project's or is superseded by one.
func (p Project) decisions(standing schema.Standing) []schema.Decision {
	all := standing.All()
	ours := map[string]bool{}
	homeless := func(d schema.Decision) bool { return d.Project == "" && d.Channel == "" }
	for _, d := range all {
		switch {
		case d.Project != "":
			ours[d.ID] = p.Called(d.Project)
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

// HasChannel says whether a channel is one of the project's.
func (p Project) HasChannel(name string) bool {
	name = ChannelID(name)
	return slices.ContainsFunc(p.Channels, func(c string) bool { return ChannelID(c) == name })
}
