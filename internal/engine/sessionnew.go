package engine

import (
	"cmp"
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// NewSession begins a session and makes it the active one. The session that was active
// stays unchanged.
func (t *Tree) NewSession(ctx context.Context, title, agent string) (schema.SessionMetadata, Outcome, error) {
	var begun schema.SessionMetadata
	out, err := t.withSessions(ctx, func(r *WorkingSet) error {
		r.event.Agent = agent
		if err := r.keepConversation(); err != nil {
			return err
		}
		l, err := r.begin(title, "", nil)
		if err != nil {
			return err
		}
		r.settled = true
		l.about.Agents = []string{r.Actor()}
		if err := r.closeLive(l); err != nil {
			return err
		}
		if err := r.retireSessions(); err != nil {
			return err
		}
		_, begun, err = r.readSession(l.id)
		return err
	})
	return begun, out, err
}

// NewSessionFrom begins a session with all messages of a transcript and makes it the
// active one. If none of the messages is new, it begins no session, and the id is "".
func (t *Tree) NewSessionFrom(ctx context.Context, title, agent string, im transcript.Transcript) (begun schema.SessionMetadata, added []schema.Message, out Outcome, err error) {
	out, err = t.withSessions(ctx, func(r *WorkingSet) error {
		r.event.Agent, r.event.intake = agent, wholeSession
		begun = schema.SessionMetadata{}
		err := r.keepConversation()
		if err != nil {
			return err
		}
		if added, err = r.prepareMessages(nil, nil, im.Messages); err != nil || len(added) == 0 {
			return err
		}
		l, err := r.begin(cmp.Or(title, im.Title), "", nil)
		if err != nil {
			return err
		}
		id := l.id
		if err := r.sayIn(l, added); err != nil {
			return err
		}
		if err := r.reportImported(&im, added); err != nil {
			return err
		}
		if err := r.retireSessions(); err != nil {
			return err
		}
		_, begun, err = r.readSession(id)
		return err
	})
	return begun, added, out, err
}

// hasQuaid reports whether the tree has the folder of sessions.
func (r *WorkingSet) hasQuaid() bool {
	for range r.tx.Names(fs.Quaid) {
		return true
	}
	return false
}

// A Restored describes a session that was made active again.
type Restored struct {
	schema.SessionMetadata
	Goals []schema.Goal // those that are open
	Last  string        // what was last worked on, in words; "" if it is not known
	Next  []string      // the next actions
}

// An UnknownSessionError reports that the tree has no session of an id.
type UnknownSessionError struct {
	ID    string
	Known []string
}

func (e *UnknownSessionError) Error() string { return fmt.Sprintf("there is no session %.60q", e.ID) }

// RestoreSession makes a former session active again, with the last messages of its
// history in the window.
func (t *Tree) RestoreSession(ctx context.Context, id string) (Restored, Outcome, error) {
	var restored Restored
	out, err := t.do(ctx, func(r *WorkingSet) error {
		restored = Restored{}
		if err := r.checkSession(id); err != nil {
			return err
		}
		if err := r.keepConversation(); err != nil {
			return err
		}
		if err := r.prepareHot(id); err != nil {
			return err
		}
		r.tx.Write(fs.ActiveSession, []byte(id+"\n"))
		l, err := r.openLive()
		if err != nil {
			return err
		}
		r.slide(l, session.KeptMessages)
		l.about.Status, r.settled, r.memory.TalkFloor = session.Open, true, 0
		messages := l.messages()
		if err := r.closeLive(l); err != nil {
			return err
		}
		if err := r.retireSessions(); err != nil {
			return err
		}
		return r.describeRestored(&restored, id, messages)
	})
	return restored, out, err
}

// prepareHot prepares the hot context of a session that becomes the active one. It
// makes a missing one, and raises the version above that of the session that is active
// now.
func (r *WorkingSet) prepareHot(id string) error {
	active, version := hotVersion(r.tx)
	src, err := r.readIfExists(session.HotContext(id))
	if err != nil {
		return err
	}
	if src == nil {
		err = r.renewHot(id)
	} else if _, unread := session.ReadHot(src); unread != nil {
		err = wrapName(session.HotContext(id), unread)
	}
	if err != nil || active == id {
		return err
	}
	from, _, err := session.InForce(r.tx)
	if err != nil {
		return err
	}
	if err := r.recordShown(from, id); err != nil {
		return err
	}
	return r.raiseHotVersion(id, version)
}

// checkSession returns an *UnknownSessionError if the tree has no session of that id.
func (r *WorkingSet) checkSession(id string) error {
	all, err := session.List(r.tx)
	if err != nil {
		return err
	}
	unknown := &UnknownSessionError{ID: id}
	for _, s := range all {
		if s.SessionID == id {
			return nil
		}
		unknown.Known = append(unknown.Known, s.SessionID)
	}
	return unknown
}

// raiseHotVersion raises the version of a session's hot context above version, that of
// the former active session: a version must not occur twice for an agent that waits for
// it.
func (r *WorkingSet) raiseHotVersion(id string, version int) error {
	return edit(r.tx, session.HotContext(id), func(src []byte) ([]byte, error) {
		h, err := session.ReadHot(src)
		if err != nil || h.Version() > version {
			return src, err
		}
		return jsonedit.Set(src, "/version", fmt.Appendf(nil, "%d", version+1))
	})
}

// describeRestored sets the fields of to from a session.
func (r *WorkingSet) describeRestored(to *Restored, id string, messages []schema.Message) error {
	hot, about, err := r.readSession(id)
	if err != nil {
		return err
	}
	to.SessionMetadata = about
	for _, g := range hot.ActiveGoals {
		if g.Status != session.Complete {
			to.Goals = append(to.Goals, g)
		}
	}
	for _, a := range hot.PendingActions {
		to.Next = append(to.Next, a.Action)
	}
	for i := len(messages) - 1; i >= 0 && to.Last == ""; i-- {
		if doing := extract.Work(messages[i].Content).Doing; len(doing) > 0 {
			to.Last = doing[len(doing)-1]
		}
	}
	if to.Last == "" && hot.CurrentFileContext != nil {
		to.Last = hot.CurrentFileContext.LastEdited
	}
	if to.Last == "" {
		to.Last = session.Objective(hot)
	}
	return nil
}
