package health

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"math"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// A Report describes the condition of a tree.
type Report struct {
	Monitoring Monitoring `json:"monitoring"`
	Window     *Window    `json:"window,omitempty"` // nil if its size is unknown
	Work       Work       `json:"work"`
}

// Monitoring is the object of the Monitoring Dashboard in the CMS document.
type Monitoring struct {
	Context Context `json:"context_health"`
	Session Session `json:"session_health"`
	Alerts  []Alert `json:"alerts"`
}

// Context describes the context window and its content.
type Context struct {
	Status           string  `json:"status"`           // healthy, warning, critical; unknown without a State
	WindowUsage      float64 `json:"window_usage"`     // percent
	LoadedArtifacts  int     `json:"loaded_artifacts"` // number of loaded artifacts
	DecisionsTracked int     `json:"decisions_tracked"`
	OpenQuestions    int     `json:"open_questions"`
	LastCompaction   string  `json:"last_compaction"`                // "1 hour ago", "never"
	CompactionTime   string  `json:"last_compaction_time,omitempty"` // of the last compaction, RFC 3339 UTC
}

// Session describes the current session: the figures of the State and those counted
// since its last checkpoint.
type Session struct {
	Duration        string  `json:"duration"` // "2 hours"
	Messages        int     `json:"messages"`
	Commands        int     `json:"commands"`
	Errors          int     `json:"errors"`
	ClarityProgress string  `json:"clarity_progress"`         // since the session's start: "+7%"
	Seconds         int64   `json:"duration_seconds"`         // 0 where it is unknown
	Gained          float64 `json:"clarity_progress_percent"` // percent, whole
}

// An Alert is a condition that a person should check.
type Alert struct {
	Alert   string `json:"alert"` // a fixed word for programs
	Message string `json:"message"`
}

// Values of Context.Status.
const (
	Healthy  = "healthy"  // below the first threshold
	Warning  = "warning"  // from the first threshold on
	Critical = "critical" // from the emergency threshold on
	Unknown  = "unknown"  // no State can be read
)

// Look returns the Report of a tree at the time now.
func Look(tree *fs.Tree, now time.Time) (Report, error) { return Of(tree, Talk(tree), now) }

// Of returns the Report of the tree that r reads, with the live conversation talk. It
// returns an error if r cannot be read; invalid documents are alerts.
func Of(r fs.Reader, talk session.Tally, now time.Time) (Report, error) {
	report := Report{Monitoring: Monitoring{Alerts: []Alert{}}}
	m := &report.Monitoring
	m.Context = Context{Status: Unknown, LastCompaction: "never", DecisionsTracked: ledger.Count(r) + len(OnlyShown(r))}
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
	_, err = jsonedit.Parse(src) // limits the cost of an untrusted text
	if err == nil {
		err = jsonedit.Decode(src, &s)
	}
	if err != nil {
		m.Alert("state-unreadable", "%s cannot be read: %v", fs.State, err)
		return report, nil
	}
	report.artifacts(s.LoadedArtifacts)
	m.Context.OpenQuestions = len(s.OpenQuestions)
	report.window(r, s, talk, now)
	m.session(r, s, now)
	m.Session.Messages += appended(r, talk)
	report.work(s.PendingActions, now)
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
		m.Session.Duration, m.Session.Seconds = span(now.Sub(start)), int64(max(0, now.Sub(start))/time.Second)
	}
	if s.Project != nil {
		m.Session.Gained = progress(r, s)
		m.Session.ClarityProgress = fmt.Sprintf("%+.0f%%", m.Session.Gained)
	}
}

// appended returns the number of messages that other programs appended to the live conversation,
// and that no command has counted yet; 0 if the conversation exceeds session.MaxSearched.
func appended(r fs.Reader, talk session.Tally) int {
	known, ok := session.ReadKnown(r)
	if !ok || talk.Size <= known[talk.Name] || talk.Size > session.MaxSearched {
		return 0
	}
	src, err := r.Read(talk.Name)
	if err != nil {
		return 0
	}
	messages, _, rewritten := session.Appended(src, known[talk.Name])
	if rewritten {
		return 0
	}
	return len(messages)
}

// progress returns the clarity that the session gained in its layer, in whole percent: since it
// began, since its first snapshot there, or since the last one of the layer that it left.
func progress(r fs.Reader, s schema.State) float64 {
	gained := func(since float64) float64 { return math.Round(s.Project.Clarity - since) }
	layer := int(s.Project.CurrentLayer)
	if b := state.ReadBegun(r); b.Session != "" && b.Session == s.Metadata.SessionID && b.Layer == layer {
		return gained(b.Clarity)
	}
	since, earliest := s.Project.Clarity, ""
	left, latest := since, ""
	for name, err := range r.Names(fs.History) {
		if err != nil || !strings.HasPrefix(name, fs.History+"/"+s.Metadata.SessionID+"-") {
			continue
		}
		at := name[strings.LastIndexByte(name, '-')+1:] // such times sort
		if earliest != "" && at >= earliest && at <= latest {
			continue
		}
		src, err := r.Read(name)
		var kept schema.State
		if err != nil || jsonedit.Decode(src, &kept) != nil || kept.Project == nil || kept.Metadata == nil {
			continue
		}
		clarity := kept.Project.Clarity
		own := kept.Metadata.SessionID == s.Metadata.SessionID && clarity >= 0 && clarity <= 100
		switch in := int(kept.Project.CurrentLayer) == layer; {
		case own && in && (earliest == "" || at < earliest):
			since, earliest = clarity, at
		case own && !in && at > latest:
			left, latest = clarity, at
		}
	}
	if earliest == "" {
		return gained(left)
	}
	return gained(since)
}

// span formats a duration for people: "1 hour", "2 days".
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
