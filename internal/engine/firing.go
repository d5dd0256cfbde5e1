package engine

import (
	"slices"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An occasion is an event that triggers are asked about, and the decisions that it is about.
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

// asked returns what triggers are to be asked about: the State, with the event of the command the
// first time, and the decisions that they were not asked about yet.
func (r *round) asked() []occasion {
	all := []occasion{{}}
	if !r.eventAsked {
		all[0] = occasion{Event: r.event.Event, said: true}
	}
	all = append(all, r.occasions[r.askedFor:]...)
	r.eventAsked, r.askedFor = true, len(r.occasions)
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

// firings returns what fires for occasions, the first of which stands for the State, too: each trigger
// once for all decisions of a reach. It returns false where nothing could be asked.
func (r *round) firings(set *triggers.Set, before *triggers.Values, occasions []occasion, own bool) (all []firing, asked bool) {
	change := r.change(before, occasions, own)
	if change == nil {
		return nil, false // no State that could be judged: the last good one stands
	}
	out := set.Fire(r.memory.Record, *change)
	if r.imports {
		r.postpone(&out)
	}
	r.memory.Record = out.Record
	r.note(out)
	for _, f := range out.Firings {
		if !r.moved && (f.Previous.Layer != change.Now.Layer || f.Previous.Clarity != change.Now.Clarity) {
			r.moved, r.behind = true, true
		}
		all = append(all, byReach(f, occasions)...)
	}
	return all, true
}

// byReach returns the firings of a trigger: one for what arose here, and one each for a batch and for
// what git brought. If it fired for the State it fired for what this round recorded, too.
func byReach(f triggers.Firing, occasions []occasion) (all []firing) {
	var of []occasion
	for _, event := range f.Events {
		of = append(of, occasions[event])
	}
	if len(of) == 0 {
		of = slices.DeleteFunc(slices.Clone(occasions), func(o occasion) bool { return o.reach != ours })
	}
	for _, o := range of {
		i := slices.IndexFunc(all, func(g firing) bool { return g.reach == o.reach || max(g.reach, o.reach) < batch })
		if i < 0 {
			all = append(all, firing{Firing: f})
			i = len(all) - 1
		}
		all[i].reach = max(all[i].reach, o.reach)
		all[i].said = all[i].said || o.said
		all[i].decisions = append(all[i].decisions, o.decisions...)
	}
	return all
}
