package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// The list equals that of the Quaid document for these two sessions.
func TestSessionsListAsTheDocumentPrintsIt(t *testing.T) {
	t.Parallel()
	p := testProgram(t)
	dir, _ := p.Getwd()
	p.Now = func() time.Time { return time.Date(2025, 11, 9, 8, 20, 0, 0, time.UTC) }
	for id, text := range map[string]string{
		"conv-2025-11-09-001": `{"title":"JWT authentication","last_activity":"2025-11-09T06:15:23Z","message_count":45}`,
		"conv-2025-11-08-003": `{"title":"Fix Redis connection","last_activity":"2025-11-08T06:15:23Z","message_count":23}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(session.MetadataFile(id)))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code := p.run(context.Background(), []string{"forgemind", "sessions", "list"})
	const want = `conv-2025-11-09-001  "JWT authentication"     (2h ago, 45 messages)
conv-2025-11-08-003  "Fix Redis connection"   (1d ago, 23 messages)
`
	if got := p.Stdout.(*bytes.Buffer).String(); code != 0 || got != want {
		t.Errorf("exit code %d, got\n%s", code, got)
	}
}

func TestAges(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 11, 9, 8, 0, 0, 0, time.UTC)
	for timestamp, want := range map[string]string{
		"2025-11-09T07:59:01Z": "just now",
		"2025-11-09T07:59:00Z": "1m ago",
		"2025-11-09T07:00:01Z": "59m ago",
		"2025-11-09T06:00:00Z": "2h ago",
		"2025-11-08T08:00:01Z": "23h ago",
		"2025-11-08T08:00:00Z": "1d ago",
		"2024-11-09T08:00:00Z": "365d ago",
		"2025-11-09T09:00:00Z": "just now",
		"":                     "at an unknown time",
		"yesterday":            "at an unknown time",
	} {
		if got := age(timestamp, now); got != want {
			t.Errorf("%q is %q, not %q", timestamp, got, want)
		}
	}
}

// What could go is listed until the rest costs no more than it should.
func TestWhatCouldGoFromAHotContext(t *testing.T) {
	t.Parallel()
	words := func(n int) string { return strings.Repeat("word ", n) }
	cost := func(text string) int { return len(strings.Fields(text)) }
	goal := schema.Goal{ID: "goal-1", Goal: words(100), Status: session.Complete}
	old := schema.KeyDecision{ID: "DEC-1", Decision: words(100)}
	for _, c := range []struct {
		what string
		hot  schema.HotContext
		want []string
	}{
		{"small enough", schema.HotContext{ActiveGoals: []schema.Goal{goal}}, nil},
		{"enough with the goal gone", schema.HotContext{ActiveGoals: []schema.Goal{goal, {Goal: words(950)}}}, []string{"goals that are complete"}},
		{"two kinds must go", schema.HotContext{
			ActiveGoals: []schema.Goal{goal}, KeyDecisions: []schema.KeyDecision{old},
			ImportantConstraints: []schema.Constraint{{Constraint: words(950)}},
		}, []string{"goals that are complete", "decisions that are superseded"}},
		{"not enough", schema.HotContext{
			ImportantConstraints: []schema.Constraint{{Constraint: words(2000)}}, Notes: []schema.Note{{Note: "n"}},
			KeyEntities: map[string][]string{"people": {"a", "b"}},
		}, []string{"names among the entities", "notes, the oldest first"}},
	} {
		var got []string
		for _, s := range spareOf(c.hot, map[string]string{"DEC-1": "DEC-2"}, cost) {
			got = append(got, s.What)
			if s.Tokens <= 0 || s.Count <= 0 {
				t.Errorf("%s: %+v", c.what, s)
			}
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s: %q could go, not %q", c.what, got, c.want)
		}
	}
}

// Goals that a hand tied in a circle, or in a chain without end, are all shown once.
func TestEveryGoalIsInTheTreeOnce(t *testing.T) {
	t.Parallel()
	var chain []schema.Goal
	for i := range 5000 {
		chain = append(chain, schema.Goal{ID: "g" + strings.Repeat("x", i%7) + string(rune('a'+i%26)), Goal: "g", ParentGoalID: "g" + strings.Repeat("x", (i+1)%7) + string(rune('a'+(i+1)%26))})
	}
	for what, goals := range map[string][]schema.Goal{
		"itself": {{ID: "a", Goal: "A", ParentGoalID: "a"}},
		"three":  {{ID: "a", Goal: "A", ParentGoalID: "b"}, {ID: "b", Goal: "B", ParentGoalID: "c"}, {ID: "c", Goal: "C", ParentGoalID: "a"}},
		"gone":   {{ID: "a", Goal: "A", ParentGoalID: "z"}},
		"chain":  chain,
	} {
		if got := len(goalLines(goalTree(goals), 0, true)); got != len(goals) {
			t.Errorf("%s: %d of %d goals are shown", what, got, len(goals))
		}
	}
}
