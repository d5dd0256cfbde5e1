package engine

import (
	"bytes"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
	"github.com/forgemind/forgemind/validate"
)

// The triggers that threads, channels and projects have.
const (
	CondenseTrigger = "condensation_requested" // somebody says "condense this discussion"
	IdleTrigger     = "thread_idle"            // nobody spoke in a thread for condense.IdleDays
	ProjectTrigger  = "project_changed"        // a decision of a project, or its project.json
)

// The actions of CondenseTrigger, IdleTrigger and ProjectTrigger.
const (
	condenseAction = "condense_discussion"
	archiveAction  = "archive_idle_threads"
	refreshAction  = "refresh_project_context"
)

// lifecycleTriggers are those of threads and of projects, as config.json would list them.
func lifecycleTriggers() []schema.Trigger {
	return []schema.Trigger{
		{Name: CondenseTrigger, Enabled: true, Actions: []string{condenseAction}, Condition: triggers.MessageRequestsCondensation},
		{
			Name: IdleTrigger, Enabled: true, Actions: []string{archiveAction},
			Condition: fmt.Sprintf("%s >= %d", triggers.ThreadIdleDays, condense.IdleDays),
		},
		{Name: ProjectTrigger, Enabled: true, Actions: []string{refreshAction}, Condition: triggers.ProjectChanged},
	}
}

// below are the names in folders of either home.
func below(r fs.Reader, dirs ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, home := range []string{fs.Forgemind, fs.Quaid} {
			for _, dir := range dirs {
				for name, err := range r.Names(path.Join(home, dir)) {
					if !yield(name, err) {
						return
					}
				}
			}
		}
	}
}

// anyBelow says whether there is anything in folders of either home.
func anyBelow(r fs.Reader, dirs ...string) bool {
	for range below(r, dirs...) {
		return true
	}
	return false
}

// renderDiscussions brings the views of threads and pins up to date whose records this
// round staged, or others changed. Where git does not track views, what only they have
// becomes records.
func (r *round) renderDiscussions() error {
	staged := slices.DeleteFunc(slices.Collect(maps.Keys(r.tx.Staged())), func(name string) bool { return !ofDiscussion(name) })
	if len(staged) > 0 && r.config.Records() {
		if err := condense.MakeRecords(r.tx, staged, r.actor, r.at); err != nil {
			return err
		}
	}
	if err := condense.Render(r.tx, staged); err != nil {
		return err
	}
	return r.renderDiscussed()
}

// renderDiscussed brings the views of threads and pins up to date that others wrote, or whose records they
// did. One that cannot be read stays as it is, as does one that git brought.
func (r *round) renderDiscussed() error {
	views := slices.DeleteFunc(slices.Clone(r.discussed), func(name string) bool { return fs.Place(name) != fs.DocThread && fs.Place(name) != fs.DocPins })
	held, err := r.committed(slices.DeleteFunc(slices.Clone(views), func(name string) bool { return fs.Ignores(r.tx, name) }))
	if err != nil {
		return nil
	}
	for _, name := range views {
		err := r.tryFor(func() error { return r.renderDiscussion(name, held[name]) })
		if err := r.leave(err, name); err != nil {
			return err
		}
	}
	return nil
}

// renderDiscussion is renderDiscussed for one view, of which the last commit holds held.
func (r *round) renderDiscussion(name string, held []byte) error {
	before, err := r.maybe(name)
	switch {
	case err != nil:
		return err
	case before == nil:
		return condense.Render(r.tx, []string{name})
	case bytes.Equal(before, held) || validate.Unreadable(name, before) && !condense.Unmerged(before):
		return nil
	}
	if err := condense.Render(r.tx, []string{name}); err != nil {
		return err
	}
	after, err := r.maybe(name)
	if note := condense.Undone(name, before, after); note != "" {
		r.tell(note)
	}
	return err
}

// ofDiscussion reports whether a file is of a thread or of a channel.
func ofDiscussion(name string) bool {
	_, below, _ := strings.Cut(name, "/")
	dir, _, _ := strings.Cut(below, "/")
	return dir == fs.ThreadsDir || dir == fs.ChannelsDir
}
