package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An Archived describes the archiving of a session.
type Archived struct {
	Session  string
	Fragment string // name of its fragment; "" for none
	Next     string // the session that is active now
}

// ArchiveSession archives the active session, with a fragment called title ("" is the
// session's own title), and begins one that continues it.
func (t *Tree) ArchiveSession(ctx context.Context, title string) (Archived, Outcome, error) {
	return t.endActive(ctx, func(r *WorkingSet, l *liveSession) (*liveSession, string, error) { return r.archive(l, title, true) })
}

// ClearSession archives the active session and begins an empty one, which has only the
// project's goals and constraints.
func (t *Tree) ClearSession(ctx context.Context) (Archived, Outcome, error) {
	return t.endActive(ctx, func(r *WorkingSet, l *liveSession) (*liveSession, string, error) {
		return r.archiveIf(l, "", false, r.isWorthArchiving(l))
	})
}

func (t *Tree) endActive(ctx context.Context, end func(*WorkingSet, *liveSession) (*liveSession, string, error)) (Archived, Outcome, error) {
	var done Archived
	out, err := t.doInSession(ctx, "", func(r *WorkingSet) error {
		l, err := r.openActive()
		if err != nil {
			return err
		}
		done = Archived{Session: l.id}
		if l, done.Fragment, err = end(r, l); err != nil {
			return err
		}
		done.Next, r.settled = l.id, true
		return r.closeLive(l)
	})
	return done, out, err
}

// archiveDue archives a long session and returns the next one, which continues it.
func (r *WorkingSet) archiveDue(l *liveSession) (*liveSession, error) {
	old, reason := l.id, fmt.Sprintf("%d messages", l.count)
	statements := r.statements(l)
	l, fragment, err := r.archiveIf(l, "", true, func(about schema.SessionMetadata, hot schema.HotContext) bool {
		worth, why := recall.Worth(about, hot, statements)
		reason += "; " + why
		return worth
	})
	if err != nil {
		return nil, err
	}
	wrote := []string{session.MetadataFile(old), session.MetadataFile(l.id), session.HotContext(l.id), fs.ActiveSession}
	if fragment != "" {
		wrote = append(wrote, fragment)
	}
	r.noteFired(ArchiveTrigger, reason, "archive_session", wrote...)
	return l, nil
}

// archive ends a readable session, with a fragment of it, and begins the next one. It returns
// the next session and the name of the fragment. carry makes the next session continue this
// one.
func (r *WorkingSet) archive(l *liveSession, title string, carry bool) (*liveSession, string, error) {
	if ok, err := r.hotReads(l.id); err != nil {
		return nil, "", err
	} else if !ok {
		return nil, "", fmt.Errorf("%s cannot be read, and nothing of it was carried over", session.HotContext(l.id))
	}
	return r.archiveIf(l, title, carry, func(schema.SessionMetadata, schema.HotContext) bool { return true })
}

// isWorthArchiving returns a function that reports whether l gets a fragment without being asked
// for one.
func (r *WorkingSet) isWorthArchiving(l *liveSession) func(schema.SessionMetadata, schema.HotContext) bool {
	statements := r.statements(l)
	return func(about schema.SessionMetadata, hot schema.HotContext) bool {
		worth, _ := recall.Worth(about, hot, statements)
		return worth
	}
}

// statements counts the messages in which a user decides something, as far as that was detected,
// or asks to remember something.
func (r *WorkingSet) statements(l *liveSession) (n int) {
	const sure = 0.7 // confidence
	for _, m := range l.messages() {
		d, detected := session.DetectedIn(m)
		if r.isUsers(m) && (detected && d.Confidence >= sure || session.IsReminder(m)) {
			n++
		}
	}
	return n
}

