package refresh

import (
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/templates"
	"github.com/forgemind/forgemind/triggers"
)

// syncAll writes what stands in `.local/` to the documents, and rebuilds the
// index of sessions.
func syncAll(r *round, _ triggers.Firing) error {
	if err := r.checkpointOnce(); err != nil {
		return err
	}
	index, err := session.Index(r.tx)
	if err != nil || index == nil {
		return err
	}
	r.tx.Write(fs.SessionIndex, index)
	return nil
}

// keepSnapshot makes a checkpoint and keeps the State.
func keepSnapshot(r *round, f triggers.Firing) error {
	if kept, err := r.kept(); err != nil || kept {
		return err
	}
	if err := r.checkpoint(); err != nil {
		return err
	}
	return r.snapshot(f.Trigger)
}

// checkpointOnce makes a checkpoint unless nothing happened since the last.
func (r *round) checkpointOnce() error {
	if kept, err := r.kept(); err != nil || kept {
		return err
	}
	return r.checkpoint()
}

// kept says whether a snapshot holds exactly the State of now. A tree without
// a State has nothing to keep.
func (r *round) kept() (bool, error) {
	src, err := r.tx.Read(fs.State)
	if missing(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return state.Kept(r.tx, src)
}

// summarise writes the session's summary, or brings that part of it up to date
// which forgemind wrote.
func summarise(r *round, _ triggers.Firing) error {
	s, ok := r.readState()
	if !ok {
		return nil
	}
	name, err := state.SummaryName(s)
	if err != nil {
		return err
	}
	old, err := r.tx.Read(name)
	if err != nil && !missing(err) {
		return err
	}
	r.tx.Write(name, templates.IntoSummary(old, s))
	return nil
}

// clearCache empties the cache. Its files can all be made again.
func clearCache(r *round, _ triggers.Firing) error {
	for name, err := range r.tx.Names(fs.Cache) {
		if err != nil {
			return fmt.Errorf("clear the cache: %w", err)
		}
		r.tx.Remove(name)
	}
	return nil
}
