package refresh

import (
	"context"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// Init is Do for an edit that makes a tree, or adds a layout to one. What the tree
// holds already is carried over: a State that is new shows the open questions,
// pending actions and decisions in force; with sessions, a tree that has none gets
// the first one, see needSession.
func (t *Tree) Init(ctx context.Context, sessions bool, edit func(*fs.Tx) error) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		_, err := r.tx.Read(fs.State)
		stateless := missing(err)
		if err = edit(r.tx); err != nil {
			return err
		}
		if r.home, err = home(r.tx); err != nil {
			return err
		}
		if stateless {
			if err := r.fillState(); err != nil {
				return err
			}
		}
		if !sessions || hasSessions(r.tx) {
			return nil
		}
		_, err = r.needSession()
		return err
	})
}

// fillState shows in a new State what is open in the active session, and the newest
// decisions in force. An item that the State refuses, such as an action that waits
// for an unknown question, stays in the hot context alone.
func (r *round) fillState() error {
	const most = 10 // decisions
	hot, standing := r.shown(), StandingOf(r.tx)
	recorded, _ := ledger.All(r.tx) // what cannot be read is for validate to report
	recorded = slices.DeleteFunc(recorded, func(d schema.Decision) bool {
		_, superseded := standing.SupersededBy(d.ID)
		return superseded
	})
	err := edit(r.tx, fs.State, func(src []byte) ([]byte, error) {
		add := func(next []byte, err error) {
			if err == nil {
				src = next
			}
		}
		for _, q := range hot.OpenQuestions {
			q.Blocking = nil // the actions name what they wait for
			add(state.Ask(src, q))
		}
		for _, a := range hot.PendingActions {
			add(state.AddAction(src, a))
		}
		for _, d := range recorded[max(0, len(recorded)-most):] {
			add(state.ShowDecision(src, d, func(string) bool { return true }))
		}
		return src, nil
	})
	if missing(err) { // the layout has no State
		return nil
	}
	return err
}
