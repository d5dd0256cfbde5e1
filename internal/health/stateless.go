package health

import (
	"errors"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
)

// stateless fills in the report from the documents of the active session if there is no
// State. The window is that of the session; talk counts the tokens of its messages.
// Package validate reports documents that cannot be read.
func (r *Report) stateless(from fs.Reader, talk session.Tally, now time.Time) {
	id, err := session.Active(from)
	if err != nil || id == "" {
		return
	}
	m := &r.Monitoring
	var about schema.SessionMetadata
	if src, err := from.Read(session.MetadataFile(id)); err == nil && jsonedit.Decode(src, &about) == nil {
		m.Session.Messages = int(about.MessageCount)
		if start, err := schema.ParseTime(about.Started); err == nil {
			m.Session.Duration = span(now.Sub(start))
		}
	}
	src, err := from.Read(session.HotContext(id))
	if err != nil {
		return
	}
	h, err := session.ReadHot(src)
	if err != nil {
		return
	}
	hot := h.Context()
	m.Context.OpenQuestions = len(hot.OpenQuestions)
	r.work(hot.PendingActions, now)
	r.sessionWindow(from, id, hot, talk)
	if at, ok := lastCompaction(from); ok {
		m.Context.LastCompaction, m.Context.CompactionTime = span(now.Sub(at))+" ago", schema.FormatTime(at)
	}
}

// lastCompaction returns the time of the last line of the compaction log that can be read.
func lastCompaction(from fs.Reader) (at time.Time, ok bool) {
	src, err := from.Read(fs.Quaid + "/" + fs.CompactionLog)
	if err != nil {
		return at, false
	}
	for line := range jsonedit.Lines(src) {
		var l schema.LogCompaction
		if jsonedit.Decode(line.Text, &l) != nil {
			continue
		}
		if said, err := schema.ParseTime(l.Timestamp); err == nil && said.After(at) {
			at, ok = said, true
		}
	}
	return at, ok
}

// sessionWindow computes how full the window of a session is. Everything except its
// messages is estimated, because counting would take longer than the report.
func (r *Report) sessionWindow(from fs.Reader, id string, hot schema.HotContext, talk session.Tally) {
	counter, err := tokens.New("chars4")
	if err != nil {
		return
	}
	hotTokens := 0
	var whole *assemble.TooSmallError // the hot context alone is too large
	if _, err := assemble.Make(assemble.Input{Session: id, Hot: hot}, assemble.Options{Count: counter.Count}); errors.As(err, &whole) {
		hotTokens = whole.Need
	}
	summaries := talk.Summaries
	if summary, err := from.Read(session.SummaryFile(id)); err == nil {
		summaries += counter.Count(string(summary))
	}
	list := []Part{{HotPart, hotTokens}, {MessagesPart, talk.Tokens - talk.Summaries}, {SummariesPart, summaries}}
	used := 0
	for _, p := range list {
		used += p.Tokens
	}
	c := compaction(from)
	quaid := schema.Compaction{Policy: schema.PolicyQuaid}
	if c != nil {
		quaid.Thresholds = c.Thresholds
	}
	policy, t := quaid.Resolve()
	live := SessionUsage(used, talk.Tokens, c.SessionWindow(), ReadReported(from, talk))
	m := &r.Monitoring
	m.Context.WindowUsage, m.Context.Status = live.Percent, Healthy
	if live.Percent >= t.Emergency {
		m.Context.Status = Critical
		m.Alert("window-critical", "the session fills %v %% of the context window, above the emergency threshold of %v %%", live.Percent, t.Emergency)
	}
	_, floor := floors(from)
	r.Window = windowOf(live, policy, t, floor)
	r.Window.Parts, r.Window.Chunks = unexplained(list, live.Used), talk.Messages
}
