package health_test

import (
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// A shelf is a tree without a disk: names and their texts.
type shelf map[string]string

func (s shelf) Read(name string) ([]byte, error) {
	text, ok := s[name]
	if !ok {
		return nil, &iofs.PathError{Op: "open", Path: name, Err: iofs.ErrNotExist}
	}
	return []byte(text), nil
}

func (s shelf) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if (dir == "." || strings.HasPrefix(name, dir+"/")) && !yield(name, nil) {
				return
			}
		}
	}
}

// working is a State in the middle of a session.
const working = `{
  "metadata": {"session_id": "s-1", "session_start": "2026-03-02T09:30:00Z", "timestamp": "2026-03-02T11:00:00Z"},
  "project": {"current_layer": 1, "clarity": 47.4},
  "context_window": {"usage_percent": 35, "last_compaction": "2026-03-02T10:59:00Z"},
  "loaded_artifacts": [{"id": "a", "loaded": true}, {"id": "b", "loaded": false}, {"id": "c", "loaded": true}],
  "open_questions": [{"id": "Q-1"}],
  "session_stats": {"messages_exchanged": 42, "commands_executed": 12, "errors_encountered": 2}
}`

func TestLookReadsTheStateTheLedgerAndTheCounters(t *testing.T) {
	report := look(t, shelf{
		fs.State:                           working,
		".forgemind/decisions/DEC-1.json":  `{}`,
		".quaid/decisions/DEC-2.json":      `{}`,
		".forgemind/.local/counters.json":  `{"commands_executed": 3, "messages_exchanged": 5, "errors_encountered": 1}`,
		".forgemind/decisions/DEC-3.other": ``,
	})
	want := health.Monitoring{
		Context: health.Context{
			Status: health.Healthy, WindowUsage: 35, LoadedArtifacts: 2, DecisionsTracked: 2, OpenQuestions: 1, LastCompaction: "1 hour ago", CompactionTime: "2026-03-02T10:59:00.000Z",
		},
		Session: health.Session{Duration: "2 hours", Seconds: 9000, Messages: 47, Commands: 15, Errors: 3, ClarityProgress: "+0%"},
		Alerts:  []health.Alert{},
	}
	if got := fmt.Sprintf("%+v", report.Monitoring); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %s\nwant %+v", got, want)
	}
}

func TestLookJudgesTheWindowByTheStatesThresholds(t *testing.T) {
	for _, c := range []struct{ window, status, alert string }{
		{`{"usage_percent": 69.9}`, health.Healthy, ""},
		{`{"usage_percent": 70}`, health.Warning, "window-warning"},
		{`{"usage_percent": 89.9}`, health.Warning, "window-warning"},
		{`{"usage_percent": 90}`, health.Critical, "window-critical"},
		{`{"usage_percent": 50, "compaction_threshold_percent": 50}`, health.Warning, "window-warning"},
		{`{"usage_percent": 60, "compaction_threshold_percent": 50, "emergency_threshold_percent": 60}`, health.Critical, "window-critical"},
		{`null`, health.Unknown, ""},
	} {
		m := look(t, shelf{fs.State: `{"context_window": ` + c.window + `}`}).Monitoring
		if m.Context.Status != c.status || words(m.Alerts) != c.alert {
			t.Errorf("%s: status %s, alerts %q; want %s, %q", c.window, m.Context.Status, words(m.Alerts), c.status, c.alert)
		}
	}
}

// If config.json chooses a policy, its thresholds apply, those of memfas together with
// the knobs. The State's thresholds are those of its last checkpoint.
func TestLookJudgesTheWindowByTheChosenPolicy(t *testing.T) {
	for _, c := range []struct {
		config  string
		percent float64
		status  string
	}{
		{`{"policy": "memfas"}`, 44.9, health.Healthy},
		{`{"policy": "memfas"}`, 45, health.Warning},
		{`{"policy": "memfas"}`, 85, health.Critical},
		{`{"policy": "memfas", "thresholds": {"compaction": 60}}`, 59, health.Healthy},
		{`{"policy": "memfas", "thresholds": {"hard_limit": 80}}`, 80, health.Critical},
		{`{"thresholds": {"medium": 40}}`, 40, health.Warning},
		{`{"window_tokens": 100}`, 19, health.Healthy},
		{`{"window_tokens": 100}`, 20, health.Warning},
	} {
		m := look(t, shelf{
			fs.Config: `{"compaction": ` + c.config + `}`, fs.Knobs: "COMPACTION_TRIGGER_PCT: 0.45\n",
			fs.State: fmt.Sprintf(`{"context_window": {"usage_percent": %v, "compaction_threshold_percent": 20, "emergency_threshold_percent": 99}}`, c.percent),
		}).Monitoring
		if m.Context.Status != c.status {
			t.Errorf("%s: at %v %% %s, want %s", c.config, c.percent, m.Context.Status, c.status)
		}
	}
}

