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

// stateless fills in what the active session's own documents say, where there is
// no State: the window is the one that the session fills, with talk tokens of
// messages. What of the documents cannot be read is for validate to report.
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
	m.unreadHot(from, id)
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
	r.sessionWindow(from, id, hot, talk, now)
}

// sessionWindow judges how full the window is that a session fills. What stands
// beside its messages is estimated: counting it takes longer than the report.
func (r *Report) sessionWindow(from fs.Reader, id string, hot schema.HotContext, talk session.Tally, now time.Time) {
	counter, err := tokens.New("chars4")
	if err != nil {
		return
	}
	hotTokens := 0
	var whole *assemble.TooSmall // which the hot context alone is for no room at all
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
	last := lastCompactions(from)
	m.Context.compacted(last.At, now)
	r.Window = windowOf(live, policy, t, last.TalkFloor)
	r.Window.Parts, r.Window.Chunks = unexplained(list, live.Used), talk.Messages
}
