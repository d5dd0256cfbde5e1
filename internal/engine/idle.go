package engine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// Of the working copies that have a thread, inactivity has only that archive it in which its last change was
// made. In the others that is due.

// putAway archives the idle threads whose last change was made here, if a watcher says that it is time to. For
// others that is due.
func (r *round) putAway() error {
	if !r.event.Idle || git.Find(r.tree.Root()).Busy() != "" {
		return nil
	}
	var idle []condense.Thread
	err := r.tx.Try(func(*fs.Tx) error {
		all, _, err := condense.Threads(r.tx)
		idle, _ = r.idleAmong(all)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrUnsettled):
		return err
	case err != nil:
		r.out.Fired = append(r.out.Fired, Fired{Trigger: IdleTrigger, Reason: "threads cannot be read", Actions: []Acted{{Action: archiveAction, Built: true, Err: err}}})
		return nil
	}
	if len(idle) == 0 {
		return nil
	}
	f := r.occur(triggers.Facts{triggers.ThreadIdleDays: idle[0].IdleFor(r.at)}, archiveAction)[0] // one at least, or none would be idle
	here := r.lastChangedHere(idle)
	var ids []string
	for _, t := range idle {
		if here[t.Talk()] {
			f.discussions, ids = append(f.discussions, t.Talk()), append(ids, t.ID)
		} else {
			r.putOff(acted.Due{Trigger: f.Trigger, Action: archiveAction, Discussions: []string{t.Talk()}})
		}
	}
	if len(ids) == 0 {
		return nil
	}
	f.Reason = fmt.Sprintf("nobody spoke in %.200s for long", strings.Join(ids, ", "))
	return r.act(f)
}

// archiveIdle archives the idle threads among those that it fired for, or among all.
func archiveIdle(r *round, f *firing) error {
	var all []condense.Thread
	for _, talk := range f.discussions {
		if t, ok := r.threadAt(talk); ok {
			all = append(all, t)
		}
	}
	if len(f.discussions) == 0 {
		var err error
		if all, _, err = condense.Threads(r.tx); err != nil {
			return err
		}
	}
	idle, _ := r.idleAmong(all)
	return r.archiveThreads(idle)
}

// archiveThreads stages that threads are put away.
func (r *round) archiveThreads(list []condense.Thread) error {
	for i := range list {
		if err := list[i].Archive(r.tx, r.actor(), r.at); err != nil {
			return err
		}
	}
	return nil
}

// idleAmong returns the threads that inactivity archives, and says for people why it does not archive others.
func (r *round) idleAmong(all []condense.Thread) (idle []condense.Thread, kept []string) {
	for _, t := range condense.Due(all, r.idle) {
		if why := r.keepsActive(t); why != "" {
			kept = append(kept, fmt.Sprintf("thread %.60s is not archived: %s", t.ID, why))
			continue
		}
		idle = append(idle, t)
	}
	return idle, kept
}

// lastChangedHere returns the conversations of the threads whose last change was made in this working copy, and
// not brought by git.
func (r *round) lastChangedHere(threads []condense.Thread) map[string]bool {
	here, unknown := map[string]bool{}, []string(nil)
	for _, t := range threads {
		if here[t.Talk()] = r.discussions.Here[t.Talk()] == schema.FormatTime(t.Last); !here[t.Talk()] {
			unknown = append(unknown, t.Talk())
		}
	}
	for _, talk := range r.uncommitted(unknown) {
		here[talk] = true
	}
	return here
}

// uncommitted returns the conversations of threads that stand otherwise than in the last commit; none if git
// does not tell.
func (r *round) uncommitted(talks []string) (all []string) {
	of := map[string][]string{}
	var names []string
	for _, talk := range talks {
		of[talk] = condense.ThreadFiles(r.tree.Tree, talk)
		names = append(names, of[talk]...)
	}
	held, err := r.committed(names)
	if err != nil {
		return nil
	}
	for _, talk := range talks {
		if slices.ContainsFunc(of[talk], func(name string) bool {
			src, err := r.tree.ReadUnsettled(name)
			return err == nil && !bytes.Equal(src, held[name])
		}) {
			all = append(all, talk)
		}
	}
	return all
}

// noteHere notes of the threads that were changed here when that was. Of very many that others changed at once it
// is not asked which git brought.
func (r *round) noteHere() {
	if git.Find(r.tree.Root()) == (git.Repo{}) { // then all is done here
		return
	}
	var here, others []string
	staged := map[string]bool{} // the conversations of which this round wrote something
	for name := range r.tx.Staged() {
		if place := fs.Place(name); place == fs.DocMessage || place == fs.DocThreadRecord || place == fs.DocChange {
			staged[condense.TalkOf(name)] = true
		}
	}
	for _, talk := range r.changed() {
		switch {
		case condense.ThreadOf(talk) == "":
		case staged[talk]:
			here = append(here, talk)
		case r.discussions.Moved(r.looked, talk):
			others = append(others, talk)
		}
	}
	if len(others) <= mostCauses {
		here = append(here, r.uncommitted(others)...)
	}
	for _, talk := range here {
		if t, ok := r.threadAt(talk); ok && t.Status == condense.Archived {
			r.discussions.SetHere(talk, "")
		} else if ok {
			r.discussions.SetHere(talk, schema.FormatTime(t.Last))
		}
	}
}

// threadAt returns the thread whose conversation is talk; false if it cannot be read.
func (r *round) threadAt(talk string) (t condense.Thread, ok bool) {
	err := r.tx.Try(func(*fs.Tx) error {
		t, ok = condense.HeardAt(r.tx, talk)
		return nil
	})
	return t, ok && err == nil
}