// archiveIf is archive, but makes a fragment only if worth returns true. If the hot
// context cannot be read, nothing of it is carried over, and a note says so.
func (r *WorkingSet) archiveIf(l *liveSession, title string, carry bool, worth func(schema.SessionMetadata, schema.HotContext) bool) (next *liveSession, fragment string, err error) {
	l.renew = true
	l.about.Status = session.Archived
	if err := r.closeLive(l); err != nil {
		return nil, "", err
	}
	hot, about, err := r.readSession(l.id)
	if err != nil {
		return nil, "", err
	}
	standing := StandingOf(r.tx, hot.KeyDecisions...)
	hot.KeyDecisions = slices.DeleteFunc(hot.KeyDecisions, func(d schema.KeyDecision) bool {
		_, superseded := standing.SupersededBy(d.ID)
		return superseded
	})
	if worth(about, hot) {
		if fragment, err = r.makeFragment(about, hot, title); err != nil {
			return nil, "", err
		}
	}
	var carried []byte
	continues := ""
	if carry {
		continues = l.id
		if carry, err = r.hotReads(l.id); err != nil {
			return nil, "", err
		}
	}
	if carry {
		if carried, err = r.readIfExists(session.HotContext(l.id)); err != nil {
			return nil, "", err
		}
		if carried, err = withoutSuperseded(carried, standing); err != nil {
			return nil, "", wrapName(session.HotContext(l.id), err)
		}
	}
	next, err = r.begin(inheritedTitle(carry, about), continues, carried)
	if err != nil {
		return nil, "", err
	}
	return next, fragment, r.retireSessions()
}

// inheritedTitle returns the title of the next session; "" unless it continues this
// one.
func inheritedTitle(carry bool, about schema.SessionMetadata) string {
	if !carry {
		return ""
	}
	return about.Title
}

// makeFragment makes a fragment, the long-term memory, of a session and returns its
// name.
func (r *WorkingSet) makeFragment(about schema.SessionMetadata, hot schema.HotContext, title string) (name string, err error) {
	summary, err := r.readIfExists(session.SummaryFile(about.SessionID))
	if err != nil {
		return "", err
	}
	r.Mask(&title)
	f := recall.FromSession(about, hot, summary, title)
	f.Created = schema.FormatTime(r.at)
	for _, d := range hot.KeyDecisions { // the hot context may have ids that no message names
		named := extract.Entities(d.Decision+". "+d.Rationale, r.config.Entities)
		for _, kind := range extract.Kinds() {
			for _, name := range named[kind] {
				if !slices.Contains(f.Entities, name) {
					f.Entities = append(f.Entities, name)
				}
			}
		}
	}
	if f.ID, err = schema.NewID("frag-", r.tree.edge.Random, recall.TakenFragmentID(r.tx, fs.Quaid)); err != nil {
		return "", err
	}
	if f.Name, err = recall.FragmentName(r.tx, fs.Quaid, f.Title, f.ID, r.at); err != nil {
		return "", err
	}
	text, err := f.Markdown()
	if err != nil {
		return "", err
	}
	if err := recall.UnlinkFragments(r.tx, about.SessionID); err != nil {
		return "", err
	}
	r.tx.Write(f.Name, text)
	return f.Name, r.describe(about.SessionID, session.MetadataChange{Messages: session.AsItIs, Fragment: f.Name})
}

// begin begins a session, makes it the active one and returns it. Its hot context has
// the goals and constraints in force, even if nothing else is carried over.
func (r *WorkingSet) begin(title, continues string, carried []byte) (*liveSession, error) {
	r.Mask(&title)
	id, err := schema.NewID("conv-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, func(id string) bool {
		_, err := r.tx.Read(session.MetadataFile(id))
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	_, version := hotVersion(r.tx)
	documents, err := session.NewDocuments(id, title, r.at, continues, carried)
	if err != nil {
		return nil, err
	}
	if carried == nil {
		from, _, err := session.InForce(r.tx)
		if err != nil {
			return nil, err
		}
		if err := r.recordShown(from); err != nil {
			return nil, err
		}
	}
	for name, text := range documents {
		if name == session.HotContext(id) { // a version must not occur twice for an agent that waits for it
			if !r.raised {
				version++
			}
			if text, err = jsonedit.Set(text, "/version", fmt.Appendf(nil, "%d", version)); err != nil {
				return nil, err
			}
			r.raised = r.raised || version > 1
		}
		r.tx.Write(name, text)
	}
	r.tx.Write(fs.ActiveSession, []byte(id+"\n"))
	if err := r.indexSession(documents[session.MetadataFile(id)]); err != nil {
		return nil, err
	}
	r.memory.TalkFloor = 0
	return r.openLive()
}

// idleDays is the number of days without activity after which a session is archived.
const idleDays = 30

// retireSessions archives the sessions without activity for idleDays.
func (r *WorkingSet) retireSessions() error {
	all, err := session.List(r.tx)
	if err != nil {
		return err
	}
	for _, id := range session.Idle(all, r.at, idleDays) {
		if err := r.describe(id, session.MetadataChange{Messages: session.AsItIs, Status: session.Archived}); err != nil {
			return err
		}
	}
	return nil
}
