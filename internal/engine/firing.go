package engine

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// maxChain bounds how often, within one transaction, effects may fire further
// triggers. The loop breaker stops a trigger before that.
const maxChain = 8

// fire makes the checkpoint of a layer transition, evaluates the triggers and
// runs their actions, again as long as the effects of one fire another.
func (r *round) fire() error {
	before := r.before
	if err := r.fireQueue(); err != nil {
		return err
	}
	entered, err := r.enterLayer(before)
	if err != nil {
		return err
	}
	for chain := range maxChain {
		now := r.values()
		all, asked := r.firings(before, r.asked(), chain > 0)
		if !asked {
			break
		}
		for _, f := range all {
			if err := r.act(f); err != nil {
				return err
			}
		}
		moved, err := r.show()
		if err != nil {
			return err
		}
		if err := r.lookAtOurs(); err != nil {
			return err
		}
		if len(all) == 0 && !moved && r.askedFor == len(r.occasions) {
			break
		}
		before = now
	}
	if entered {
		return r.snapshot(state.LayerReason(r.memory.Layer))
	}
	return nil
}

// change returns what the triggers are asked about; nil where there is nothing to
// ask: no State that passes its schema, and no event.
func (r *round) change(before *triggers.Values, occasions []occasion, own bool) *triggers.Change {
	c := &triggers.Change{Event: occasions[0].Event, At: r.at, Own: own}
	for _, o := range occasions[1:] {
		c.Also = append(c.Also, o.Event)
	}
	now := r.values()
	if now == nil {
		if c.NoState = true; c.Event == (triggers.Event{}) && len(c.Also) == 0 {
			return nil
		}
		return c
	}
	c.Before, c.Now = before, *now
	return c
}

// note tells people about triggers that cannot be judged or were switched off.
func (r *round) note(out triggers.Outcome) {
	for _, f := range out.Faults {
		r.out.Notes = append(r.out.Notes, notFired(f))
	}
	for _, name := range out.Off {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("trigger %s is switched off: it went round in circles", name))
	}
}

func notFired(f triggers.Fault) string {
	return fmt.Sprintf("trigger %s did not fire: %v", f.Trigger, f.Err)
}

// An occasion is an event that triggers are asked about, and the decisions that it is about.
type occasion struct {
	triggers.Event
	decisions []schema.Decision
	said      []schema.Message // in which the boss decides something that is not recorded yet
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
		all[0] = occasion{Event: r.event.Event}
	}
	all = append(all, r.occasions[r.askedFor:]...)
	r.eventAsked, r.askedFor = true, len(r.occasions)
	return all
}

// askedOf returns the decisions that triggers were asked about, of some reaches, and the messages in which
// the boss decides something.
func (r *round) askedOf(reaches ...reach) (decisions []schema.Decision, said []schema.Message) {
	for _, o := range r.occasions {
		if slices.Contains(reaches, o.reach) {
			decisions, said = append(decisions, o.decisions...), append(said, o.said...)
		}
	}
	return decisions, said
}

// A firing is a trigger that fired, and what it fired for.
type firing struct {
	triggers.Firing
	decisions   []schema.Decision
	discussions []string          // Names of their conversations
	said        []schema.Message  // in which the boss decides something
	session     *live             // nil for the active one
	missing     map[string][]byte // CONTEXT.md files that are gone, by their Names, as git has them; nil where it has not
	by          string            // who asked for it or spoke last; "" if nobody did, or it is not known
	reach       reach
	atOnce      bool     // it is run where the facts are known
	rest        bool     // other actions of the trigger were run at once
	quiet       bool     // if nothing comes of it, nothing is told of it
	changed     []string // Names of what the action that runs changes besides what it stages
}

// causedBy returns who caused a firing, as far as that is known, sorted: who took the decisions and said the
// messages that it fired for, else the agent that the command names.
func (r *round) causedBy(f firing) []string {
	who := map[string]bool{f.by: true}
	for _, d := range f.decisions {
		who[cmp.Or(d.DecisionMaker, d.RecordedBy)] = true
	}
	for _, m := range f.said {
		who[m.Agent] = true
	}
	if delete(who, ""); len(who) == 0 && r.event.Agent != "" {
		who[r.event.Agent] = true
	}
	return slices.Sorted(maps.Keys(who))
}

// firings returns what fires for occasions, the first of which stands for the State, too: each trigger
// once for all decisions of a reach. It returns false where nothing could be asked.
func (r *round) firings(before *triggers.Values, occasions []occasion, own bool) (all []firing, asked bool) {
	change := r.change(before, occasions, own)
	if change == nil {
		return nil, false // no State that could be judged: the last good one stands
	}
	out := r.triggers().Fire(r.memory.Record, *change)
	if r.imports {
		r.postpone(&out)
	}
	r.memory.Record = out.Record
	r.note(out)
	for _, f := range out.Firings {
		if !r.moved && (f.Previous.Layer != change.Now.Layer || f.Previous.Clarity != change.Now.Clarity) {
			r.moved, r.behind = true, true
		}
		of := byReach(f, occasions)
		if len(f.Events) == 0 && !own && len(r.sets) == 0 { // else a command or an effect may have done it
			of[0].by = r.editedBy()
		}
		all = append(all, of...)
	}
	return all, true
}

// editedBy returns who edited the State by hand before this round; "" if nobody did, or it is not known.
func (r *round) editedBy() string {
	if !r.edits() {
		return ""
	}
	if name := r.editor(); name != unknownAuthor {
		return name
	}
	return ""
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
		all[i].said = append(all[i].said, o.said...)
		all[i].decisions = append(all[i].decisions, o.decisions...)
	}
	return all
}
