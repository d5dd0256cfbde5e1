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

// An Archived is a session that was archived, and what came of it.
type Archived struct {
	Session  string
	Fragment string // name of the fragment that was made of it; "" for none
	Next     string // the session that is active now
}

// ArchiveSession archives the active session with a fragment of that title (""
// is the session's own), and begins one that continues it.
func (t *Tree) ArchiveSession(ctx context.Context, title string) (Archived, Outcome, error) {
	return t.endActive(ctx, func(r *round, l *live) (*live, error) { return r.archive(l, title, true) })
}

// ClearSession archives the active session and begins one that carries nothing
// over but the goals and constraints, which are the project's.
func (t *Tree) ClearSession(ctx context.Context) (Archived, Outcome, error) {
	return t.endActive(ctx, func(r *round, l *live) (*live, error) { return r.archiveIf(l, "", false, isWorth) })
}

func (t *Tree) endActive(ctx context.Context, end func(*round, *live) (*live, error)) (Archived, Outcome, error) {
	var done Archived
	out, err := t.doInSession(ctx, "", func(r *round) error {
		l, err := r.openActive()
		if err != nil {
			return err
		}
		done = Archived{Session: l.ID}
		if l, err = end(r, l); err != nil {
			return err
		}
		done.Fragment, done.Next, r.settled = r.fragment, l.ID, true
		return r.closeLive(l)
	})
	return done, out, err
}

// archiveSaid is the action: a session in which something was said is archived, and continued by a new one. If
// it only became long it is made a fragment if it is worth one.
func archiveSaid(r *round, l *live, f *firing) error {
	if l.Count == 0 {
		return nil
	}
	r.fragment = ""
	next, err := r.archiveIf(l, "", true, func(about schema.SessionMetadata, hot schema.HotContext) bool {
		if f.Trigger != ArchiveTrigger || !f.atOnce {
			return true
		}
		worth, why := recall.Worth(about, hot)
		f.Reason += "; " + why
		return worth
	})
	if err == nil {
		*l = *next
	}
	return err
}

// recordSaid sees to it that the decisions that were said in the session l are recorded. It reports whether what
// they fired ended it: l is the one that is live then.
func (r *round) recordSaid(l *live) (ended bool, err error) {
	if !r.unrecorded() {
		return false, nil
	}
	if err := r.closeLive(l); err != nil {
		return false, err
	}
	if err := r.fireSaid(); err != nil {
		return false, err
	}
	now, err := r.openLive()
	if err != nil {
		return false, err
	}
	ended = now.ID != l.ID
	*l = *now
	return ended, nil
}

// archive ends a session that can be read, with a fragment of it, and begins the
// next one, which it returns; carry says whether that continues it.
func (r *round) archive(l *live, title string, carry bool) (*live, error) {
	if hot, err := r.shownHot(l.ID); err != nil {
		return nil, err
	} else if hot == nil {
		return nil, fmt.Errorf("%s cannot be read, so that nothing of it could be carried over", session.HotContext(l.ID))
	}
	return r.archiveIf(l, title, carry, func(schema.SessionMetadata, schema.HotContext) bool { return true })
}

// isWorth says whether a session is worth a fragment that nobody asked for.
func isWorth(about schema.SessionMetadata, hot schema.HotContext) bool {
	worth, _ := recall.Worth(about, hot)
	return worth
}

