package engine

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// NewSession begins a session and makes it the active one; the one that was
// active stays as it is.
func (t *Tree) NewSession(ctx context.Context, title, agent string) (schema.SessionMetadata, Outcome, error) {
	var begun schema.SessionMetadata
	out, err := t.withSessions(ctx, func(r *round) error {
		r.event.Agent = agent
		if err := r.keepConversation(); err != nil {
			return err
		}
		l, err := r.begin(title, "", nil)
		if err != nil {
			return err
		}
		r.settled = true
		l.about.Agents = []string{r.actor()}
		if err := r.closeLive(l); err != nil {
			return err
		}
		if err := r.retire(); err != nil {
			return err
		}
		_, begun, err = r.knownOf(l.ID)
		return err
	})
	return begun, out, err
}

// NewSessionFrom begins a session with what a transcript says, all of it in that
// one, and makes it the active one. Where nothing of it is new, no session is
// begun: its id is "" then.
func (t *Tree) NewSessionFrom(ctx context.Context, title, agent string, im transcript.Transcript) (begun schema.SessionMetadata, added []schema.Message, out Outcome, err error) {
	out, err = t.withSessions(ctx, func(r *round) error {
		r.event.Agent, r.bulk, r.whole = agent, true, true
		begun = schema.SessionMetadata{}
		err := r.keepConversation()
		if err != nil {
			return err
		}
		var id string
		if id, added, err = r.beginWith(title, &im); err != nil || id == "" {
			return err
		}
		if err := r.reportImported(&im, added); err != nil {
			return err
		}
		if err := r.retire(); err != nil {
			return err
		}
		_, begun, err = r.knownOf(id)
		return err
	})
	return begun, added, out, err
}

// hasQuaid reports whether the tree has the folder that sessions live in. One that is empty counts
// in a tree of no other folder.
func (r *round) hasQuaid() bool {
	for range r.tx.Names(fs.Quaid) {
		return true
	}
	_, err := r.tree.Look(fs.Quaid)
	return err == nil && r.home == fs.Quaid
}

// A Restored is what stands in a session that was made active again.
type Restored struct {
	schema.SessionMetadata
	Goals []schema.Goal // those that are open
	Last  string        // what was last worked on, in words; "" where nothing says
	Next  []string      // what is to be done next
}

// An UnknownSession is the id of a session that the tree has not.
type UnknownSession struct {
	ID    string
	Known []string
}

func (e *UnknownSession) Error() string { return fmt.Sprintf("there is no session %.60q", e.ID) }

// RestoreSession makes a session the active one again, with the last messages of
// its history in the window.
func (t *Tree) RestoreSession(ctx context.Context, id string) (Restored, Outcome, error) {
	var restored Restored
	out, err := t.do(ctx, func(r *round) error {
		restored = Restored{}
		if err := r.known(id); err != nil {
			return err
		}
		if err := r.keepConversation(); err != nil {
			return err
		}
		was, version := hotVersion(r.tx)
		src, err := r.maybe(session.HotContext(id))
		if err != nil {
			return err
		}
		if src == nil {
			if err := r.renewHot(id); err != nil {
				return err
			}
		} else if name := session.HotContext(id); !views.Readable(name, src) {
			r.unreadable[name] = true
			if err := r.tellUnread(name); err != nil {
				return err
			}
		}
		if was != id {
			from, _, err := session.InForce(r.tx)
			if err != nil {
				return err
			}
			if err := r.recordShown(from, id); err != nil {
				return err
			}
			if err := r.outrun(id, version); err != nil {
				return err
			}
		}
		r.activate(id)
		if err := r.hearIn(session.Window(id)); err != nil {
			return err
		}
		l, err := r.openLive()
		if err != nil {
			return err
		}
		l.Slide(session.KeptMessages)
		l.about.Status, r.settled, r.memory.TalkFloor = session.Open, true, 0
		messages := l.Messages()
		if err := r.closeLive(l); err != nil {
			return err
		}
		if err := r.retire(); err != nil {
			return err
		}
		return r.restored(&restored, id, messages)
	})
	return restored, out, err
}

// activate makes a session the active one.
func (r *round) activate(id string) {
	r.tx.Write(fs.ActiveSession, []byte(id+"\n"))
	r.behind = true // its hot context may not show yet what is in force
}

// known fails with an *UnknownSession where the tree has no session of that id.
func (r *round) known(id string) error {
	all, err := session.List(r.tx)
	if err != nil {
		return err
	}
	unknown := &UnknownSession{ID: id}
	for _, s := range all {
		if s.SessionID == id {
			return nil
		}
		unknown.Known = append(unknown.Known, s.SessionID)
	}
	return unknown
}

// outrun gives a session's hot context a version behind that of the session that
// was active: an agent that waits for a version must not meet it twice.
func (r *round) outrun(id string, version int) error {
	return edit(r.tx, session.HotContext(id), func(src []byte) ([]byte, error) {
		h, err := session.ReadHot(src)
		if err != nil || h.Version() > version {
			return src, nil // one that cannot be read has no version
		}
		return jsonedit.Set(src, "/version", fmt.Appendf(nil, "%d", version+1))
	})
}

// restored tells what stands in a session.
func (r *round) restored(to *Restored, id string, messages []schema.Message) error {
	hot, about, err := r.knownOf(id)
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
