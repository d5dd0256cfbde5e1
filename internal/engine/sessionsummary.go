package engine

import (
	"bytes"
	"context"
	"slices"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// SummariseSession updates the active session's summary and returns its text.
func (t *Tree) SummariseSession(ctx context.Context) ([]byte, Outcome, error) {
	var id string
	out, err := t.doInSession(ctx, "", func(r *WorkingSet) error {
		l, err := r.openActive()
		if err != nil {
			return err
		}
		id, l.renew, r.settled = l.id, true, true
		return r.closeLive(l)
	})
	if err != nil {
		return nil, out, err
	}
	for _, c := range out.Changes {
		if t.DryRun && c.Name == session.SummaryFile(id) {
			return c.After, out, nil // no file has it
		}
	}
	text, err := t.Read(session.SummaryFile(id))
	return text, out, err
}

// long is the number of messages from which on a session's summary is made at most once
// in a transaction, because it needs all of them.
const long = 1000

// runesPerToken is the approximate number of characters of a token.
const runesPerToken = 4

// sessionWindow returns the size of the session's context window in tokens.
func (r *WorkingSet) sessionWindow() int {
	if s, ok := r.readState(); ok && s.ContextWindow != nil && s.ContextWindow.TotalTokens > 0 {
		return int(s.ContextWindow.TotalTokens)
	}
	return r.config.Compaction.SessionWindow()
}

// renewSummary updates the summary of a session at once, because its tokens count for
// the triggers that are due next. During an import, a summary is made once for each
// session.
func (r *WorkingSet) renewSummary(l *liveSession) error {
	if l.count > long || r.event.intake != justSaid {
		l.renew = true
		return nil
	}
	return r.writeSummary(l)
}

// writeSummary updates the summary of a session. Parts that others wrote stay.
func (r *WorkingSet) writeSummary(l *liveSession) error {
	hot, about, err := r.readSession(l.id)
	if err != nil {
		return err
	}
	if _, err := r.hotReads(l.id); err != nil { // adds a note about the missing part
		return err
	}
	about.Completed = append(about.Completed, r.done...)
	hot.ActiveGoals = ownGoals(hot, about)
	summary := session.Summarise(l.id, hot, about, l.messages(), StandingOf(r.tx, hot.KeyDecisions...))
	if utf8.RuneCount(summary.Markdown()) > r.sessionWindow()*runesPerToken/10 { // a small window has no room for the talk
		summary.Requests, summary.Said = nil, nil
	}
	if len(hot.ActiveGoals) == 0 && about.Title == "" && summary.Objective.Text != "" {
		l.about.Goals = []string{summary.Objective.Text} // if there are no goals
	}
	old, err := r.readIfExists(session.SummaryFile(l.id))
	if err != nil {
		return err
	}
	r.tx.Write(session.SummaryFile(l.id), templates.IntoSessionSummary(old, summary))
	if !slices.Contains(r.summarised, l.id) {
		r.summarised = append(r.summarised, l.id)
	}
	return nil
}

// readSession reads a session's hot context and metadata. Values that cannot be decoded
// are zero.
func (r *WorkingSet) readSession(id string) (hot schema.HotContext, about schema.SessionMetadata, err error) {
	src, err := r.readIfExists(session.HotContext(id))
	if err != nil {
		return hot, about, err
	}
	if h, err := session.ReadHot(src); err == nil {
		hot = h.Context()
	}
	if src, err = r.readIfExists(session.MetadataFile(id)); err != nil {
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

// rewriteOverview runs the user's summarizer on the summary of a session, outside of
// any lock. The summary is complete without it.
func (t *Tree) rewriteOverview(ctx context.Context, id string) error {
	name := session.SummaryFile(id)
	basis, err := t.Read(name)
	if err != nil {
		return err
	}
	var texts [][]byte
	for _, part := range []string{session.ArchiveFile(id), session.Window(id)} {
		src, err := t.Read(part)
		if err != nil && !isMissing(err) {
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
			return nil, nil // a newer overview exists
		}
		return templates.WithOverview(old, text, label), nil
	})
}

// updateSummary is an action: it updates the active session's summary.
func updateSummary(r *WorkingSet, _ cause) error {
	return r.inSession(func(l *liveSession) error { l.renew = true; return nil })
}

// clusterNow is an action: it clusters similar messages of the active session.
func clusterNow(r *WorkingSet, _ cause) error {
	return r.inSession(func(l *liveSession) error { r.clusterMessages(l); return nil })
}

// archiveNow is an action: it archives the active session and begins one that continues
// it, unless the session has no messages.
func archiveNow(r *WorkingSet, _ cause) error {
	l, err := r.openLive()
	if err != nil || l == nil || l.count == 0 {
		return err
	}
	if l, _, err = r.archive(l, "", true); err != nil {
		return err
	}
	return r.closeLive(l)
}

// inSession calls do with the active session, if there is one.
func (r *WorkingSet) inSession(do func(*liveSession) error) error {
	l, err := r.openLive()
	if err != nil || l == nil {
		return err
	}
	if err := do(l); err != nil {
		return err
	}
	return r.closeLive(l)
}
