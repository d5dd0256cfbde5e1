package health

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"math"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// A Report is how a tree is.
type Report struct {
	Version    int        `json:"version"`
	Monitoring Monitoring `json:"monitoring"`
	Window     *Window    `json:"window,omitempty"` // nil where nobody says how large it is
	Work       Work       `json:"work"`

	Waiting int         `json:"decisions_not_acted_on,omitzero"` // the next command that writes acts on them
	Unheard int         `json:"messages_not_acted_on,omitzero"`  // likewise
	Changed []string    `json:"loaded_files_changed,omitempty"`  // names: likewise, they are counted
	Due     []acted.Due `json:"due,omitempty"`

	// Concluded are the conversations of threads that came to a conclusion which is not condensed, as far as
	// this working copy looked.
	Concluded []string `json:"threads_concluded,omitempty"`
}

// Monitoring is the object of the CMS document's Monitoring Dashboard.
type Monitoring struct {
	Context Context `json:"context_health"`
	Session Session `json:"session_health"`
	Alerts  []Alert `json:"alerts"`
}

// Context is how full the context window is and what it holds.
type Context struct {
	Status           string  `json:"status"`           // healthy, warning, critical; unknown without a State
	WindowUsage      float64 `json:"window_usage"`     // percent
	LoadedArtifacts  int     `json:"loaded_artifacts"` // those that are loaded
	DecisionsTracked int     `json:"decisions_tracked"`
	Proposed         int     `json:"decisions_proposed,omitzero"` // that wait to be accepted
	OpenQuestions    int     `json:"open_questions"`
	LastCompaction   string  `json:"last_compaction"` // "1 hour ago", "never"
}

// Session is what the session has done, live: the State's figures and what was
// counted since its last checkpoint.
type Session struct {
	Duration        string `json:"duration"` // "2 hours"
	Messages        int    `json:"messages"`
	Commands        int    `json:"commands"`
	Errors          int    `json:"errors"`
	ClarityProgress string `json:"clarity_progress"` // since the session's start: "+7%"
}

// An Alert is something that a person should look at.
type Alert struct {
	Alert   string `json:"alert"` // a word for programs
	Message string `json:"message"`
}

// Words of Context.Status.
const (
	Healthy  = "healthy"  // below the first threshold
	Warning  = "warning"  // below the emergency threshold
	Critical = "critical" // above it
	Unknown  = "unknown"  // there is no State that can be read
)

// Look makes the Report of a tree as of now, with what others added to its conversations; see Of.
func Look(tree *fs.Tree, now time.Time) (Report, error) {
	report, err := Of(tree, Talk(tree), now)
	report.Unheard, report.Changed = session.Unheard(tree), artifact.ReadSeen(tree).Changed(tree)
	return report, err
}

// Of makes the Report of what r reads, with the live conversation that talk tells
// of. Errors mean that r could not be read; what is wrong in its
// documents is an alert.
func Of(r fs.Reader, talk session.Tally, now time.Time) (Report, error) {
	report, err := withoutDecisions(r, talk, now)
	decisions, proposed, _ := records.Decisions(r) // what cannot be read is for validate to report
	set := acted.Read(r)
	report.Waiting, report.Due = set.Lacking(decisions), acted.ReadDue(r).Due
	report.Concluded = acted.ReadDiscussions(r).Concluded
	report.Monitoring.Context.DecisionsTracked = len(decisions) + len(OnlyShown(r))
	if len(proposed) > 0 {
		report.Monitoring.Context.Proposed = len(schema.Current(append(decisions, proposed...)).Proposed())
	}
	return report, err
}

// WindowOf returns the Window of the Report that Of makes; nil where nobody says how large
// it is.
func WindowOf(r fs.Reader, talk session.Tally, now time.Time) (*Window, error) {
	report, err := withoutDecisions(r, talk, now)
	return report.Window, err
}

