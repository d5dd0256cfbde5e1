package engine

import (
	"bytes"
	"context"
	"slices"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// SummariseSession brings the active session's summary up to date and returns its
// text.
func (t *Tree) SummariseSession(ctx context.Context) ([]byte, Outcome, error) {
	var id string
	out, err := t.doInSession(ctx, "", func(r *round) error {
		l, err := r.openActive()
		if err != nil {
			return err
		}
		id, l.renew, r.settled = l.ID, true, true
		return r.closeLive(l)
	})
	if err != nil {
		return nil, out, err
	}
	for _, c := range out.Changes {
		if t.DryRun && c.Name == session.SummaryFile(id) {
			return c.After, out, nil // it is nowhere else
		}
	}
	text, err := t.Read(session.SummaryFile(id))
	return text, out, err
}

// long is of how many messages a session is whose summary is worked out once in
// a round, however often it is due: it takes all of them to do that.
const long = 1000

// renew brings the summary of a session up to date at once: what it costs counts
// for what is due next. Of an import the summary is worked out once a session.
func (r *round) renew(l *live) error {
	if l.Count > long || r.bulk {
		l.renew = true
		return nil
	}
	return r.writeSummary(l)
}

// writeSummary brings the summary of a session up to date. Parts that others
// wrote stay.
func (r *round) writeSummary(l *live) error {
	hot, about, err := r.knownOf(l.ID)
	if err != nil {
		return err
	}
	if _, err := r.hotReads(l.ID); err != nil { // which tells what the summary lacks
		return err
	}
	about.Completed = append(about.Completed, r.done...)
	hot.ActiveGoals = ownGoals(hot, about)
	standing := StandingOf(r.tx, hot.KeyDecisions...)
	hot.KeyDecisions = standing.AsRecorded(hot.KeyDecisions)
	summary := session.Summarise(l.ID, hot, about, l.Messages(), standing)
	if len(hot.ActiveGoals) == 0 && about.Title == "" && summary.Objective.Text != "" {
		l.about.Goals = []string{summary.Objective.Text} // for want of a goal
	}
	old, err := r.maybe(session.SummaryFile(l.ID))
	if err != nil {
		return err
	}
	r.tx.Write(session.SummaryFile(l.ID), templates.IntoSessionSummary(old, summary))
	if !slices.Contains(r.summarised, l.ID) {
		r.summarised = append(r.summarised, l.ID)
	}
	return nil
}

// shownHot returns the hot context of a session without what cannot be read of it, or if nothing can be as it was
// rendered last; nil if nobody knows that either.
func (r *round) shownHot(id string) ([]byte, error) {
	name := session.HotContext(id)
	src, err := r.maybe(name)
	if err != nil || src == nil {
		return nil, err
	}
	sound, _ := views.Sound(name, src)
	if sound == nil {
		sound, _ = views.Sound(name, views.LastRenderings(r.tx, name).Last())
	}
	return sound, nil
}

// knownOf reads a session's hot context and metadata, as far as they can be read.
func (r *round) knownOf(id string) (hot schema.HotContext, about schema.SessionMetadata, err error) {
	src, err := r.shownHot(id)
	if err != nil {
		return hot, about, err
	}
	if h, err := session.ReadHot(src); err == nil {
		hot = h.Context()
	}
	if src, err = r.maybe(session.MetadataFile(id)); err != nil {
		return hot, about, err
	}
	if jsonedit.Decode(src, &about) != nil {
		about = schema.SessionMetadata{}
	}
	if about.SessionID == "" {
		about.SessionID = id
	}
	return hot, about, nil
}

// overview has the summary of a session retold by the user's summarizer, outside
// of any lock. The summary as it stands is good without it.
func (t *Tree) overview(ctx context.Context, id string) error {
	name := session.SummaryFile(id)
	basis, err := t.Read(name)
	if err != nil {
		return err
	}
	var texts [][]byte
	for _, part := range []string{session.ArchiveFile(id), session.Window(id)} {
		src, err := t.Read(part)
		if err != nil && !missing(err) {
			return err
		}
		texts = append(texts, src)
	}
	text, label, err := t.edge.Summarise(ctx, session.Transcript(basis, texts...))
	if err != nil || text == "" {
		return err
	}
	return t.Update(ctx, name, func(old []byte) ([]byte, error) {
		if !bytes.Equal(old, basis) {
			return nil, nil // somebody knows more by now
		}
		return templates.WithOverview(old, text, label), nil
	})
}

// renewSummary is the action: the summary of a session as of now. Of an import it is worked out once a session.
func renewSummary(r *round, l *live, f *firing) error {
	f.changed = []string{session.SummaryFile(l.ID)}
	return r.renew(l)
}

// clusterMessages is the action: similar messages of a session go to the archive; see session.Conversation.Gather.
func clusterMessages(r *round, l *live, f *firing) error {
	before := l.Left()
	_, err := l.Gather(r.tree.counter.Count, r.tree.counter.Name())
	if r.tellError(err); l.Left() > before {
		f.changed = []string{session.Window(l.ID), session.ArchiveFile(l.ID)}
	}
	return nil
}

// inSession makes an action of what is done in a session: in the one that it fired for, else in the active one,
// if there is one.
func inSession(do func(*round, *live, *firing) error) action {
	return func(r *round, f *firing) error {
		switch {
		case f.session != nil && f.session.Count == 0: // nothing was said since it began
			return nil
		case f.session != nil:
			return do(r, f.session, f)
		}
		l, err := r.openLive()
		if err != nil || l == nil {
			return err
		}
		if err := do(r, l, f); err != nil {
			return err
		}
		return r.closeLive(l)
	}
}
