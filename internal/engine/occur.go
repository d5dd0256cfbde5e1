package engine

import (
	"errors"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/triggers"
)

// A triggerStage holds the triggers on facts of a round, and what they fired.
type triggerStage struct {
	compiled *triggers.Set // see round.triggers
	queue    []firing      // what facts fired, and is not done yet
	entered  bool          // this round found another layer than the last one did
	moved    bool          // a trigger fired that saw another layer or clarity before
	arrived  bool          // a layer transition came with its checkpoint
}

// occur evaluates the triggers on facts, and returns what fires of the actions that are named: the caller runs
// them at once, on what the facts are about. Other actions are run with what the State fires, once.
func (r *round) occur(facts triggers.Facts, actions ...string) (all []firing) {
	out := r.triggers().Occur(r.memory.Record, facts, func() (now triggers.Values) {
		if v := r.values(); v != nil {
			now = *v
		}
		return now
	})
	r.memory.Record = out.Record
	for _, f := range out.Faults {
		r.tell(notFired(f)) // once, however many messages there are
	}
	for _, f := range out.Firings {
		now, later := parted(f, actions)
		if len(now.Actions) > 0 {
			all = append(all, firing{Firing: now, atOnce: true, quiet: true})
		}
		queued := slices.ContainsFunc(r.queue, func(w firing) bool { return w.Trigger == f.Trigger })
		if !f.Again && !queued && len(later.Actions) > 0 {
			r.queue = append(r.queue, firing{Firing: later, rest: len(now.Actions) > 0})
		}
	}
	return all
}

// parted returns a firing with those of its actions that are named, and with the others.
func parted(f triggers.Firing, actions []string) (named, others triggers.Firing) {
	isNamed := func(action string) bool { return slices.Contains(actions, action) }
	named, others = f, f
	others.Actions = slices.DeleteFunc(slices.Clone(f.Actions), isNamed)
	named.Actions = slices.DeleteFunc(slices.Clone(f.Actions), func(action string) bool { return !isNamed(action) })
	return named, others
}

// fireQueue does what facts fired.
func (r *round) fireQueue() error {
	queue := r.queue
	r.queue = nil
	for _, f := range queue {
		if f.reach == ours {
			f.decisions, f.said = r.askedOf(ours, others)
		}
		f.quiet = f.reach != ours // git brought the effects as well
		if err := r.act(f); err != nil {
			return err
		}
	}
	return nil
}

// idle reports whether nobody has spoken in a thread for so long that it is archived.
func (r *round) idle(t condense.Thread) bool {
	return len(r.occur(triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(r.at)}, archiveAction)) > 0
}

// Idle returns a function that reports whether a thread is idle as of now, by the
// condition of the tree's trigger.
func Idle(r fs.Reader, now time.Time) (func(condense.Thread) bool, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // which validate tells of
		return nil, err
	}
	k, _ := knobs.Read(r) // no trigger on idle threads is of them
	set := triggers.Load(triggerTable(config, k))
	return func(t condense.Thread) bool {
		out := set.Occur(triggers.Record{}, triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(now)}, func() (v triggers.Values) { return v })
		return slices.ContainsFunc(out.Firings, func(f triggers.Firing) bool { return slices.Contains(f.Actions, archiveAction) })
	}, nil
}
