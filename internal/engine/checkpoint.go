package engine

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/state"
)

// count notes in `.local/`, once, what this change adds to the session's
// figures; the next checkpoint writes them to the State.
func (r *round) count() error {
	if r.tallied {
		return nil
	}
	r.tallied = true
	if !r.looks && !r.commanded {
		r.commanded = true
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
