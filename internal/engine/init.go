package engine

import (
	"context"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
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
		if r.home, err = Home(r.tx); err != nil {
			return err
		}
		if _, err := r.tx.Read(fs.State); stateless && err == nil {
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

// fillState shows in a new State the newest decisions in force. What is open gets
// records, if only the session shows it, for the State shows records.
func (r *round) fillState() error {
	if err := r.recordItems(records.Question, records.Action); err != nil {
		return err
	}
	const most = 10 // decisions
	standing := StandingOf(r.tx)
	recorded, _, _ := records.Decisions(r.tx) // what cannot be read is for validate to report
	recorded = slices.DeleteFunc(recorded, func(d schema.Decision) bool {
		_, superseded := standing.SupersededBy(d.ID)
		return superseded
	})
	err := edit(r.tx, fs.State, func(src []byte) ([]byte, error) {
		for _, d := range recorded[max(0, len(recorded)-most):] {
			next, err := views.ShowDecision(fs.State, src, d, func(string) bool { return true })
			if err != nil {
				return nil, err
			}
			src = next
		}
		return src, nil
	})
	if missing(err) { // the layout has no State
		return nil
	}
	return err
}
