package engine

import (
	"errors"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/knobs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

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

	before    *triggers.Values // of the State before the change; nil where there were none
	counted   state.Counters   // what this change adds to the session's figures
	tallied   bool             // it was added, or is not to be
	commanded bool             // the command is counted
	restore   []byte           // the snapshot that is gone back to
	last      func() error     // what is done once all that fired is done

	masked []string // the kinds of secrets that were masked before they were staged

	talkStage
	artifactStage
	viewStage
	sessionStage
	compactStage
	triggerStage
	lookStage
	discussionStage
}

// run makes the change in its stages: what others wrote is read back before it; what is new, theirs
// and its own, is acted on after it; then the views are rendered and all of it is remembered. While the
// configuration cannot be read nothing fires: a later round finds it new.
func (r *round) run(change func(*round) error) error {
	err := inOrder(
		r.open, r.readDiscussions, r.openViews, r.noteValues,
		r.hearOthers, r.recountArtifacts,
		func() error { return change(r) },
		r.renderBehind, r.lookAtDiscussions, r.putAway, r.keepSession, r.takeIn,
	)
	switch {
	case err != nil:
		return err
	case r.unconfigured != nil:
		return inOrder(r.showOurs, r.leaveLayer, r.closeViews, r.closeLook, r.closeConversations, r.closeArtifacts)
	}
	return inOrder(
		r.fire, r.renderDiscussions, r.renewContexts, r.keepSessionAgain, r.fireQueue,
		r.tellSize, r.doLast, r.lookAgain, r.renewNotes,
		r.closeViews, r.keepMemory, r.closeLook, r.closeDiscussions, r.closeConversations, r.closeArtifacts,
	)
}

// inOrder runs stages, the next one if the one before it succeeded.
func inOrder(stages ...func() error) error {
	for _, stage := range stages {
		if err := stage(); err != nil {
			return err
		}
	}
	return nil
}

// open reads what every stage goes by.
func (r *round) open() (err error) {
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
	if err := r.openLook(); err != nil {
		return err
	}
	r.openDiscussions()
	if err := r.readable(fs.State); err != nil {
		return err
	}
	return r.expect()
}

func (r *round) noteValues() error {
	r.before = r.values()
	return nil
}

// takeIn takes in what is new: a watcher's look alone no more than decisions that others recorded.
func (r *round) takeIn() error {
	changes := !r.rendersOnly()
	if r.unconfigured == nil {
		if err := r.look(); err != nil {
			return err
		}
	}
	if r.before != nil && (changes || r.counted.Decisions+r.counted.Messages > 0) {
		if err := r.count(); err != nil {
			return err
		}
	}
	r.tallied = true
	return nil
}

// keepSessionAgain does what keepSession does for what was fired, which may have changed the session.
func (r *round) keepSessionAgain() error {
	r.settled = false
	return r.keepSession()
}

func (r *round) doLast() error {
	if r.last == nil {
		return nil
	}
	return r.last()
}

// keepMemory notes what was acted on.
func (r *round) keepMemory() error {
	if now := r.values(); now != nil {
		r.memory.begins(r.before, *now)
	}
	return r.memory.save(r.tx)
}
