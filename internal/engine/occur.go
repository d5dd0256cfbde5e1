package engine

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// A triggerStage holds the triggers on facts of a round, and what they fired.
type triggerStage struct {
	factSet *triggers.Set // the triggers on facts, once one was asked for
	queue   []firing      // what facts fired, and is not done yet
	entered bool          // this round found another layer than the last one did
	moved   bool          // a trigger fired that saw another layer or clarity before
	arrived bool          // a layer transition came with its checkpoint
	inState bool          // the State shows what the action does that runs
}

// factTriggers returns the triggers on facts of a configuration: the program's own, each
// unless the configuration has one of its name, and those of the configuration.
func factTriggers(c schema.Config) []schema.Trigger {
	var configured []schema.Trigger
	named := map[string]bool{}
	for _, t := range c.RefreshTriggers {
		named[t.Name] = true
		if slices.ContainsFunc(triggers.FactNames(), func(name string) bool { return strings.Contains(t.Condition, name) }) {
			configured = append(configured, t)
		}
	}
	own := slices.Concat(sessionTriggers(c), recoveryTrigger(c), lifecycleTriggers())
	return slices.Concat(slices.DeleteFunc(own, func(t schema.Trigger) bool { return named[t.Name] }), configured)
}

// ownAction returns what a trigger of the program's own does.
func ownAction(c schema.Config, name string) string {
	for _, t := range slices.Concat(sessionTriggers(c), recoveryTrigger(c), lifecycleTriggers()) {
		if t.Name == name {
			return t.Actions[0]
		}
	}
	return ""
}

// occur evaluates the triggers on facts. It returns the names of those that fire of the
// program's own, whose names are mine: the caller does what they do. Other actions, and
// other triggers, are done with what the State fires.
func (r *round) occur(facts triggers.Facts, mine ...string) (fired map[string]bool) {
	if r.factSet == nil {
		r.factSet = triggers.Load(factTriggers(r.config))
	}
	out := r.factSet.Occur(r.memory.Record, facts, func() (now triggers.Values) {
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
		if slices.Contains(mine, f.Trigger) {
			own := ownAction(r.config, f.Trigger)
			if fired == nil {
				fired = map[string]bool{}
			}
			fired[f.Trigger] = slices.Contains(f.Actions, own)
			f.Actions = slices.DeleteFunc(f.Actions, func(action string) bool { return action == own })
			f.Again = f.Again || len(f.Actions) == 0
		}
		if !f.Again && !slices.ContainsFunc(r.queue, func(w firing) bool { return w.Trigger == f.Trigger }) {
			r.queue = append(r.queue, firing{Firing: f})
		}
	}
	return fired
}

// fireQueue does what facts fired.
func (r *round) fireQueue() error {
	queue := r.queue
	r.queue = nil
	for _, f := range queue {
		if f.reach == ours {
			f.decisions, f.said = r.askedOf(ours, others)
		}
		fired := r.act(f)
		if err := fired.lost(); err != nil {
			return err
		}
		if f.reach != ours && !slices.ContainsFunc(fired.Actions, func(a Acted) bool { return a.Due || a.Err != nil || len(a.Wrote) > 0 }) {
			continue // git brought the effects as well
		}
		r.out.Fired = append(r.out.Fired, fired)
		r.memory.fired(f.Trigger, r.at)
	}
	return nil
}

// idle reports whether nobody has spoken in a thread for so long that it is archived.
func (r *round) idle(t condense.Thread) bool {
	return r.occur(triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(r.at)}, IdleTrigger)[IdleTrigger]
}

// Idle returns a function that reports whether a thread is idle as of now, by the
// condition of the tree's trigger.
func Idle(r fs.Reader, now time.Time) (func(condense.Thread) bool, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // which validate tells of
		return nil, err
	}
	set := triggers.Load(factTriggers(config))
	return func(t condense.Thread) bool {
		out := set.Occur(triggers.Record{}, triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(now)}, func() (v triggers.Values) { return v })
		return slices.ContainsFunc(out.Firings, func(f triggers.Firing) bool { return f.Trigger == IdleTrigger })
	}, nil
}
