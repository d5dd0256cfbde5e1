package engine

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
)

// count adds, once, the figures of this change to the counters in `.local/`; the next
// checkpoint writes them to the State.
func (r *WorkingSet) count() error {
	if r.tallied {
		return nil
	}
	r.tallied = true
	r.counted.Commands++
	r.counted.Messages += r.appended.messages
	r.appended.messages = 0
	if r.event.Decision != nil {
		r.counted.Decisions++
	}
	before, err := r.counters()
	if err != nil {
		return err
	}
	return saveCounters(r.tx, before.Plus(r.counted))
}

// counters returns the tree's counters. It fails if the disk does: with zero counters,
// the next write would lose the counts.
func (r *WorkingSet) counters() (state.Counters, error) {
	src, err := r.tx.Read(fs.LocalName(fs.Forgemind, fs.CountersFile))
	if err != nil && !isMissing(err) && !isAboutContent(err) {
		return state.Counters{}, err
	}
	return state.DecodeCounters(src), nil
}

// checkpoint writes to the State the values that change too often to be written each
// time: the counters, the time, the uses of artifacts, the tokens of the conversation.
// The command that makes a checkpoint is counted in it; otherwise its own count would
// require the next checkpoint.
func (r *WorkingSet) checkpoint() error {
	if r.values() != nil {
		if err := r.count(); err != nil {
			return err
		}
	}
	if err := artifact.WriteUses(r.tx); err != nil {
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
func (r *WorkingSet) snapshot(reason string) error {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		return err
	}
	return r.keepState(src, reason)
}

// keepState writes a State to context-history.
func (r *WorkingSet) keepState(src []byte, reason string) error {
	src, err := views.WithoutStamp(src) // a snapshot is not a view
	if err != nil {
		return err
	}
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
