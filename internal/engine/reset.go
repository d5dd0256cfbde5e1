package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/state"
)

// A Reset lists the files that a reset moves to the trash.
type Reset struct {
	Moved []string // names, sorted
	Left  []string // other names in the same folders that stay
}

// ToReset returns the files that Tree.Reset would move.
func ToReset(r fs.Reader) (Reset, error) {
	var found Reset
	take := func(name string) error {
		switch _, err := r.Read(name); {
		case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge):
			found.Left = append(found.Left, name)
		case err == nil:
			found.Moved = append(found.Moved, name)
		case !isMissing(err):
			return err
		}
		return nil
	}
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for _, dir := range []string{fs.ColdDir, fs.LogsDir} {
			for name, err := range r.Names(home + "/" + dir) {
				if err != nil {
					return found, fmt.Errorf("%s: %w", name, err)
				}
				if fs.Place(name) == fs.NoDoc {
					found.Left = append(found.Left, name)
				} else if err := take(name); err != nil {
					return found, err
				}
			}
		}
		if home == fs.Forgemind {
			if err := take(fs.Messages); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// Reset moves cold storage, the compaction logs and the live conversation that belongs
// to no session to `.local/trash/`, all of it or nothing, and removes the indexes
// derived from them. It keeps the Ledger, the summaries, the sessions and the State,
// which no longer counts the conversation.
func (t *Tree) Reset(ctx context.Context) (Reset, Outcome, error) {
	var done Reset
	out, err := t.do(ctx, func(r *WorkingSet) (err error) {
		if done, err = ToReset(r.tx); err != nil || len(done.Moved) == 0 {
			return err
		}
		for _, name := range done.Moved {
			r.tx.Remove(name)
		}
		if err := cold.NoteReset(r.tx, done.Moved); err != nil {
			return err
		}
		if err := r.forgetCold(); err != nil {
			return err
		}
		// The next triggers fire as if nothing had been compacted.
		r.memory.Floor, r.compacted = 0, true
		if err := r.recountSession(); err != nil {
			return err
		}
		if err := r.countTokens(); err != nil {
			return err
		}
		return r.forgetTalk()
	})
	return done, out, err
}

// forgetTalk sets the State's figures of the conversation to zero if the conversation
// that they count is gone. An unreadable State stays unchanged.
func (r *WorkingSet) forgetTalk() error {
	src, err := r.readIfExists(fs.State)
	if err != nil || src == nil || r.talk.Messages > 0 {
		return err
	}
	if now, err := state.SetMessageTokens(src, 0); err == nil {
		r.tx.Write(fs.State, now)
	}
	return nil
}

// forgetCold removes the indexes of cold storage.
func (r *WorkingSet) forgetCold() error {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		derived, err := r.tree.Entries(fs.LocalName(home, "index"))
		if isMissing(err) {
			continue
		}
		if err != nil {
			return err
		}
		for _, e := range derived {
			if at := strings.LastIndexByte(e.Name, '/'); !e.Dir && strings.HasPrefix(e.Name[at+1:], "cold-") {
				r.tx.Remove(e.Name)
			}
		}
	}
	return nil
}

// recountSession updates the message count of the active session after cold storage was
// moved away.
func (r *WorkingSet) recountSession() error {
	told := len(r.out.Notes)
	l, err := r.openLive()
	if err != nil || l == nil {
		return err
	}
	r.out.Notes = r.out.Notes[:told] // the smaller count is expected, so it gets no note
	r.settled = true
	return r.closeLive(l)
}
