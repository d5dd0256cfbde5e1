package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// The triggers that threads, channels and projects have.
const (
	CondenseTrigger = "condensation_requested" // somebody says "condense this discussion"
	IdleTrigger     = "thread_idle"            // nobody spoke in a thread for condense.IdleDays
	ProjectTrigger  = "project_changed"        // a decision of a project, or its project.json
)

// lifecycleTriggers are those of threads and of projects, as config.json would list them.
func lifecycleTriggers() []schema.Trigger {
	return []schema.Trigger{
		{Name: CondenseTrigger, Enabled: true, Actions: []string{"condense_discussion"}, Condition: triggers.MessageRequestsCondensation},
		{
			Name: IdleTrigger, Enabled: true, Actions: []string{"archive_idle_threads"},
			Condition: fmt.Sprintf("%s >= %d", triggers.ThreadIdleDays, condense.IdleDays),
		},
		{Name: ProjectTrigger, Enabled: true, Actions: []string{"refresh_project_context"}, Condition: triggers.ProjectChanged},
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

// condenseDiscussion condenses every discussion that somebody asked to have
// condensed, and every thread that was resolved and not condensed yet.
func condenseDiscussion(r *round, _ triggers.Firing) error {
	all, _, err := condense.Threads(r.tx)
	if err != nil {
		return err
	}
	for _, t := range condense.Uncondensed(all) {
		if _, _, err := r.condenseAsked(Discussion{Thread: t.ID}, t.File); err != nil {
			return err
		}
	}
	var talks []string
	for name, err := range below(r.tx, "threads", "channels") {
		if err != nil {
			return err
		}
		talks = append(talks, name)
	}
	_, err = r.condenseRequests(talks)
	return err
}

// condenseRequests condenses the discussions among names in which somebody asks
// for it, and which were not condensed since.
func (r *round) condenseRequests(names []string) (done []Condensed, err error) {
	talks := map[string]bool{}
	for _, name := range names {
		talks[condense.TalkAt(name)] = true
	}
	delete(talks, "")
	for _, name := range slices.Sorted(maps.Keys(talks)) {
		var d Discussion
		asks := false
		err := r.tx.Try(func(*fs.Tx) (err error) {
			d, asks, err = r.request(name)
			return err
		})
		if errors.Is(err, fs.ErrUnsettled) || fs.Unread(err) && len(r.event.Heard) == 0 { // a watcher looks again
			return done, err
		}
		if err != nil {
			r.tell(err.Error())
		}
		if !asks || !r.occur(triggers.Facts{triggers.MessageRequestsCondensation: true}, CondenseTrigger)[CondenseTrigger] {
			continue
		}
		before := r.tx.Staged()
		c, condensed, err := r.condenseAsked(d, name)
		if err != nil {
			return done, err
		}
		if !condensed {
			continue
		}
		done = append(done, c)
		r.firedOn(CondenseTrigger, fmt.Sprintf("somebody asked for it in %s", name), "condense_discussion", differing(before, r.tx.Staged())...)
	}
	return done, nil
}

// request says whether somebody asks in the conversation at name to have it
// condensed, and what that is.
func (r *round) request(name string) (d Discussion, asks bool, err error) {
	switch kind := path.Base(path.Dir(path.Dir(name))); kind {
	case "threads":
		t, ok := condense.ThreadAt(r.tx, name)
		if !ok || t.Condensation != "" {
			return d, false, nil
		}
		messages, _, err := condense.Talk(r.tx, name)
		if err != nil {
			return d, false, err
		}
		d = Discussion{Thread: t.ID, Agent: r.event.Agent}
		return d, slices.ContainsFunc(messages, condense.Asked), nil
	case "channels":
		d = Discussion{Channel: path.Base(path.Dir(name)), Agent: r.event.Agent}
		at, stretch, _, err := condense.ChannelStretch(r.tx, r.home, d.Channel)
		if err != nil || at != name {
			return d, false, err
		}
		return d, slices.ContainsFunc(stretch, condense.Asked), nil
	}
	return d, false, nil
}

// condenseAsked condenses the discussion at name, and says whether anything new
// came of that. One that can't be condensed is told of: neither what was said in it
// nor the other discussions wait for that.
func (r *round) condenseAsked(d Discussion, name string) (c Condensed, condensed bool, err error) {
	err = r.tx.Try(func(*fs.Tx) (err error) {
		c, err = r.condense(d, nil)
		return err
	})
	switch {
	case err == nil:
		return c, !c.Already, nil
	case errors.Is(err, ErrNothingSaid):
		return c, false, nil
	case errors.Is(err, fs.ErrUnsettled): // it is tried again
		return c, false, err
	}
	r.failed(CondenseTrigger, name+" is to be condensed", "condense_discussion", err)
	return c, false, nil
}

// archiveIdle puts the threads away in which nobody spoke for long.
func (r *round) archiveIdle() error {
	return r.byItself(IdleTrigger, "archive_idle_threads", func() (reason string, err error) {
		idle, err := condense.ArchiveDue(r.tx, r.actor(), r.at, r.idle)
		var ids []string
		for _, t := range idle {
			ids = append(ids, t.ID)
		}
		return fmt.Sprintf("nobody spoke in %.200s for long", cmp.Or(strings.Join(ids, ", "), "a thread")), err
	})
}

// byItself does what is due, and notes that it fired where that wrote
// something. A watcher goes on without what cannot be done, and tells of it.
func (r *round) byItself(trigger, action string, do func() (reason string, err error)) error {
	before, reason := r.tx.Staged(), ""
	err := r.tx.Try(func(*fs.Tx) (err error) {
		reason, err = do()
		return err
	})
	wrote := differing(before, r.tx.Staged())
	switch {
	case err != nil && (len(r.event.Heard) == 0 || errors.Is(err, fs.ErrUnsettled)):
		return err
	case err != nil:
		r.failed(trigger, reason, action, err)
	case len(wrote) > 0:
		r.firedOn(trigger, reason, action, wrote...)
	}
	return nil
}

// failed notes that a trigger fired, and that its action could not be done.
func (r *round) failed(trigger, reason, action string, err error) {
	r.out.Fired = append(r.out.Fired, Fired{Trigger: trigger, Reason: reason, Actions: []Acted{{Action: action, Built: true, Err: err}}})
}

// hearOthers does what is due in threads and channels that others wrote to.
func (r *round) hearOthers() error {
	if len(r.event.Heard) == 0 {
		return nil
	}
	if _, err := r.condenseRequests(r.event.Heard); err != nil {
		return err
	}
	if !r.event.Idle {
		return nil
	}
	return r.archiveIdle()
}

// renderDiscussions brings the views of threads and pins up to date whose records this
// round staged, or others changed. Where git does not track views, what only they have
// becomes records.
func (r *round) renderDiscussions() error {
	names := slices.AppendSeq(slices.Clone(r.event.Heard), maps.Keys(r.tx.Staged()))
	names = slices.DeleteFunc(names, func(name string) bool { return !ofDiscussion(name) })
	if len(names) == 0 {
		return nil
	}
	if r.config.Records() {
		if err := condense.MakeRecords(r.tx, names, r.actor(), r.at); err != nil {
			return err
		}
	}
	return condense.Render(r.tx, names)
}

// ofDiscussion reports whether a file is of a thread or of a channel.
func ofDiscussion(name string) bool {
	_, below, _ := strings.Cut(name, "/")
	dir, _, _ := strings.Cut(below, "/")
	return dir == fs.ThreadsDir || dir == fs.ChannelsDir
}

// renewContexts brings the CONTEXT.md files up to date where what this round staged, or what
// others wrote here, is of a project. For what git brought that is due where it would change them.
func (r *round) renewContexts() error {
	here, fetched := r.heardOfProjects()
	here = slices.AppendSeq(append(here, r.written...), maps.Keys(r.tx.Staged()))
	fetched = append(fetched, r.fetched...)
	here = slices.DeleteFunc(here, func(name string) bool { return fs.Place(name) != fs.DocProject && fs.Place(name) != fs.DocDecision })
	if len(here)+len(fetched) == 0 || !anyBelow(r.tx, "projects") { // then no decision needs be read
		return nil
	}
	if slices.ContainsFunc(here, r.ofProject) {
		return r.byItself(ProjectTrigger, "refresh_project_context", func() (reason string, err error) {
			if r.occur(triggers.Facts{triggers.ProjectChanged: true}, ProjectTrigger)[ProjectTrigger] {
				_, err = r.refreshProjects()
			}
			return "what a project stands on changed", err
		})
	}
	if slices.ContainsFunc(fetched, r.ofProject) {
		r.renewFetched()
	}
	return nil
}

// heardOfProjects returns the projects and decisions that a watcher heard of and that differ from the
// last commit, and the projects that git brought. Very many decisions are not compared.
func (r *round) heardOfProjects() (here, fetched []string) {
	var decisions []string
	for _, name := range r.event.Heard {
		switch fs.Place(name) {
		case fs.DocProject:
			here = append(here, name)
		case fs.DocDecision:
			decisions = append(decisions, name)
		}
	}
	if len(decisions) <= mostCauses {
		here = append(here, decisions...)
	}
	held, err := r.committed(here)
	if held == nil && err == nil { // there is no repository
		return here, nil
	}
	here = slices.DeleteFunc(here, func(name string) bool {
		src, unread := r.tree.ReadUnsettled(name)
		committed, ok := held[name]
		same := err != nil || ok == (unread == nil) && bytes.Equal(src, committed)
		if same && fs.Place(name) == fs.DocProject {
			fetched = append(fetched, name)
		}
		return same
	})
	return here, fetched
}

// renewFetched is renewContexts for what git brought.
func (r *round) renewFetched() {
	queued := len(r.queue)
	if r.occur(triggers.Facts{triggers.ProjectChanged: true}, ProjectTrigger)[ProjectTrigger] {
		f := triggers.Firing{Trigger: ProjectTrigger, Reason: "others changed what a project stands on", Actions: []string{"refresh_project_context"}}
		r.queue = append(r.queue, firing{Firing: f})
	}
	for i := range r.queue[queued:] {
		r.queue[queued+i].reach, r.queue[queued+i].decisions = brought, r.decisionsOf(batch, brought)
	}
}

// ofProject says whether a document is one that a CONTEXT.md is made from: a
// project.json, or a decision that can be of a project.
func (r *round) ofProject(name string) bool {
	switch fs.Place(name) {
	case fs.DocProject:
		return true
	case fs.DocDecision:
		src, err := r.tx.Read(name)
		if err != nil {
			return missing(err) // gone: no CONTEXT.md may show it
		}
		var d schema.Decision
		return jsonedit.Decode(src, &d) == nil && (d.Project != "" || d.Channel != "" || len(d.Supersedes) > 0)
	}
	return false
}
