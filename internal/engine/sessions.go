package engine

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// EndSessionCommand is the command that fires the trigger session_end.
const EndSessionCommand = "facilitator end session"

// A Turn is the end of a session and the beginning of the next.
type Turn struct {
	Ended    string   // id of the State's session that ended; "" if none did
	Session  string   // id of the State's session that began or goes on
	Archived Archived // the archived conversation; zero if it had no messages
}

// EndSession ends the session and begins the next one. A conversation with messages is
// archived; the next one is empty and continues it.
func (t *Tree) EndSession(ctx context.Context) (next Turn, out Outcome, err error) {
	out, err = t.turn(ctx, request{change: (*WorkingSet).endSession, after: func(r *WorkingSet) (err error) {
		next, err = r.nextSession()
		return err
	}})
	return next, out, err
}

// StartSession begins a session. If something happened in the present one, it is ended
// first; else it goes on.
func (t *Tree) StartSession(ctx context.Context) (next Turn, out Outcome, err error) {
	goesOn := false
	change := func(r *WorkingSet) error {
		s, ok := r.readState()
		if !ok || s.Metadata == nil {
			return r.missingState()
		}
		next = Turn{Session: s.Metadata.SessionID}
		goesOn = state.IsFresh(s) && state.ReadCounters(r.tx).IsZero()
		if goesOn {
			return nil
		}
		return r.endSession()
	}
	after := func(r *WorkingSet) (err error) {
		if !goesOn {
			next, err = r.nextSession()
		}
		return err
	}
	out, err = t.turn(ctx, request{change: change, after: after})
	return next, out, err
}

// turn is transact for the end of a session. A conversation without a session gets one.
func (t *Tree) turn(ctx context.Context, req request) (Outcome, error) {
	if _, err := t.Look(fs.Messages); err == nil && !t.DryRun {
		if err := t.needQuaid(); err != nil {
			return Outcome{}, err
		}
	}
	return t.transact(ctx, req)
}

// endSession sets the event that ends the session. The next session begins when
// everything that the event fires is done; see nextSession.
func (r *WorkingSet) endSession() error {
	if _, err := r.tx.Read(fs.State); isMissing(err) {
		return state.ErrNoState
	}
	r.event, r.copies = Event{Event: triggers.Event{Command: EndSessionCommand}}, true
	return nil
}

// nextSession archives the conversation and begins a session.
func (r *WorkingSet) nextSession() (next Turn, err error) {
	if next.Session, err = schema.NewID("session-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, nil); err != nil {
		return next, err
	}
	if s, ok := r.readState(); ok && s.Metadata != nil {
		next.Ended = s.Metadata.SessionID
	}
	if next.Archived, err = r.archiveConversation(); err != nil {
		return next, err
	}
	r.memory.Floor, r.memory.Emergency = 0, ""
	if err := r.checkpointOnce(); err != nil {
		return next, err
	}
	return next, edit(r.tx, fs.State, func(src []byte) ([]byte, error) { return state.StartSession(src, next.Session, r.at) })
}

// ArchiveConversation archives the live conversation because the session of an agent
// ended, and begins the one that continues it. It does nothing if the conversation has
// no messages.
func (t *Tree) ArchiveConversation(ctx context.Context, agent string) (Outcome, error) {
	return t.turn(ctx, request{change: func(r *WorkingSet) error {
		r.event.Agent, r.copies = agent, true
		_, err := r.archiveConversation()
		return err
	}})
}

// archiveConversation archives the live conversation, unless it has no messages, and
// begins the session that continues it. It makes a fragment if the session is worth it.
func (r *WorkingSet) archiveConversation() (done Archived, err error) {
	if err := r.keepConversation(); err != nil {
		return done, err
	}
	l, err := r.openLive()
	if err != nil || l == nil || l.count == 0 {
		return done, err
	}
	done.Session = l.id
	if l, done.Fragment, err = r.archiveIf(l, "", true, r.isWorthArchiving(l)); err != nil {
		return done, err
	}
	done.Next, r.settled, r.memory.Floor = l.id, true, 0
	if err := r.closeLive(l); err != nil {
		return done, err
	}
	tokens, _ := r.talkTokens() // the next conversation is empty
	return done, r.editState(func(src []byte) ([]byte, error) { return state.SetMessageTokens(src, tokens) })
}
