package health

import (
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// stateless fills in what the active session's own documents say, where there is
// no State. What of them cannot be read is for validate to report.
func (r *Report) stateless(from fs.Reader, now time.Time) {
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
	if h, err := session.ReadHot(src); err == nil {
		hot := h.Context()
		m.Context.OpenQuestions = len(hot.OpenQuestions)
		r.work(hot.PendingActions, now)
	}
}
