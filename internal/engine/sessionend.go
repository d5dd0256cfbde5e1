package engine

import (
	"bytes"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/templates"
)

// syncAll writes what stands in `.local/` to the documents, and rebuilds the
// indexes of sessions and of the cache.
func syncAll(r *round, _ *firing) error {
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

// keepSnapshot makes a checkpoint and keeps the State. The snapshot names the decisions that it is
// taken for, and one that names them all is enough, such as one that git brought with them.
func keepSnapshot(r *round, f *firing) error {
	var causes []string
	for _, d := range f.decisions {
		causes = append(causes, d.ID)
	}
	if f.reach != ours && len(causes) > 0 && state.CausedBy(r.tx, f.Trigger, causes) {
		return nil
	}
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
	src, err := r.tx.Read(fs.State)
	if err == nil {
		src, err = state.WithCauses(src, causes)
	}
	if err != nil {
		return err
	}
	return r.keep(src, f.Trigger)
}

// checkpointOnce makes a checkpoint unless nothing happened since the last.
func (r *round) checkpointOnce() error {
	if due, err := r.due(); err != nil || !due {
		return err
	}
	return r.checkpoint()
}

// due says whether `.local/` holds what a checkpoint would write to the State:
// figures, uses of artifacts, what the conversation costs by now.
func (r *round) due() (bool, error) {
	src, err := r.tx.Read(fs.State)
	if err != nil {
		if missing(err) {
			err = nil
		}
		return false, err
	}
	if !state.ReadCounters(r.tx).IsZero() || artifact.Touched(r.tx) {
		return true, nil
	}
	tokens, ok := r.talkTokens()
	if !ok {
		return false, nil
	}
	counted, err := state.SetMessageTokens(src, tokens)
	return !bytes.Equal(src, counted), err
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
func summarise(r *round, _ *firing) error {
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

// clearCache empties the cache. Its files can all be made again.
func clearCache(r *round, _ *firing) error {
	for name, err := range r.tx.Names(fs.Cache) {
		if err != nil {
			return fmt.Errorf("clear the cache: %w", err)
		}
		r.tx.Remove(name)
	}
	return nil
}
