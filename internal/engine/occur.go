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

// factFirings holds the triggers on facts of a transaction, and their firings.
type factFirings struct {
	factSet *triggers.Set     // the triggers on facts, after the first evaluation
	queue   []triggers.Firing // firings whose actions have not run yet
}

// factTriggers returns the triggers on facts: those of the configuration, and the
// built-in ones that it does not replace by name.
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

// ownAction returns the action of a built-in trigger.
func ownAction(c schema.Config, name string) string {
	for _, t := range slices.Concat(sessionTriggers(c), recoveryTrigger(c), lifecycleTriggers()) {
		if t.Name == name {
			return t.Actions[0]
		}
	}
	return ""
}

// evaluateFacts evaluates the triggers on facts. It returns which of the built-in
// triggers named in mine fired; the caller runs their actions. The other firings are
// queued, and run with those of the State.
func (r *WorkingSet) evaluateFacts(facts triggers.Facts, mine ...string) (fired map[string]bool) {
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
		r.addNote(faultNote(f)) // a fault is noted once, however many messages there are
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
		if !f.Again && !slices.ContainsFunc(r.queue, func(w triggers.Firing) bool { return w.Trigger == f.Trigger }) {
			r.queue = append(r.queue, f)
		}
	}
	return fired
}

// fireQueue runs the queued firings.
func (r *WorkingSet) fireQueue(layer layerChange) error {
	queue := r.queue
	r.queue = nil
	for _, f := range queue {
		if err := r.perform(cause{f, layer.arrived}, false); err != nil {
			return err
		}
	}
	return nil
}

// isIdle reports whether a thread is idle, so that it is archived.
func (r *WorkingSet) isIdle(t condense.Thread) bool {
	return r.evaluateFacts(triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(r.at)}, IdleTrigger)[IdleTrigger]
}

// Idle returns a function that reports whether a thread is idle at the time now, by the
// condition of the tree's trigger, and states no decision that is not condensed yet.
func Idle(r fs.Reader, now time.Time) (func(condense.Thread) bool, error) {
	config, err := readConfig(r)
	if err != nil && !errors.Is(err, errConfig) { // validate reports an unreadable one
		return nil, err
	}
	set := triggers.Load(factTriggers(config))
	return func(t condense.Thread) bool {
		out := set.Occur(triggers.Record{}, triggers.Facts{triggers.ThreadIdleDays: t.IdleFor(now)}, func() (v triggers.Values) { return v })
		return slices.ContainsFunc(out.Firings, func(f triggers.Firing) bool { return f.Trigger == IdleTrigger }) && undocumented(r, config, t) == ""
	}, nil
}
