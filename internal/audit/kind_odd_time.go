package audit

import (
	"fmt"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

var oddTime = Kind{
	Name:    "odd-time",
	Summary: "A time lies in the future, or stands still while its document goes on.",
	look: func(s *survey) {
		s.futures()
		s.stillState()
		s.stillSession()
	},
}

// clocks is how far the clocks of two machines may be apart.
const clocks = 10 * time.Minute

// zones is the maximum by which local time is ahead of UTC.
const zones = 14 * time.Hour

// still is how long a document may go on without its time, which moves at
// checkpoints only.
const still = 30 * 24 * time.Hour

// future reports a time that lies in the future.
func (s *survey) future(at func() spot, about, member, stamp string) {
	t, err := schema.ParseTime(stamp)
	if err != nil || !t.After(s.o.Now.Add(clocks)) || !schema.IsRFC3339(stamp) && !t.After(s.o.Now.Add(zones)) {
		return
	}
	place := at()
	s.add(place, 60, about+" "+member, fmt.Sprintf("%s of %s lies in the future, by %s", member, plain(about), ahead(t.Sub(s.o.Now))),
		"correct the time; order, age and reminders go by it", place.evidence(stamp))
}

func ahead(d time.Duration) string {
	if d < 48*time.Hour {
		return many(int(d/time.Minute), "minute")
	}
	return days(d)
}

// futures looks at every time that says when something happened.
func (s *survey) futures() {
	for _, d := range s.decisions {
		s.future(func() spot { return s.decided(d.ID, "/timestamp") }, d.ID, "timestamp", d.Timestamp)
	}
	in := func(name, pointer string) func() spot {
		return func() spot { return s.spot(name, pointer) }
	}
	if st := s.state; st != nil && st.Metadata != nil {
		s.future(in(fs.State, "/metadata/timestamp"), "metadata", "timestamp", st.Metadata.Timestamp)
		s.future(in(fs.State, "/metadata/session_start"), "metadata", "session_start", st.Metadata.SessionStart)
	}
	actions, questions := s.waiting()
	for _, a := range actions {
		s.future(in(a.name, fmt.Sprintf("/pending_actions/%d/created", a.index)), a.ID, "created", a.Created)
	}
	for _, q := range questions {
		s.future(in(q.name, fmt.Sprintf("/open_questions/%d/asked_at", q.index)), q.ID, "asked_at", q.AskedAt)
	}
	for _, t := range s.threads {
		s.future(in(t.name, "/opened"), t.value.ID, "opened", t.value.Opened)
		s.future(in(t.name, "/resolved"), t.value.ID, "resolved", t.value.Resolved)
		s.future(in(t.name, "/archived"), t.value.ID, "archived", t.value.Archived)
	}
	for _, h := range s.handoffs {
		s.future(in(h.name, "/created"), h.value.ID, "created", h.value.Created)
	}
	for _, p := range s.pins {
		for i, pin := range p.value.Pins {
			s.future(in(p.name, fmt.Sprintf("/pins/%d/pinned_at", i)), pin.Condensation, "pinned_at", pin.PinnedAt)
		}
	}
	for _, m := range s.metas {
		s.future(in(m.name, "/started"), m.value.SessionID, "started", m.value.Started)
		s.future(in(m.name, "/last_activity"), m.value.SessionID, "last_activity", m.value.LastActivity)
	}
	for _, c := range s.clarifications {
		at := func() spot { return spot{c.name, max(c.line, 1), 1} }
		s.future(at, c.value.ID, "asked_at", c.value.AskedAt)
		s.future(at, c.value.ID, "answered_at", c.value.AnsweredAt)
	}
}

// stillState looks whether the State went on without its timestamp.
func (s *survey) stillState() {
	if s.state == nil || s.state.Metadata == nil {
		return
	}
	var latest time.Time
	pointer := ""
	note := func(stamp, at string) {
		if t, err := schema.ParseTime(stamp); err == nil && t.After(latest) && !t.After(s.o.Now.Add(clocks)) {
			latest, pointer = t, at
		}
	}
	for i, a := range s.state.PendingActions {
		note(a.Created, fmt.Sprintf("/pending_actions/%d/created", i))
	}
	for i, q := range s.state.OpenQuestions {
		note(q.AskedAt, fmt.Sprintf("/open_questions/%d/asked_at", i))
	}
	for i, d := range s.state.RecentDecisions {
		note(d.Timestamp, fmt.Sprintf("/recent_decisions/%d/timestamp", i))
	}
	s.standsStill(fs.State, "/metadata/timestamp", "metadata", s.state.Metadata.Timestamp, latest, func() Evidence {
		return s.spot(fs.State, pointer).evidence(latest.Format(time.RFC3339))
	})
}

// stillSession looks whether the active session went on without its metadata.
func (s *survey) stillSession() {
	for _, m := range s.metas {
		if s.active == "" || m.name != session.MetadataFile(s.active) {
			continue
		}
		name := session.Window(s.active)
		src, err := s.reader.Read(name)
		if err != nil {
			return
		}
		var latest time.Time
		line := 0
		for _, l := range session.Read(src) {
			if l.Err != nil {
				continue
			}
			if t, err := schema.ParseTime(l.Message.Timestamp); err == nil && t.After(latest) && !t.After(s.o.Now.Add(clocks)) {
				latest, line = t, l.At+1
			}
		}
		s.standsStill(m.name, "/last_activity", s.active, m.value.LastActivity, latest, func() Evidence {
			return Evidence{File: name, Line: line, At: latest.Format(time.RFC3339)}
		})
	}
}

func (s *survey) standsStill(name, pointer, about, stamp string, latest time.Time, evidence func() Evidence) {
	t, err := schema.ParseTime(stamp)
	if err != nil || latest.Sub(t) <= still {
		return
	}
	member := pointer[strings.LastIndexByte(pointer, '/')+1:]
	at := s.spot(name, pointer)
	s.add(at, aged(40, 70, latest.Sub(t)-still, 30), about+" "+member,
		fmt.Sprintf("%s stands at %s, while the document went on for %s", member, day(t), days(latest.Sub(t))),
		"a checkpoint moves it: end the session, or begin a new one", at.evidence(stamp), evidence())
}
