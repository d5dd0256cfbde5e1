package engine

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/triggers"
)

// maxChain limits how often, within one transaction, effects may fire further triggers.
// The loop breaker stops a trigger before that.
const maxChain = 8

// A fireResult is a working set with the effects of all triggers that fired.
type fireResult struct {
	applyResult
	layer layerChange
}

// fire makes the checkpoint of a layer transition, evaluates the triggers and runs
// their actions, and repeats this while effects fire further triggers. If git ignores
// the views, a transition makes one snapshot: the State at the end of the former layer,
// which is what a backtrack restores.
func fire(a applyResult) (fireResult, error) {
	r, done := a.set, fireResult{applyResult: a}
	if err := r.fireQueue(layerChange{}); err != nil {
		return done, err
	}
	var err error
	if done.layer, err = r.enterLayer(a.before); err != nil {
		return done, err
	}
	if err := r.fireChain(a.before, done.layer); err != nil {
		return done, err
	}
	if err := r.fireAppended(); err != nil {
		return done, err
	}
	if done.layer.entered && !(done.layer.left && r.config.LocalViews()) {
		return done, r.snapshot(state.LayerReason(r.memory.Layer))
	}
	return done, nil
}

// fireChain runs what the State and the event fire, and what the effects of that fire.
func (r *WorkingSet) fireChain(before *triggers.Values, layer layerChange) error {
	set := triggers.Load(triggerList(r.config, r.knobs))
	came, event := r.marksThatCame(before, layer), r.event.Event
	for chain := range maxChain {
		change := r.change(before, event, chain > 0)
		if change == nil {
			break // no valid State: the last valid one remains
		}
		out := set.Fire(r.memory.Record, *change)
		if r.event.intake == wholeTranscript {
			r.postpone(&out)
		}
		r.memory.Record = out.Record
		r.note(out)
		if len(out.Firings) == 0 {
			break
		}
		for _, f := range out.Firings {
			if err := r.perform(cause{f, layer.arrived}, r.effectsCame(came, set, f, *change)); err != nil {
				return err
			}
		}
		came = nil // what effects fire did not arrive from elsewhere
		before, event = &change.Now, triggers.Event{}
	}
	return nil
}

// perform runs the actions of one firing, unless done is set, and records that the
// trigger fired.
func (r *WorkingSet) perform(c cause, done bool) error {
	fired := r.act(c, done)
	if err := fired.lossError(); err != nil {
		return err
	}
	r.out.Fired = append(r.out.Fired, fired)
	r.memory.markFired(c.Trigger, r.at)
	return nil
}

// change returns the change that triggers are evaluated against. It returns nil if there is
// neither a State that passes its schema nor an event.
func (r *WorkingSet) change(before *triggers.Values, ev triggers.Event, own bool) *triggers.Change {
	now := r.values()
	if now == nil {
		if ev == (triggers.Event{}) {
			return nil
		}
		return &triggers.Change{Event: ev, At: r.at, Own: own, NoState: true}
	}
	return &triggers.Change{Before: before, Now: *now, Event: ev, At: r.at, Own: own}
}

// note adds notes about triggers that cannot be evaluated or were switched off.
func (r *WorkingSet) note(out triggers.Outcome) {
	for _, f := range out.Faults {
		r.out.Notes = append(r.out.Notes, faultNote(f))
	}
	for _, name := range out.Off {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("trigger %s is switched off, because its effects fire it again and again", name))
	}
}

func faultNote(f triggers.Fault) string {
	return fmt.Sprintf("trigger %s did not fire: %v", f.Trigger, f.Err)
}
