package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// FireDue runs the effects that are due, which may write what git tracks. One that fails stays due.
func (t *Tree) FireDue(ctx context.Context) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		if r.unconfigured != nil {
			return r.unconfigured
		}
		r.last = func() error { // what is put off now, too
			due, ofViews := r.dueApart()
			due, err := r.perform(due, ours)
			r.later.Due = slices.Concat(due, ofViews)
			return err
		}
		return nil
	})
}

// putOff notes that an effect is due.
func (r *round) putOff(d acted.Due) { r.later.Due = acted.With(r.later.Due, d) }

// idsOf returns the ids of decisions.
func idsOf(decisions []schema.Decision) (ids []string) {
	for _, d := range decisions {
		ids = append(ids, d.ID)
	}
	return ids
}

// closeDue notes what is due, and at which commit that was tried.
func (r *round) closeDue() error {
	r.dropAnswered()
	if len(r.later.Due) > 0 && !reflect.DeepEqual(r.later, acted.ReadDue(r.tx)) {
		r.later.Head, _ = git.Head(context.Background(), r.tree.Root()) // "" where there is no repository
	}
	return r.later.Write(r.tx, r.home)
}

// tryDue runs what is due and writes nothing that git tracks, if the commit is another than when that
// was tried: a pull may have brought what was due. What a view could not show it tries each time: people mend it.
func (r *round) tryDue() error {
	if len(r.later.Due) == 0 {
		return nil
	}
	due, mended := r.dueApart()
	r.later.Due = nil
	head, err := git.Head(context.Background(), r.tree.Root())
	if err == nil && head != r.later.Head {
		r.later.Head = head
		if due, err = r.perform(due, brought); err != nil {
			return err
		}
	}
	if mended, err = r.perform(mended, others); err != nil {
		return err
	}
	for _, d := range slices.Concat(due, mended) {
		r.putOff(d)
	}
	return nil
}

// dueApart returns what is due, apart what waits for views to be mended.
func (r *round) dueApart() (due, ofViews []acted.Due) {
	for _, d := range r.later.Due {
		if d.Action == acted.ShowOnceMended {
			ofViews = append(ofViews, d)
		} else {
			due = append(due, d)
		}
	}
	return due, ofViews
}

// perform runs effects that are due, and returns those that still are: what fails, and what is for
// decisions and discussions that are not here, as on another branch. If somebody asked for them, nothing
// is due for those any more, which is told.
func (r *round) perform(due []acted.Due, reach reach) (left []acted.Due, err error) {
	table := actions()
	table[markSuperseded] = func(r *round, f *firing) error { return r.overtake(f.decisions) }
	table[showInViews] = func(r *round, f *firing) error { return r.showAll(f.decisions) }
	table[acted.ShowOnceMended] = table[showInViews]
	for _, d := range byDiscussion(due) {
		here, absent, decisions := r.apart(d)
		if gone := absent.Causes(); len(gone) > 0 && reach == ours {
			r.tell(fmt.Sprintf("%s is not done for what is not here: %s", d.Action, clipped(strings.Join(gone, ", "))))
		} else if len(gone) > 0 {
			left = acted.With(left, absent)
		}
		if len(d.Causes()) > 0 && len(here.Causes()) == 0 {
			continue
		}
		f := firing{Firing: triggers.Firing{Trigger: d.Trigger}, decisions: decisions, discussions: here.Discussions, reach: reach}
		done := r.runAction(&f, d.Action, table[d.Action])
		if errors.Is(done.Err, errLost) {
			return nil, done.Err
		}
		if done.Err != nil || done.Due {
			left = acted.With(left, here)
		}
		if reach == ours {
			r.out.Fired = append(r.out.Fired, Fired{Trigger: cmp.Or(d.Trigger, d.Action), Reason: "due", Actions: []Acted{done}, By: r.causedBy(f)})
		}
	}
	return left, nil
}

// apart returns an effect for those of its causes that are here, with the decisions among them, and for
// those that are not.
func (r *round) apart(d acted.Due) (here, absent acted.Due, decisions []schema.Decision) {
	here, absent = acted.Due{Trigger: d.Trigger, Action: d.Action}, acted.Due{Trigger: d.Trigger, Action: d.Action}
	for _, id := range d.Decisions {
		if recorded, err := records.GetDecision(r.tx, id); err == nil {
			decisions, here.Decisions = append(decisions, recorded), append(here.Decisions, id)
		} else {
			absent.Decisions = append(absent.Decisions, id)
		}
	}
	for _, talk := range d.Discussions {
		if r.isHere(talk) {
			here.Discussions = append(here.Discussions, talk)
		} else {
			absent.Discussions = append(absent.Discussions, talk)
		}
	}
	return here, absent, decisions
}

// isHere reports whether there is a discussion, or a condensation, called about. One that cannot be read may
// be.
func (r *round) isHere(about string) (is bool) {
	err := r.tx.Try(func(*fs.Tx) error {
		if condense.IsFile(about) {
			src, err := r.maybe(about)
			is = src != nil
			return err
		}
		messages, _, err := condense.Talk(r.tx, about)
		is = len(messages) > 0
		return err
	})
	return is || err != nil
}

// byDiscussion returns the same effects, those of discussions each with one.
func byDiscussion(due []acted.Due) (all []acted.Due) {
	for _, d := range due {
		for _, talk := range d.Discussions {
			all = append(all, acted.Due{Trigger: d.Trigger, Action: d.Action, Discussions: []string{talk}})
		}
		if len(d.Decisions) > 0 || len(d.Discussions) == 0 {
			d.Discussions = nil
			all = append(all, d)
		}
	}
	return all
}

// dropAnswered takes the discussions and condensations off what is due in which nothing asks for it any more,
// among those that somebody changed.
func (r *round) dropAnswered() {
	if !slices.ContainsFunc(r.later.Due, func(d acted.Due) bool { return len(d.Discussions) > 0 }) {
		return
	}
	touched := r.changed()
	var left []acted.Due
	for _, d := range byDiscussion(r.later.Due) {
		if len(d.Discussions) > 0 && slices.Contains(touched, d.Discussions[0]) && r.isHere(d.Discussions[0]) && r.isAnswered(d.Action, d.Discussions[0]) {
			continue
		}
		left = acted.With(left, d)
	}
	r.later.Due = left
}

// isAnswered reports whether nothing asks for an action in the discussion, or condensation, called about.
func (r *round) isAnswered(action, about string) bool {
	switch action {
	case condenseAction:
		q, err := r.requestOf(about)
		return err == nil && len(q.causes) == 0
	case archiveAction:
		t, ok := r.threadAt(about)
		idle, _ := r.idleAmong([]condense.Thread{t})
		return ok && len(idle) == 0
	}
	return false
}