// withoutDecisions returns the Report that Of makes, but for how many decisions there are.
func withoutDecisions(r fs.Reader, talk session.Tally, now time.Time) (Report, error) {
	report := Report{Version: 1, Monitoring: Monitoring{Alerts: []Alert{}}}
	m := &report.Monitoring
	m.Context = Context{Status: Unknown, LastCompaction: "never"}
	m.Session = Session{Duration: "unknown", ClarityProgress: "+0%"}
	src, err := r.Read(fs.State)
	if errors.Is(err, iofs.ErrNotExist) {
		report.stateless(r, talk, now)
		return report, nil
	}
	if err != nil {
		return report, err
	}
	var s schema.State
	_, err = jsonedit.Parse(src) // which bounds what a stranger's text may cost
	if err == nil {
		err = jsonedit.Decode(src, &s)
	}
	if err != nil {
		m.Alert("state-unreadable", "%s cannot be read: %v", fs.State, err)
		return report, nil
	}
	if unread := views.FindUnread(r, fs.State); unread != nil && unread.All {
		m.Alert("state-unreadable", "%s", unread.About(fs.State))
	}
	report.artifacts(s.LoadedArtifacts)
	if id, _, err := session.InForce(r); err == nil && id != "" {
		m.unreadHot(r, id)
	}
	hot := Hot(r)
	m.Context.OpenQuestions = len(session.Questions(s.OpenQuestions, hot.OpenQuestions))
	report.window(r, s, talk, now)
	m.session(r, s, now)
	report.work(session.Actions(s.PendingActions, hot.PendingActions), now)
	return report, nil
}

// Alert adds an alert.
func (m *Monitoring) Alert(word, format string, args ...any) {
	m.Alerts = append(m.Alerts, Alert{word, fmt.Sprintf(format, args...)})
}

func (m *Monitoring) session(r fs.Reader, s schema.State, now time.Time) {
	counted := state.ReadCounters(r)
	if stats := s.SessionStats; stats != nil {
		m.Session.Messages = int(stats.MessagesExchanged)
		m.Session.Commands = int(stats.CommandsExecuted)
		m.Session.Errors = int(stats.ErrorsEncountered)
	}
	m.Session.Messages += counted.Messages
	m.Session.Commands += counted.Commands
	m.Session.Errors += counted.Errors
	if s.Metadata == nil {
		return
	}
	if start, err := schema.ParseTime(s.Metadata.SessionStart); err == nil {
		m.Session.Duration = span(now.Sub(start))
	}
	if s.Project != nil {
		m.Session.ClarityProgress = progress(r, s)
	}
}

// progress is how much clarity the session gained in its layer: since it began,
// or since its first snapshot there.
func progress(r fs.Reader, s schema.State) string {
	gained := func(since float64) string { return fmt.Sprintf("%+.0f%%", math.Round(s.Project.Clarity-since)) }
	layer := int(s.Project.CurrentLayer)
	if b := state.ReadBegun(r); b.Session != "" && b.Session == s.Metadata.SessionID && b.Layer == layer {
		return gained(b.Clarity)
	}
	since, earliest := s.Project.Clarity, ""
	for name, err := range r.Names(fs.History) {
		if err != nil || !strings.HasPrefix(name, fs.History+"/"+s.Metadata.SessionID+"-") {
			continue
		}
		at := name[strings.LastIndexByte(name, '-')+1:] // a time that sorts
		if earliest != "" && at >= earliest {
			continue
		}
		src, err := r.Read(name)
		var kept schema.State
		if err != nil || jsonedit.Decode(src, &kept) != nil || kept.Project == nil || kept.Metadata == nil {
			continue
		}
		clarity := kept.Project.Clarity
		if kept.Metadata.SessionID == s.Metadata.SessionID && int(kept.Project.CurrentLayer) == layer && clarity >= 0 && clarity <= 100 {
			since, earliest = clarity, at
		}
	}
	return gained(since)
}

// span says a duration as people do: "1 hour", "2 days".
func span(d time.Duration) string {
	d = max(d, 0)
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.length); n == 1 {
			return "1 " + unit.name
		} else if n > 1 {
			return fmt.Sprintf("%d %ss", n, unit.name)
		}
	}
	return "less than a minute"
}
