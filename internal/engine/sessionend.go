package engine

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/templates"
)

// syncAll writes the values in `.local/` to the documents, and rebuilds the indexes of
// sessions and of the cache.
func syncAll(r *WorkingSet, _ cause) error {
	r.copies = true
	if err := r.checkpointOnce(); err != nil {
		return err
	}
	if _, ok := r.readState(); ok {
		if err := artifact.DropStaleCache(r.tx, r.loader()); err != nil {
			return err
		}
	}
	index, err := session.Index(r.tx)
	if err != nil || index == nil {
		return err
	}
	r.tx.Write(fs.SessionIndex, index)
	return nil
}

// keepSnapshot makes a checkpoint and a snapshot of the State.
func keepSnapshot(r *WorkingSet, f cause) error {
	due, err := r.due()
	if err != nil {
		return err
	}
	if kept, err := r.kept(); err != nil || kept && !due {
		return err
	}
	if err := r.checkpoint(); err != nil {
		return err
	}
	return r.snapshot(f.Trigger)
}

// checkpointOnce makes a checkpoint unless nothing changed since the last.
func (r *WorkingSet) checkpointOnce() error {
	if due, err := r.due(); err != nil || !due {
		return err
	}
	return r.checkpoint()
}

// due reports whether `.local/` has values that a checkpoint would write to the State:
// counters, uses of artifacts, the tokens of the conversation.
func (r *WorkingSet) due() (bool, error) {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		if isMissing(err) {
			err = nil
		}
		return false, err
	}
	if !state.ReadCounters(r.tx).IsZero() || artifact.WasUsed(r.tx) {
		return true, nil
	}
	tokens, ok := r.talkTokens()
	if !ok {
		return false, nil
	}
	counted, err := state.SetMessageTokens(src, tokens)
	return !bytes.Equal(src, counted), err
}

// kept reports whether a snapshot equals the present State. It is true for a tree without a
// State.
func (r *WorkingSet) kept() (bool, error) {
	src, err := r.tx.Read(fs.State)
	if isMissing(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if src, err = views.WithoutStamp(src); err != nil {
		return false, err
	}
	return state.Kept(r.tx, src)
}

// summarize writes the session's summary, or updates the part of it that forgemind
// wrote.
func summarize(r *WorkingSet, _ cause) error {
	s, ok := r.readState()
	if !ok {
		return nil
	}
	name, err := state.SummaryName(s)
	if err != nil {
		return err
	}
	old, err := r.tx.Read(name)
	if err != nil && !isMissing(err) {
		return err
	}
	var more []string
	if tokens, ok := r.talkTokens(); ok {
		more = append(more, fmt.Sprintf("Conversation: %d messages, %d tokens", r.talk.Messages, tokens))
	}
	standing := StandingOf(r.tx)
	for i, d := range s.RecentDecisions {
		if by, ok := standing.SupersededBy(d.ID); ok {
			s.RecentDecisions[i].Decision += fmt.Sprintf(" [superseded by %s]", by)
		}
	}
	r.tx.Write(name, templates.IntoSummary(old, s, more...))
	return nil
}

// clearCache empties the cache. Its files are derived and can be rebuilt.
func clearCache(r *WorkingSet, _ cause) error {
	for name, err := range r.tx.Names(fs.Cache) {
		if err != nil {
			return fmt.Errorf("clear the cache: %w", err)
		}
		r.tx.Remove(name)
	}
	return nil
}