// archiveIf is archive with a fragment only where worth says so. Of a hot context
// that cannot be read nothing is carried over, and that is told.
func (r *round) archiveIf(l *live, title string, carry bool, worth func(schema.SessionMetadata, schema.HotContext) bool) (*live, error) {
	l.renew = true
	l.about.Status = session.Archived
	if err := r.closeLive(l); err != nil {
		return nil, err
	}
	hot, about, err := r.knownOf(l.ID)
	if err != nil {
		return nil, err
	}
	standing := StandingOf(r.tx, hot.KeyDecisions...)
	hot.KeyDecisions = slices.DeleteFunc(standing.WithoutProposals(standing.AsRecorded(hot.KeyDecisions)), func(d schema.KeyDecision) bool {
		return !standing.Holds(d.ID)
	})
	if worth(about, hot) {
		if err := r.makeFragment(about, hot, title); err != nil {
			return nil, err
		}
	}
	var carried []byte
	continues := ""
	if carry {
		continues = l.ID
		if _, err := r.hotReads(l.ID); err != nil { // which tells what is not carried over
			return nil, err
		}
		if carried, err = r.shownHot(l.ID); err != nil {
			return nil, err
		}
		carry = carried != nil
		if carried, err = withoutSuperseded(carried, standing); err != nil {
			return nil, wrapName(session.HotContext(l.ID), err)
		}
	}
	next, err := r.begin(inherited(carry, about), continues, carried)
	if err != nil {
		return nil, err
	}
	return next, r.retire()
}

// inherited is the title of a session that carries on.
func inherited(carry bool, about schema.SessionMetadata) string {
	if !carry {
		return ""
	}
	return about.Title
}

// makeFragment makes long-term memory of a session.
func (r *round) makeFragment(about schema.SessionMetadata, hot schema.HotContext, title string) error {
	summary, err := r.maybe(session.SummaryFile(about.SessionID))
	if err != nil {
		return err
	}
	r.mask(&title)
	f := recall.FromSession(about, hot, summary, title)
	f.Created = schema.FormatTime(r.at)
	for _, d := range hot.KeyDecisions { // which may name what no message does
		named := extract.Entities(d.Decision+". "+d.Rationale, r.config.Entities)
		for _, kind := range extract.Kinds() {
			for _, name := range named[kind] {
				if !slices.Contains(f.Entities, name) {
					f.Entities = append(f.Entities, name)
				}
			}
		}
	}
	if f.ID, err = schema.NewID("frag-", r.tree.edge.Random, nil); err != nil {
		return err
	}
	if f.Name, err = recall.FragmentName(r.tx, fs.Quaid, f.Title, f.ID, r.at); err != nil {
		return err
	}
	text, err := f.Markdown()
	if err != nil {
		return err
	}
	if err := recall.UnlinkFragments(r.tx, about.SessionID); err != nil {
		return err
	}
	r.tx.Write(f.Name, text)
	r.fragment = f.Name
	return r.describe(about.SessionID, session.Aboutness{Messages: session.AsItIs, Fragment: f.Name})
}

// begin begins a session, makes it the active one and returns it. The goals and
// constraints that are in force are in its hot context, also where nothing else is
// carried over.
func (r *round) begin(title, continues string, carried []byte) (*live, error) {
	r.mask(&title)
	if err := r.tellGit(); err != nil {
		return nil, err
	}
	id, err := schema.NewID("conv-"+r.at.Format("2006-01-02")+"-", r.tree.edge.Random, func(id string) bool {
		_, err := r.tx.Read(session.MetadataFile(id))
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	_, version := hotVersion(r.tx)
	documents, err := session.Began(id, title, r.at, continues, carried)
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
		if name == session.HotContext(id) { // an agent that waits for a version must not meet it twice
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
	r.activate(id)
	if err := r.indexSession(documents[session.MetadataFile(id)]); err != nil {
		return nil, err
	}
	r.memory.TalkFloor = 0
	return r.openLive()
}

// idleDays is after how many days without activity a session is archived.
const idleDays = 30

// retire archives the sessions that nobody has worked on for long.
func (r *round) retire() error {
	all, err := session.List(r.tx)
	if err != nil {
		return err
	}
	for _, id := range session.Idle(all, r.at, idleDays) {
		if err := r.describe(id, session.Aboutness{Messages: session.AsItIs, Status: session.Archived}); err != nil {
			return err
		}
	}
	return nil
}
