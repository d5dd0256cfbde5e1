package engine

import (
	"fmt"
	"path"
	"slices"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// place replaces the project and the channel of a decision by their full names. A
// decision without either gets those of the decisions that it supersedes, if they
// agree. The error is a *session.UnknownError if there is no such project.
func (r *WorkingSet) place(d *schema.Decision) error {
	if d.Project == "" && d.Channel == "" {
		return r.inherit(d)
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
			r.addNote(fmt.Sprintf("no project has the channel %s, and it has no messages yet", text.Limit(d.Channel, 80)))
		}
	}
	return nil
}

// inherit sets project and channel from the decisions that d supersedes.
func (r *WorkingSet) inherit(d *schema.Decision) error {
	first := true
	for _, id := range d.Supersedes {
		old, err := ledger.Get(r.tx, id)
		switch {
		case isMissing(err): // only a view has it, or it is unknown, which complete reports
			continue
		case err != nil:
			return err
		case first:
			d.Project, d.Channel, first = old.Project, old.Channel, false
		case d.Project != old.Project || d.Channel != old.Channel:
			d.Project, d.Channel = "", ""
			return nil
		}
	}
	return nil
}

// knowsChannel reports whether a channel belongs to a project or has messages.
func (r *WorkingSet) knowsChannel(projects []condense.Project, channel string) bool {
	if slices.ContainsFunc(projects, func(p condense.Project) bool { return p.HasChannel(channel) }) {
		return true
	}
	for range namesIn(r.tx, path.Join("threads", channel), path.Join("channels", channel)) {
		return true
	}
	return false
}
