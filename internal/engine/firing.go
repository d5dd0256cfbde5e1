package engine

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An occasion is what triggers are asked about, besides the State: an event, and the decisions that
// it is about.
type occasion struct {
	triggers.Event
	decisions []schema.Decision
	said      bool // the event is what was said in the conversation
	reach     reach
}

// eventOf returns the event that a decision is.
func eventOf(d schema.Decision, bosses []string) triggers.Event {
	boss := bool(d.Boss) || d.DecisionMaker != "" && slices.Contains(bosses, d.DecisionMaker)
	return triggers.Event{Message: d.Decision, Priority: string(d.Priority), BossDecision: boss}
}

// asked returns what triggers are to be asked about: what they were not asked about yet, or
// the State alone.
func (r *round) asked(chain int) (all []occasion) {
	if chain == 0 && r.event.Event != (triggers.Event{}) {
		all = append(all, occasion{Event: r.event.Event, said: true})
	}
	all = append(all, r.occasions[r.askedFor:]...)
	if r.askedFor = len(r.occasions); len(all) == 0 {
		all = []occasion{{}}
	}
	return all
}

// decisionsOf returns the decisions that triggers were asked about, of some reaches.
func (r *round) decisionsOf(reaches ...reach) (all []schema.Decision) {
	for _, o := range r.occasions {
		if slices.Contains(reaches, o.reach) {
			all = append(all, o.decisions...)
		}
	}
	return all
}

// A firing is a trigger that fired, and the decisions that it fired for.
type firing struct {
	triggers.Firing
	decisions []schema.Decision
	said      bool // for what was said in the conversation, too
	reach     reach
}

// firings returns what fires for the occasions of a round, and for the State: each trigger once for
// all decisions of a reach.
func (r *round) firings(set *triggers.Set, before *triggers.Values, occasions []occasion, own bool) (all []firing, judged bool) {
	for _, o := range occasions {
		change := r.change(before, o.Event, own)
		if change == nil {
			continue // no State that could be judged: the last good one stands
		}
		judged = true
		out := set.Fire(r.memory.Record, *change)
		if r.imports {
			r.postpone(&out)
		}
		r.memory.Record = out.Record
		r.note(out)
		for _, f := range out.Firings {
			r.moved = r.moved || f.Previous.Layer != change.Now.Layer || f.Previous.Clarity != change.Now.Clarity
			i := slices.IndexFunc(all, func(g firing) bool { return g.Trigger == f.Trigger && g.reach == o.reach })
			if i < 0 {
				all = append(all, firing{Firing: f, reach: o.reach})
				i = len(all) - 1
			}
			all[i].said = all[i].said || o.said
			all[i].decisions = append(all[i].decisions, o.decisions...)
		}
	}
	return all, judged
}
