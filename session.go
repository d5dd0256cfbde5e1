package forgemind

import (
	"context"
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// An Ended is a session that ended.
type Ended struct {
	Session  string // that ended
	Next     string // that goes on
	Fragment string // name of the fragment of long-term memory that was made of it; "" for none
	Added    int    // messages that were new to the tree
	Notes    []string
}

// SessionEnd takes in what was said since and ends the session, as the commands
// `sessions archive` and `facilitator end session` do where the tree has one or
// the other: a conversation of `.quaid/` is archived and continued by the next,
// the session of the State is summarised, kept and followed by another. Nothing is
// compacted: what was not is in the tree word for word. ErrNoSession where the
// tree has no session at all.
func (w *Window) SessionEnd(ctx context.Context) (ended Ended, err error) {
	err = w.alone(ctx, func() error {
		var notes []string
		if ended.Added, notes, err = w.take(ctx); err != nil {
			return err
		}
		more, err := w.tree.endSession(ctx)
		more.Added, more.Notes = ended.Added, append(notes, more.Notes...)
		ended, w.talk = more, nil
		return err
	})
	return ended, err
}

// endSession ends the sessions that there are.
func (t *Tree) endSession(ctx context.Context) (ended Ended, err error) {
	name, err := session.LiveName(t.tree)
	if err != nil {
		return ended, err
	}
	_, err = t.tree.Read(fs.State)
	stateless := errors.Is(err, iofs.ErrNotExist)
	if err != nil && !stateless {
		return ended, err
	}
	if stateless && name == fs.Messages {
		return ended, ErrNoSession
	}
	if !stateless {
		if ended.Session, err = session.Owner(t.tree); err != nil {
			return ended, err
		}
		next, out, err := t.tree.EndSession(ctx)
		if err != nil {
			return ended, err
		}
		ended.Next, ended.Notes = next, out.Notes
	}
	if name != fs.Messages {
		archived, out, err := t.tree.ArchiveSession(ctx, "")
		if err != nil {
			return ended, err
		}
		ended.Session, ended.Next, ended.Fragment = archived.Session, archived.Next, archived.Fragment
		ended.Notes = append(ended.Notes, out.Notes...)
	}
	return ended, nil
}
