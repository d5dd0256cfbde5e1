package engine

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// EndSessionCommand is the command that the trigger session_end waits for.
const EndSessionCommand = "facilitator end session"

// EndSession ends the session and begins the next one, whose id it returns.
func (t *Tree) EndSession(ctx context.Context) (next string, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error { return r.endSession(&next) })
	return next, out, err
}

// StartSession begins a session. One in which something happened is ended
// first; one that has just begun goes on, for it is what was asked for.
func (t *Tree) StartSession(ctx context.Context) (id string, out Outcome, err error) {
	out, err = t.do(ctx, func(r *round) error {
		s, ok := r.readState()
		if !ok || s.Metadata == nil {
			return r.noState()
		}
		if id = s.Metadata.SessionID; state.Fresh(s) && state.ReadCounters(r.tx).IsZero() {
			return nil
		}
		return r.endSession(&id)
	})
	return id, out, err
}

// endSession gives the event that ends the session. The next one begins once
// what it fires is done.
func (r *round) endSession(next *string) error {
	if _, err := r.tx.Read(fs.State); missing(err) {
		return state.ErrNoState
	}
	r.event = Event{Event: triggers.Event{Command: EndSessionCommand}}
	r.last = func() error {
		id, err := schema.NewID("session-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, nil)
		if err != nil {
			return err
		}
		*next, r.memory.Floor = id, 0
		if err := r.checkpointOnce(); err != nil {
			return err
		}
		return edit(r.tx, fs.State, func(src []byte) ([]byte, error) { return state.StartSession(src, id, r.at) })
	}
	return nil
}
