package health_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
)

func TestLookSaysWhatIsOverdue(t *testing.T) {
	report := look(t, shelf{fs.State: `{"pending_actions": [
		{"id": "ACT-1", "action": "Plant pears", "due": "2026-02-28T12:00:00Z"},
		{"id": "ACT-2", "action": "Prune", "due": "2026-03-02T12:00:00Z", "blocked_by": "ACT-1"},
		{"id": "ACT-3", "action": "Water", "due": "some day", "blocked_by": ["Q-1", "rain"]},
		{"id": "ACT-4", "action": "Harvest"}]}`})
	if want := (health.Work{Pending: 4, Blocked: 2, Overdue: 1}); report.Work != want {
		t.Errorf("got %+v, want %+v", report.Work, want)
	}
	if got := fmt.Sprint(report.Monitoring.Alerts); got != `[{action-overdue 1 action is overdue: ACT-1 "Plant pears", since 2 days}]` {
		t.Error(got)
	}
}

// An alert is one readable line, whatever the number and the length of the actions.
func TestManyOverdueActionsAreOneAlert(t *testing.T) {
	var all []string
	for i := range 200 {
		all = append(all, fmt.Sprintf(`{"id": "ACT-%d", "action": %q, "due": "2026-02-28T12:00:00Z"}`, i, strings.Repeat("dig ", 5000)))
	}
	alerts := look(t, shelf{fs.State: `{"pending_actions": [` + strings.Join(all, ",") + `]}`}).Monitoring.Alerts
	if len(alerts) != 1 || len(alerts[0].Message) > 600 {
		t.Fatalf("%d alerts, the first of %d bytes", len(alerts), len(alerts[0].Message))
	}
	if m := alerts[0].Message; !strings.HasPrefix(m, `200 actions are overdue: ACT-0 "dig dig`) || !strings.HasSuffix(m, " and 195 more") {
		t.Error(m)
	}
}

func TestLookSaysWhichLoadedArtifactsAreOutdated(t *testing.T) {
	report := look(t, shelf{fs.State: `{"loaded_artifacts": [
		{"id": "IDEA-001", "loaded": true, "outdated": true},
		{"id": "MOD-001", "loaded": false, "outdated": true},
		{"id": "MOD-002", "loaded": true}]}`})
	if n := report.Monitoring.Context.LoadedArtifacts; n != 2 {
		t.Errorf("%d are loaded, want 2", n)
	}
	if a := report.Monitoring.Alerts; words(a) != "artifact-outdated" || !strings.HasSuffix(a[0].Message, ": IDEA-001") {
		t.Error(a)
	}
}

func TestTheThresholdsAreThoseOfThePolicy(t *testing.T) {
	for config, want := range map[string]string{
		``:                                       "forgemind [{light 50} {medium 70} {aggressive 80} {emergency 90}]",
		`{`:                                      "forgemind [{light 50} {medium 70} {aggressive 80} {emergency 90}]",
		`{"compaction": {"policy": "memfas"}}`:   "memfas [{curation 40} {compaction 50} {hard limit 85}]",
		`{"compaction": {"policy": "quaid"}}`:    "quaid [{emergency 80}]",
		`{"compaction": {"policy": "whatever"}}`: "forgemind [{light 50} {medium 70} {aggressive 80} {emergency 90}]",
		`{"compaction": {"thresholds": {"light": 42.5}}}`: "forgemind [{light 42.5} {medium 70} {aggressive 80} {emergency 90}]",
	} {
		tree := shelf{fs.State: `{"context_window": {"total_tokens": 1000, "used_tokens": 350, "usage_percent": 35}}`}
		if config != "" {
			tree[fs.Config] = config
		}
		w := look(t, tree).Window
		if got := fmt.Sprint(w.Policy, " ", w.Marks); got != want {
			t.Errorf("%s: %s, want %s", config, got, want)
		}
		if w.UsedTokens != 350 || w.TotalTokens != 1000 || w.UsagePercent != 35 {
			t.Errorf("%s: %+v", config, w)
		}
	}
	if w := look(t, shelf{fs.State: `{"project": {"name": "x"}}`}).Window; w != nil {
		t.Errorf("a State without a window has %+v", w)
	}
}

// The State has the conversation as of the last checkpoint.
func TestTheWindowIsThatOfTheConversationAsItIs(t *testing.T) {
	tree := shelf{fs.State: `{"context_window": {"total_tokens": 1000, "used_tokens": 350, "usage_percent": 35, "other_tokens": {"messages": 50}}}`}
	silent := -1
	for talk, want := range map[int]float64{silent: 35, 50: 35, 400: 70, 600: 90, 10: 31} {
		tally := session.Tally{Name: fs.Messages, Messages: 1, Tokens: talk}
		if talk == silent {
			tally = session.Tally{Name: fs.Messages}
		}
		report, err := health.Of(tree, tally, noon)
		if err != nil || report.Window.UsagePercent != want || report.Monitoring.Context.WindowUsage != want {
			t.Errorf("with %d tokens of messages: %+v, %v; want %v", talk, report.Window, err, want)
		}
	}
}

func TestTalkIsCountedWhenItWasWrittenOrNowWithoutATokenizer(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(fs.Config, "{}")
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	const silent = -1
	expect := func(when string, want int) {
		t.Helper()
		got := health.Talk(tree)
		if got.Messages == 0 {
			got.Tokens = silent
		}
		if got.Tokens != want {
			t.Errorf("%s: %+v, want %d", when, got, want)
		}
	}
	expect("without a conversation", silent)
	talk := `{"msg_id": "a", "content": "ignored", "tokens": 70, "counter": "o200k"}
{"msg_id": "b", "content": "twelve chars"}
`
	write(fs.Messages, talk)
	expect("written by others", 73)
	write(fs.LocalName(fs.Forgemind, session.TallyFile), fmt.Sprintf(`{"name": %q, "size": %d, "messages": 2, "tokens": 75, "summaries": 0, "counter": "o200k"}`, fs.Messages, len(talk)))
	expect("counted when it was written", 75)
	write(fs.Messages, "{torn")
	expect("without a message", silent)
	write(fs.Messages, `{"msg_id": "a", "content": "`+strings.Repeat("long ", 1<<20)+`"}`)
	expect("a long one that nobody counted", 5<<20/4)
}
