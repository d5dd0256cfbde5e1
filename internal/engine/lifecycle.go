package engine

import (
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

// The triggers of threads, channels and projects.
const (
	CondenseTrigger = "condensation_requested" // somebody says "condense this discussion"
	IdleTrigger     = "thread_idle"            // no message in a thread for condense.IdleDays
	ProjectTrigger  = "project_changed"        // a decision of a project, or its project.json
)

// lifecycleTriggers returns the triggers of threads and of projects, as config.json
// would list them.
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

// namesIn returns the names of the files in the folders dirs of either home.
func namesIn(r fs.Reader, dirs ...string) iter.Seq2[string, error] {
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

// anyIn reports whether one of the folders dirs of either home has a file.
func anyIn(r fs.Reader, dirs ...string) bool {
	for range namesIn(r, dirs...) {
		return true
	}
	return false
}

// condenseDiscussion is an action: it condenses every discussion with a request for
// that, and every thread that was resolved and not condensed yet.
func condenseDiscussion(r *WorkingSet, _ cause) error {
	all, _, err := condense.Threads(r.tx)
	if err != nil {
		return err
	}
	for _, t := range condense.ResolvedUncondensed(all) {
		if _, _, err := r.condenseRequest(Discussion{Thread: t.ID}, t.File); err != nil {
			return err
		}
	}
	var talks []string
	for name, err := range namesIn(r.tx, "threads", "channels") {
		if err != nil {
			return err
		}
		talks = append(talks, name)
	}
	_, err = r.condenseRequests(talks)
	return err
}

// condenseRequests condenses those of the discussions names that have a request for it
// and were not condensed since.
func (r *WorkingSet) condenseRequests(names []string) (done []Condensed, err error) {
	talks := map[string]bool{}
	for _, name := range names {
		talks[condense.TalkAt(name)] = true
	}
	delete(talks, "")
	for _, name := range slices.Sorted(maps.Keys(talks)) {
		var d Discussion
		asks := false
		err := r.tx.Try(func(*fs.Tx) (err error) {
			d, asks, err = r.findRequest(name)
			return err
		})
		if errors.Is(err, fs.ErrUnsettled) || fs.IsUnread(err) && len(r.event.Heard) == 0 { // a watcher tries again
			return done, err
		}
		if err != nil {
			r.addNote(err.Error())
		}
		if !asks || !r.evaluateFacts(triggers.Facts{triggers.MessageRequestsCondensation: true}, CondenseTrigger)[CondenseTrigger] {
			continue
		}
		before := r.tx.Staged()
		c, condensed, err := r.condenseRequest(d, name)
		if err != nil {
			return done, err
		}
		if !condensed {
			continue
		}
		done = append(done, c)
		r.noteFired(CondenseTrigger, fmt.Sprintf("requested in %s", name), "condense_discussion", changedNames(before, r.tx.Staged())...)
	}
	return done, nil
}

// findRequest reports whether a message of the conversation at name asks to condense it, and
// returns the discussion to condense.
func (r *WorkingSet) findRequest(name string) (d Discussion, asks bool, err error) {
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
		return d, slices.ContainsFunc(messages, condense.IsCondenseRequest), nil
	case "channels":
		d = Discussion{Channel: path.Base(path.Dir(name)), Agent: r.event.Agent}
		at, stretch, _, err := condense.ChannelStretch(r.tx, r.home, d.Channel)
		if err != nil || at != name {
			return d, false, err
		}
		return d, slices.ContainsFunc(stretch, condense.IsCondenseRequest), nil
	}
	return d, false, nil
}

// condenseRequest condenses the discussion at name and reports whether that made a new
// condensation. If the discussion cannot be condensed, it adds a note and returns no error, so
// that the messages and the other discussions are handled.
func (r *WorkingSet) condenseRequest(d Discussion, name string) (c Condensed, condensed bool, err error) {
	counted, adopted := r.counted, len(r.out.Adopted)
	err = r.tx.Try(func(*fs.Tx) (err error) {
		c, err = r.condense(d, nil)
		return err
	})
	if err != nil { // its writes were undone
		r.counted, r.out.Adopted = counted, r.out.Adopted[:adopted]
	}
	switch {
	case err == nil:
		return c, !c.Already, nil
	case errors.Is(err, ErrNothingSaid):
		return c, false, nil
	case errors.Is(err, fs.ErrUnsettled): // it is retried
		return c, false, err
	}
	r.noteFailure(CondenseTrigger, name+" is to be condensed", "condense_discussion", err)
	return c, false, nil
}

// archiveIdle archives the idle threads.
func (r *WorkingSet) archiveIdle() error {
	return r.runAutomatic(IdleTrigger, "archive_idle_threads", func() (reason string, err error) {
		idle, err := condense.ArchiveDue(r.tx, r.Actor(), r.at, r.archivable)
		var ids []string
		for _, t := range idle {
			ids = append(ids, t.ID)
		}
		return fmt.Sprintf("no messages in %.200s for a long time", cmp.Or(strings.Join(ids, ", "), "a thread")), err
	})
}

// runAutomatic runs do, and records that the trigger fired if do wrote something. If do
// fails, a watcher records the failure and continues; others get the error.
func (r *WorkingSet) runAutomatic(trigger, action string, do func() (reason string, err error)) error {
	before, reason := r.tx.Staged(), ""
	err := r.tx.Try(func(*fs.Tx) (err error) {
		reason, err = do()
		return err
	})
	wrote := changedNames(before, r.tx.Staged())
	switch {
	case err != nil && (len(r.event.Heard) == 0 || errors.Is(err, fs.ErrUnsettled)):
		return err
	case err != nil:
		r.noteFailure(trigger, reason, action, err)
	case len(wrote) > 0:
		r.noteFired(trigger, reason, action, wrote...)
	}
	return nil
}

// noteFailure records that a trigger fired and that its action failed.
func (r *WorkingSet) noteFailure(trigger, reason, action string, err error) {
	r.out.Fired = append(r.out.Fired, Fired{Trigger: trigger, Reason: reason, Actions: []Acted{{Action: action, Built: true, Err: err}}})
}

// condenseOthersRequests condenses threads and channels that other programs wrote to,
// and archives idle threads.
func (r *WorkingSet) condenseOthersRequests() error {
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

// renderDiscussions renders the views of threads and pins whose records this
// transaction staged or other programs changed. If git ignores views, items that only
// views have become records.
func (r *WorkingSet) renderDiscussions() error {
	names := slices.AppendSeq(slices.Clone(r.event.Heard), maps.Keys(r.tx.Staged()))
	names = slices.DeleteFunc(names, func(name string) bool { return !isDiscussion(name) })
	if len(names) == 0 {
		return nil
	}
	if r.config.Records() {
		if err := condense.MakeRecords(r.tx, names, r.Actor(), r.at); err != nil {
			return err
		}
	}
	return condense.Render(r.tx, names)
}

// isDiscussion reports whether a file belongs to a thread or a channel.
func isDiscussion(name string) bool {
	_, below, _ := strings.Cut(name, "/")
	dir, _, _ := strings.Cut(below, "/")
	return dir == fs.ThreadsDir || dir == fs.ChannelsDir
}

// renewContexts updates the CONTEXT.md files if this transaction or another program
// changed a file of a project.
func (r *WorkingSet) renewContexts() error {
	names := slices.AppendSeq(slices.Concat(r.event.Heard, r.foreign.added), maps.Keys(r.tx.Staged()))
	names = slices.DeleteFunc(names, func(name string) bool { return fs.Place(name) != fs.DocProject && fs.Place(name) != fs.DocDecision })
	if len(names) == 0 {
		return r.refreshBehind()
	}
	return r.runAutomatic(ProjectTrigger, "refresh_project_context", func() (reason string, err error) {
		if anyIn(r.tx, "projects") && slices.ContainsFunc(names, r.isOfProject) && // otherwise no decision needs to be read
			r.evaluateFacts(triggers.Facts{triggers.ProjectChanged: true}, ProjectTrigger)[ProjectTrigger] {
			_, err = r.refreshProjects()
		}
		return "what a project stands on changed", err
	})
}

// refreshBehind renders all CONTEXT.md files that git ignores if one of them is out of
// date.
func (r *WorkingSet) refreshBehind() error {
	heard := func(name string) bool { return fs.IsContext(name) || path.Base(name) == "about.md" }
	if !r.config.LocalViews() || len(r.tx.Staged()) == 0 && !slices.ContainsFunc(r.event.Heard, heard) || !r.contextsBehind() {
		return nil
	}
	_, err := r.refreshProjects()
	return err
}

// isOfProject reports whether CONTEXT.md is made from a document: a project.json, or a
// decision that may belong to a project.
func (r *WorkingSet) isOfProject(name string) bool {
	switch fs.Place(name) {
	case fs.DocProject:
		return true
	case fs.DocDecision:
		src, err := r.tx.Read(name)
		if err != nil {
			return isMissing(err) // removed: no CONTEXT.md may show it
		}
		var d schema.Decision
		return jsonedit.Decode(src, &d) == nil && (d.Project != "" || d.Channel != "" || len(d.Supersedes) > 0)
	}
	return false
}
