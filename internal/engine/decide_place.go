package engine

import (
	"fmt"
	"path"
	"slices"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

// place sets the project and the channel that a decision names to their ids. A project that is
// not there is a *session.Unknown.
func (r *round) place(d *schema.Decision) error {
	if d.Project == "" && d.Channel == "" {
		return nil
	}
	projects, _, err := condense.Projects(r.tx)
	if err != nil {
		return err
	}
	if d.Project != "" {
		p, err := r.project(d.Project)
		if err != nil {
			return err
		}
		d.Project = p.Slug()
	}
	if d.Channel != "" {
		d.Channel = condense.ChannelID(d.Channel)
		if !r.knowsChannel(projects, d.Channel) {
			r.tell(fmt.Sprintf("no project has the channel %s, and nobody said anything in it yet", clipped(d.Channel)))
		}
	}
	return nil
}

// inherit takes project and channel from the decisions that d supersedes, where they agree and d
// names none.
func (r *round) inherit(d *schema.Decision) error {
	if d.Project != "" || d.Channel != "" {
		return nil
	}
	first := true
	for _, id := range d.Supersedes {
		old, err := records.GetDecision(r.tx, id)
		switch {
		case missing(err): // it stands in a view only, or nowhere, which is said elsewhere
			continue
		case err != nil:
			return err
		case old.IsProposed():
		case first:
			d.Project, d.Channel, first = old.Project, old.Channel, false
		case d.Project != old.Project || d.Channel != old.Channel:
			d.Project, d.Channel = "", ""
			return nil
		}
	}
	return nil
}

// knowsChannel says whether a channel is a project's, or something was said in it.
func (r *round) knowsChannel(projects []condense.Project, channel string) bool {
	if slices.ContainsFunc(projects, func(p condense.Project) bool { return p.HasChannel(channel) }) {
		return true
	}
	for range below(r.tx, path.Join("threads", channel), path.Join("channels", channel)) {
		return true
	}
	return false
}
