package health

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// Hot returns the hot context that is in force, as session.InForce names it, without what
// cannot be read of it. Where there is none it is what the records of the project show.
func Hot(r fs.Reader) (hot schema.HotContext) {
	id, _, err := session.InForce(r)
	if err != nil {
		return hot
	}
	if id == "" {
		hot, _ = views.Project(r)
		return hot
	}
	src, err := r.Read(session.HotContext(id))
	if err != nil {
		return hot
	}
	h, err := session.ReadHot(src)
	if err != nil {
		return hot
	}
	return h.Context()
}

// unreadHot adds an alert if a session's hot context cannot be read in whole.
func (m *Monitoring) unreadHot(r fs.Reader, id string) {
	if unread := views.FindUnread(r, session.HotContext(id)); unread != nil {
		m.Alert("hot-context-unreadable", "%s", unread.About(session.HotContext(id)))
	}
}
