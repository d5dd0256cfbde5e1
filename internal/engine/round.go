package engine

import (
	"errors"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// maxChain bounds how often, within one transaction, effects may fire further
// triggers. The loop breaker stops a trigger before that.
const maxChain = 8

// A round is one pass inside a transaction: the change, what it fires, the
// effects, and the memory of it.
type round struct {
	tree   *Tree
	tx     *fs.Tx
	at     time.Time // UTC; one time for the whole round
	event  Event
	looks  bool // it is a watcher's look, which changes nothing by itself
	config schema.Config
	knobs  knobs.Set
	memory remembered
	out    Outcome

	unsigned error // why the author of this change is not known; see author

	home         string            // see home
	refused      map[string]string // why decisions of views are not taken into the Ledger, by id
	unconfigured error             // why config is not what the tree says; see errConfig

	said    []schema.Message // the boss's decisions that the event is about; see hear
	counted state.Counters   // what this change adds to the session's figures
	tallied bool             // it was added, or is not to be
	restore []byte           // the snapshot that is gone back to
	last    func() error     // what is done once all that fired is done

	masked []string // the kinds of secrets that were masked before they were staged

	viewStage
	sessionStage
	compactStage
	triggerStage
	lookStage
}

func (r *round) run(change func(*round) error) error {
	var err error
	switch r.config, err = readConfig(r.tx); {
	case errors.Is(err, errConfig):
		r.unconfigured = err
		r.out.Notes = append(r.out.Notes, err.Error())
	case err != nil:
		return err
	}
	if err := r.readKnobs(); err != nil {
		return err
	}
	if r.home, err = Home(r.tx); err != nil {
		return err
	}
	if r.memory, err = recollect(r.tx); err != nil {
		return err
	}
	r.openLook()
	if err := r.readable(fs.State); err != nil {
		return err
	}
	if err := r.expect(); err != nil {
		return err
	}
	if err := r.openViews(); err != nil {
		return err
	}
	if err := r.adopt(false); err != nil {
		return err
	}
	before := r.values()
	if err := change(r); err != nil {
		return err
	}
	if err := r.renderBehind(); err != nil {
		return err
	}
	if err := r.hearOthers(); err != nil {
		return err
	}
	if err := r.keepSession(); err != nil {
		return err
	}
	changes := !r.rendersOnly()
	if changes { // a watcher's look alone takes in what is new, and no more
		if err := r.adopt(true); err != nil {
			return err
		}
	}
	if r.unconfigured == nil {
		if err := r.look(); err != nil {
			return err
		}
	}
	if before != nil && (changes || r.counted.Decisions > 0) {
		if err := r.count(); err != nil {
			return err
		}
	}
	r.tallied = true
	if r.unconfigured != nil { // what is to be fired is found when the configuration is mended
		if err := r.showOurs(); err != nil {
			return err
		}
		if err := r.closeViews(); err != nil {
			return err
		}
		return r.closeLook()
	}
	if err := r.fire(before); err != nil {
		return err
	}
	if err := r.renderDiscussions(); err != nil {
		return err
	}
	if err := r.renewContexts(); err != nil {
		return err
	}
	r.settled = false // what was fired may have changed the session
	if err := r.keepSession(); err != nil {
		return err
	}
	if err := r.fireQueue(); err != nil {
		return err
	}
	if err := r.tellSize(); err != nil {
		return err
	}
	if r.last != nil {
		if err := r.last(); err != nil {
			return err
		}
	}
	if err := r.lookAgain(before); err != nil {
		return err
	}
	if err := r.renewNotes(); err != nil {
		return err
	}
	if err := r.closeViews(); err != nil {
		return err
	}
	if now := r.values(); now != nil {
		r.memory.begins(before, *now)
	}
	if err := r.memory.save(r.tx); err != nil {
		return err
	}
	return r.closeLook()
}

// fire makes the checkpoint of a layer transition, evaluates the triggers and
// runs their actions, again as long as the effects of one fire another.
func (r *round) fire(before *triggers.Values) error {
	if err := r.fireQueue(); err != nil {
		return err
	}
	entered, err := r.enterLayer(before)
	if err != nil {
		return err
	}
	set := triggers.Load(triggerList(r.config, r.knobs))
	for chain := range maxChain {
		now := r.values()
		all, asked := r.firings(set, before, r.asked(), chain > 0)
		if !asked {
			break
		}
		for _, f := range all {
			fired := r.act(f)
			if err := fired.lost(); err != nil {
				return err
			}
			r.out.Fired = append(r.out.Fired, fired)
			r.memory.fired(f.Trigger, r.at)
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

// change is what the triggers are asked about; nil where there is nothing to
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

// count notes in `.local/`, once, what this change adds to the session's
// figures; the next checkpoint writes them to the State.
func (r *round) count() error {
	if r.tallied {
		return nil
	}
	r.tallied = true
	if !r.looks {
		r.counted.Commands++
	}
	before, err := r.counters()
	if err != nil {
		return err
	}
	return saveCounters(r.tx, before.Plus(r.counted))
}

// counters are those of the tree, to be changed. What cannot be seen is not taken for
// nothing: it would be gone then.
func (r *round) counters() (state.Counters, error) {
	src, err := r.tx.Read(fs.LocalName(fs.Forgemind, fs.CountersFile))
	if err != nil && !missing(err) && !unfit(err) {
		return state.Counters{}, err
	}
	return state.DecodeCounters(src), nil
}

// checkpoint writes to the State what moves too often to be written each time:
// the counters, the time, who used which artifact, what the conversation costs.
// A command that makes one is counted in it: left for the next, it would be a
// reason to make that at once.
func (r *round) checkpoint() error {
	if r.values() != nil {
		if err := r.count(); err != nil {
			return err
		}
	}
	if err := artifact.Settle(r.tx); err != nil {
		return err
	}
	counters, err := r.counters()
	if err != nil {
		return err
	}
	err = edit(r.tx, fs.State, func(src []byte) ([]byte, error) {
		if tokens, ok := r.talkTokens(); ok {
			var err error
			if src, err = state.SetMessageTokens(src, tokens); err != nil {
				return nil, err
			}
		}
		if r.config.Compaction.Chosen() {
			var err error
			_, t := r.policy()
			first, last := t.Window()
			if src, err = state.SetThresholds(src, first, last); err != nil {
				return nil, err
			}
		}
		return state.Checkpoint(src, counters, r.at, r.event.Agent)
	})
	if err != nil || counters.IsZero() {
		return err
	}
	return saveCounters(r.tx, state.Counters{})
}

// snapshot keeps the State as it is now in context-history.
func (r *round) snapshot(reason string) error {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return err
	}
	return r.keep(src, reason)
}

// keep keeps a State in context-history.
func (r *round) keep(src []byte, reason string) error {
	name, err := state.Snapshot(src, reason)
	if err != nil {
		r.out.Notes = append(r.out.Notes, err.Error())
		return nil
	}
	if _, err := r.tx.Read(name); err == nil {
		return nil // a snapshot is a record of its own time and is never written again
	}
	r.tx.Write(name, src)
	return nil
}
