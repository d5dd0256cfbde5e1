package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/state"
)

// A Reset is what was moved to the trash, or would be.
type Reset struct {
	Moved []string // names, sorted
	Left  []string // names beside them that stay: no documents of forgemind's, or no files that it reads
}

// ToReset says what Reset would move of what r has.
func ToReset(r fs.Reader) (Reset, error) {
	var found Reset
	take := func(name string) error {
		switch _, err := r.Read(name); {
		case errors.Is(err, fs.ErrIrregular), errors.Is(err, fs.ErrTooLarge):
			found.Left = append(found.Left, name)
		case err == nil:
			found.Moved = append(found.Moved, name)
		case !missing(err):
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

// Reset moves cold storage, the logs of compactions and the live conversation
// that belongs to no session to `.local/trash/`, all of it or nothing. What was
// derived from them goes as well, and nothing else does: not the Ledger, not the
// State (it no longer counts the conversation), no summary, no session.
func (t *Tree) Reset(ctx context.Context) (Reset, Outcome, error) {
	var done Reset
	out, err := t.do(ctx, func(r *round) (err error) {
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
		// What is due next is due as if nothing had been compacted.
		r.memory.Floor, r.memory.Compacted, r.compacted = 0, time.Time{}, true
		if err := r.recountSession(); err != nil {
			return err
		}
		if err := r.tally(); err != nil {
			return err
		}
		return r.forgetTalk()
	})
	return done, out, err
}

// forgetTalk lets the State say that no message fills the window, where none is
// left of a conversation that it recorded. A State that cannot be read stays as it
// is.
func (r *round) forgetTalk() error {
	src, err := r.maybe(fs.State)
	if err != nil || src == nil || r.talk.Messages > 0 {
		return err
	}
	if now, err := state.SetMessageTokens(src, 0); err == nil {
		r.tx.Write(fs.State, now)
	}
	return nil
}

// forgetCold takes away the indexes of cold storage.
func (r *round) forgetCold() error {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		derived, err := r.tree.Entries(fs.LocalName(home, "index"))
		if missing(err) {
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

// recountSession lets the active session say how many messages it has, now that
// none of them is in cold storage.
func (r *round) recountSession() error {
	told := len(r.out.Notes)
	l, err := r.openLive()
	if err != nil || l == nil {
		return err
	}
	r.out.Notes = r.out.Notes[:told] // that they are fewer is what was asked for
	r.settled = true
	return r.closeLive(l)
}
