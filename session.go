package forgemind

import (
	"context"
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
)

// An Ended describes the end of a session.
type Ended struct {
	Session  string // id of the session that ended
	Next     string // id of the session that continues
	Fragment string // name of its fragment of long-term memory; "" for none
	Added    int    // messages that were new to the tree
	Handed   bool   // SetContext was called with the beginning of the next session
	Notes    []string
}

// SessionEnd adds new messages to the tree and ends the session, like the commands
// `facilitator end session` and `sessions archive`. The conversation is archived unchanged,
// and the next session begins with an empty window: SetContext gets the summary of the one
// that ended, with the open work. The error is ErrNoSession if the tree has no session.
func (w *Window) SessionEnd(ctx context.Context) (ended Ended, err error) {
	err = w.alone(ctx, func() error {
		var notes []string
		if ended.Added, notes, err = w.take(ctx); err != nil {
			return err
		}
		more, err := w.tree.endSession(ctx)
		more.Added, more.Notes = ended.Added, append(notes, more.Notes...)
		ended, w.talk, w.handed = more, nil, ""
		if err != nil {
			return err
		}
		if err := w.follow(nil); err != nil {
			return err
		}
		ended.Handed, err = w.handOver(ctx)
		return err
	})
	return ended, err
}

// endSession ends the State's session and the conversation's session, if they exist.
func (t *Tree) endSession(ctx context.Context) (ended Ended, err error) {
	name, err := session.Conversation(t.tree)
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
	var next engine.Turn
	var out engine.Outcome
	if stateless {
		next.Archived, out, err = t.tree.ArchiveSession(ctx, "")
	} else {
		next, out, err = t.tree.EndSession(ctx)
	}
	ended = Ended{Session: next.Ended, Next: next.Session, Fragment: next.Archived.Fragment, Notes: out.Notes}
	if name != fs.Messages && next.Archived.Session != "" {
		ended.Session, ended.Next = next.Archived.Session, next.Archived.Next
	}
	return ended, err
}