func TestLookSaysDurationsAsPeopleDo(t *testing.T) {
	for start, want := range map[string]string{
		"2026-03-02T11:59:01Z":      "less than a minute",
		"2026-03-02T11:59:00Z":      "1 minute",
		"2026-03-02T11:00:01Z":      "59 minutes",
		"2026-03-02T11:00:00Z":      "1 hour",
		"2026-03-02T13:00:00+02:00": "1 hour",
		"2026-03-01T12:00:00Z":      "1 day",
		"2026-02-27T11:00:00Z":      "3 days",
		"2027-01-01T00:00:00Z":      "less than a minute", // the clock is wrong
		"yesterday":                 "unknown",
	} {
		m := look(t, shelf{fs.State: `{"metadata": {"session_start": "` + start + `"}}`}).Monitoring
		if m.Session.Duration != want {
			t.Errorf("since %s: %s, want %s", start, m.Session.Duration, want)
		}
	}
}

// Clarity is counted from the first snapshot of the session in its layer, whatever the
// order of the reasons in the names is.
func TestClarityIsCountedFromTheSessionsFirstSnapshotInTheLayer(t *testing.T) {
	kept := func(session string, layer, clarity int) string {
		return fmt.Sprintf(`{"metadata": {"session_id": %q}, "project": {"current_layer": %d, "clarity": %d}}`, session, layer, clarity)
	}
	all := shelf{
		fs.State: working,
		fs.History + "/s-0-layer-1-20260302T080000.000Z.json":   kept("s-0", 1, 1),
		fs.History + "/s-1-2-layer-1-20260302T083000.000Z.json": kept("s-1-2", 1, 2),
		fs.History + "/s-1-layer-0-20260302T090000.000Z.json":   kept("s-1", 0, 3),
		fs.History + "/s-1-evening-20260302T110000.000Z.json":   kept("s-1", 1, 44),
		fs.History + "/s-1-layer-1-20260302T100000.000Z.json":   kept("s-1", 1, 40),
		fs.History + "/s-1-noon-20260302T095959.000Z.json":      "{",
		fs.History + "/s-1-dawn-20260302T095958.000Z.json":      kept("s-1", 1, 200),
	}
	if got := look(t, all).Monitoring.Session.ClarityProgress; got != "+7%" {
		t.Errorf("got %s, want +7%%", got)
	}
	all[fs.State] = strings.Replace(working, "47.4", "12", 1)
	if got := look(t, all).Monitoring.Session.ClarityProgress; got != "-28%" {
		t.Errorf("got %s, want -28%%", got)
	}
	// In this working copy the session began in the layer.
	acted := fs.LocalName(fs.Forgemind, fs.ActedFile)
	all[acted] = `{"begun": {"session": "s-1", "layer": 1, "clarity": 10}}`
	if got := look(t, all).Monitoring.Session.ClarityProgress; got != "+2%" {
		t.Errorf("got %s, want +2%%", got)
	}
	for _, other := range []string{`{"begun": {"session": "s-0", "layer": 1, "clarity": 10}}`, `{"begun": {"session": "s-1", "layer": 0, "clarity": 10}}`, "{"} {
		if all[acted] = other; look(t, all).Monitoring.Session.ClarityProgress != "-28%" {
			t.Errorf("%s: got %s, want -28%%", other, look(t, all).Monitoring.Session.ClarityProgress)
		}
	}
}

func TestStateThatCannotBeReadIsAnAlert(t *testing.T) {
	for _, text := range []string{"", "{", `[]`, `{"project": 5}`, `{"a": 1, "a": 2}`, "\xff"} {
		m := look(t, shelf{fs.State: text, ".forgemind/decisions/DEC-1.json": "{}"}).Monitoring
		if words(m.Alerts) != "state-unreadable" || m.Context.Status != health.Unknown || m.Context.DecisionsTracked != 1 {
			t.Errorf("%q: %+v", text, m)
		}
	}
}

func TestTreeWithoutAStateIsUnknownAndNoAlert(t *testing.T) {
	m := look(t, shelf{".quaid/context/active_session.txt": "conv-1\n"}).Monitoring
	if m.Context.Status != health.Unknown || m.Alerts == nil || len(m.Alerts) > 0 {
		t.Errorf("%+v", m)
	}
}

func TestReadWatch(t *testing.T) {
	if w, ok := health.ReadWatch(shelf{".quaid/.local/watch.json": `{"pid": 7, "since": "2026-03-02T09:00:00Z", "mode": "polling", "why": "asked for"}`}); !ok || w.PID != 7 || w.Why != "asked for" {
		t.Errorf("got %+v, %v", w, ok)
	}
	for _, text := range []string{"", "{", `{"pid": "x"}`} {
		if w, ok := health.ReadWatch(shelf{".forgemind/.local/watch.json": text}); ok {
			t.Errorf("%q: got %+v", text, w)
		}
	}
}

func look(t *testing.T, r fs.Reader) health.Report {
	t.Helper()
	report, err := health.Of(r, session.Tally{}, noon)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func words(alerts []health.Alert) string {
	var all []string
	for _, a := range alerts {
		all = append(all, a.Alert)
	}
	return strings.Join(all, " ")
}
