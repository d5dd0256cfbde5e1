package forgemind_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind"
)

// What the plan's quick test does, and that nothing of it is lost.
func TestTheQuickTest(t *testing.T) {
	root := newProject(t)
	tree := open(t, root)
	a := &agent{tokens: 60_000, replaces: func(a *agent, c forgemind.Context) { a.messages, a.tokens = c.Messages, c.Tokens }}
	a.say(61, "Which pears keep best over the winter?", numbered)
	all := a.messages
	w := tree.Attach(a.callbacks())

	status, err := w.BeforeResponse(t.Context(), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	if !status.NeedsCompaction || !status.NeedsCuration || status.OverHardLimit || status.Outdated ||
		status.Ratio != 0.6 || status.NextCompaction != 50_000 || status.Added != 61 {
		t.Errorf("%+v", status)
	}
	done, err := w.Compact(t.Context(), forgemind.CompactOptions{Budget: 500})
	if err != nil {
		t.Fatal(err)
	}
	if done.ID == "" || !done.Handed || done.TokensAfter > 500 || done.Kept+done.Summarised+done.Dropped != 61 || done.Dropped+done.Summarised == 0 {
		t.Errorf("%+v", done)
	}
	if len(a.set) != 1 || !strings.Contains(a.set[0].Text, "user: Which pears keep best over the winter?") || a.set[0].Tokens < 1 {
		t.Errorf("it was handed %+v", a.set)
	}
	status, err = w.BeforeResponse(t.Context(), 100_000)
	if err != nil || status.NeedsCompaction || status.Added != 0 || status.Outdated {
		t.Errorf("afterwards %+v, %v", status, err)
	}
	// Every message is in the conversation, or is found in cold storage.
	there := stored(t, root)
	for _, m := range all {
		if times(there, m.Content) > 0 {
			continue
		}
		found, err := w.Recover(t.Context(), m.Content, 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 0 || found[0].Content != m.Content {
			t.Errorf("%q is lost; found %d chunks", m.Content, len(found))
		}
		chunk, err := tree.RecoverChunk(t.Context(), found[0].ChunkID)
		if err != nil || chunk.Content != m.Content || chunk.Score != 1 {
			t.Errorf("%+v, %v", chunk, err)
		}
	}
	if _, err := tree.RecoverChunk(t.Context(), "chunk-none"); !errors.Is(err, forgemind.ErrUnknownChunk) {
		t.Errorf("of none: %v", err)
	}
	ended, err := w.SessionEnd(t.Context())
	if err != nil || ended.Session != "session-2026-03-02-aaaaaa" || ended.Next == "" || ended.Next == ended.Session {
		t.Errorf("%+v, %v", ended, err)
	}
	if found, err := tree.Findings(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("%v, %v", found, err)
	}
}

// The thresholds are the knobs', to the token, whatever fractions are rounded to.
func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		tokens, limit, next      int
		curate, compact, hardest bool
	}{
		{0, 100_000, 50_000, false, false, false},
		{39_999, 100_000, 50_000, false, false, false},
		{40_000, 100_000, 50_000, true, false, false},
		{49_999, 100_000, 50_000, true, false, false},
		{50_000, 100_000, 50_000, true, true, false},
		{84_999, 100_000, 50_000, true, true, false},
		{85_000, 100_000, 50_000, true, true, true},
		{2, 3, 2, true, true, false},
		{1, 3, 2, false, false, false},
		{9_000, 3, 2, true, true, true},
	} {
		w := open(t, newProject(t)).Attach((&agent{tokens: c.tokens}).callbacks())
		s, err := w.BeforeResponse(t.Context(), c.limit)
		if err != nil || s.NextCompaction != c.next || s.NeedsCuration != c.curate || s.NeedsCompaction != c.compact || s.OverHardLimit != c.hardest {
			t.Errorf("%d of %d: %+v, %v", c.tokens, c.limit, s, err)
		}
	}
	root := newProject(t)
	knobs := "COMPACTION_TRIGGER_PCT: 0.07\nCURATION_TRIGGER_PCT: 0.06\n"
	if err := os.WriteFile(filepath.Join(root, ".forgemind", "context-config.yaml"), []byte(knobs), 0o644); err != nil {
		t.Fatal(err)
	}
	w := open(t, root).Attach((&agent{tokens: 7}).callbacks())
	// What config.json sets holds before the knobs.
	config := `{"compaction": {"policy": "memfas", "thresholds": {"compaction": 9}}}`
	if err := os.WriteFile(filepath.Join(root, ".forgemind", "config.json"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if s, err := w.BeforeResponse(t.Context(), 100); err != nil || s.NextCompaction != 9 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := os.Remove(filepath.Join(root, ".forgemind", "config.json")); err != nil {
		t.Fatal(err)
	}
	if s, err := w.BeforeResponse(t.Context(), 100); err != nil || !s.NeedsCompaction || s.NextCompaction != 7 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := w.BeforeResponse(t.Context(), 0); err == nil {
		t.Error("a window of 0 tokens was looked at")
	}
}

// How full the window is says CountTokens, else GetContext; without both, what the
// tree's conversation costs.
func TestWhoIsBelieved(t *testing.T) {
	a := &agent{tokens: 1234, context: strings.Repeat("word ", 500)}
	a.say(10, "Which pears?", numbered)
	tree := open(t, newProject(t))
	with := a.callbacks()
	tokens := func(with forgemind.Callbacks) int {
		s, err := tree.Attach(with).BeforeResponse(t.Context(), 100_000)
		if err != nil {
			t.Fatal(err)
		}
		return s.Tokens
	}
	if n := tokens(with); n != 1234 {
		t.Errorf("counted %d", n)
	}
	with.CountTokens = nil
	if n := tokens(with); n != 501 && n != 500 {
		t.Errorf("of the text %d", n)
	}
	with.GetContext = nil
	talk := tokens(with)
	if talk < 100 || talk > 400 {
		t.Errorf("of the conversation %d", talk)
	}
	if n := tokens(forgemind.Callbacks{}); n != talk {
		t.Errorf("without callbacks %d, with the conversation %d", n, talk)
	}
}

// An error of a callback comes back with its name, and a window that could not be
// handed over is handed over the next time.
func TestCallbacksThatFail(t *testing.T) {
	for _, c := range []struct{ fails, says string }{{"messages", "messages: "}, {"count", "count tokens: "}} {
		a := &agent{fails: c.fails}
		a.say(3, "Which pears?", numbered)
		_, err := open(t, newProject(t)).Attach(a.callbacks()).BeforeResponse(t.Context(), 1000)
		if !errors.Is(err, errAgent) || !strings.HasPrefix(err.Error(), c.says) {
			t.Errorf("%s: %v", c.fails, err)
		}
	}
	a := &agent{fails: "get"}
	with := a.callbacks()
	with.CountTokens = nil
	if _, err := open(t, newProject(t)).Attach(with).BeforeResponse(t.Context(), 1000); !errors.Is(err, errAgent) || !strings.HasPrefix(err.Error(), "get context: ") {
		t.Errorf("get: %v", err)
	}
	a = &agent{fails: "set"}
	a.say(60, "Which pears?", numbered)
	root := newProject(t)
	w := open(t, root).Attach(a.callbacks())
	done, err := w.Compact(t.Context(), forgemind.CompactOptions{Budget: 500})
	if !errors.Is(err, errAgent) || !strings.HasPrefix(err.Error(), "set context: ") || done.ID == "" || done.Handed {
		t.Fatalf("%+v, %v", done, err)
	}
	if s, err := w.BeforeResponse(t.Context(), 1000); err != nil || !s.Outdated {
		t.Errorf("%+v, %v", s, err)
	}
	a.fails = ""
	if done, err = w.Compact(t.Context(), forgemind.CompactOptions{Budget: 500}); err != nil || !done.Handed || len(a.set) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	// What was compacted once, or not at all, is not handed over again.
	if done, err = w.Compact(t.Context(), forgemind.CompactOptions{Budget: 500}); err != nil || done.Handed || done.ID != "" {
		t.Errorf("%+v, %v", done, err)
	}
}

// Without a Budget the window falls below where curation begins.
func TestTheBudgetIsWhatTheWindowNeeds(t *testing.T) {
	a := &agent{}
	a.say(200, "Which pears keep best?", numbered)
	tree := open(t, newProject(t))
	with := a.callbacks()
	with.CountTokens, with.GetContext = nil, nil
	w := tree.Attach(with)
	s, err := w.BeforeResponse(t.Context(), 6000)
	if err != nil || !s.NeedsCompaction {
		t.Fatalf("%+v, %v", s, err)
	}
	if _, err := w.Compact(t.Context(), forgemind.CompactOptions{}); err != nil {
		t.Fatal(err)
	}
	if s, err = w.BeforeResponse(t.Context(), 6000); err != nil || s.NeedsCuration {
		t.Errorf("%+v, %v", s, err)
	}
}

// What else is in the window leaves the conversation less room.
func TestTheBudgetLeavesRoomForTheRest(t *testing.T) {
	a := &agent{}
	a.say(100, "Which pears keep best?", numbered)
	tree := open(t, newProject(t))
	with := a.callbacks()
	with.CountTokens, with.GetContext = nil, nil
	talk, err := tree.Attach(with).BeforeResponse(t.Context(), 100_000)
	if err != nil {
		t.Fatal(err)
	}
	const system, limit = 2000, 6000
	a.tokens = talk.Tokens + system
	w := tree.Attach(a.callbacks())
	if _, err := w.BeforeResponse(t.Context(), limit); err != nil {
		t.Fatal(err)
	}
	done, err := w.Compact(t.Context(), forgemind.CompactOptions{})
	if room := limit*4/10 - system; err != nil || done.ID == "" || done.TokensAfter >= room {
		t.Errorf("%+v, %v; there is room for less than %d", done, err, room)
	}
}

// Curation drops what does not answer the prompt, summarises nothing, and says what
// it did where curations are logged.
func TestCurate(t *testing.T) {
	root := newProject(t)
	a := &agent{}
	for i := range 20 {
		text := fmt.Sprintf("The invoice number %d was paid in cash by the treasurer.", i)
		if i%5 == 0 {
			text = fmt.Sprintf("Pears of the kind %d keep until March in a dry cellar.", i)
		}
		a.messages = append(a.messages, forgemind.Message{ID: fmt.Sprint("m-", i), Role: "assistant", Content: text, Timestamp: start.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)})
	}
	tree, err := forgemind.Open(root, forgemind.WithClock(func() time.Time { return start.Add(72 * time.Hour) }))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	done, err := tree.Attach(a.callbacks()).Curate(t.Context(), "how long do pears keep in the cellar?")
	if err != nil || done.Dropped < 5 || done.Summarised != 0 || !done.Handed {
		t.Fatalf("%+v, %v", done, err)
	}
	there := stored(t, root)
	if n := times(there, "Pears of the kind"); n != 4 {
		t.Errorf("%d of 4 messages about pears are left: %q", n, there)
	}
	log, err := os.ReadFile(filepath.Join(root, ".forgemind", "logs", "context", "curation.jsonl"))
	if err != nil || !strings.Contains(string(log), `"memfas_curation"`) {
		t.Errorf("%s, %v", log, err)
	}
}

// Whoever waits for its turn, or for its agent, stops waiting.
func TestCancellation(t *testing.T) {
	a := &agent{}
	a.say(3, "Which pears?", numbered)
	with := a.callbacks()
	entered, release := make(chan struct{}), make(chan struct{})
	with.CountTokens = func(ctx context.Context) (int, error) {
		close(entered)
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-release:
			return 1, nil
		}
	}
	w := open(t, newProject(t)).Attach(with)
	ctx, cancel := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { _, err := w.BeforeResponse(ctx, 1000); first <- err }()
	<-entered
	waiting, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	if _, err := w.Compact(waiting, forgemind.CompactOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting for its turn: %v", err)
	}
	cancel()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for its agent: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	tree := open(t, newProject(t))
	w = tree.Attach(a.callbacks())
	for what, do := range map[string]func() error{
		"BeforeResponse": func() error { _, err := w.BeforeResponse(gone, 1000); return err },
		"Compact":        func() error { _, err := w.Compact(gone, forgemind.CompactOptions{}); return err },
		"Recover":        func() error { _, err := w.Recover(gone, "pears", 1); return err },
		"Curate":         func() error { _, err := w.Curate(gone, ""); return err },
		"HandOver":       func() error { _, err := w.HandOver(gone); return err },
		"SessionEnd":     func() error { _, err := w.SessionEnd(gone); return err },
		"Decisions":      func() error { _, err := tree.Decisions(gone); return err },
		"Health":         func() error { _, err := tree.Health(gone); return err },
		"Findings":       func() error { _, err := tree.Findings(gone); return err },
	} {
		if err := do(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := w.BeforeResponse(t.Context(), 1000); err != nil {
		t.Errorf("it is still usable: %v", err)
	}
}

// What else a program that embeds a tree asks for.
func TestDecisionsAndHealth(t *testing.T) {
	tree := open(t, newProject(t))
	ctx := t.Context()
	first, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "Plant pears", Rationale: "They keep"}, "")
	if err != nil || first.ID == "" {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "Plant Conference", Supersedes: []string{first.ID}}, "")
	if err != nil {
		t.Fatal(err)
	}
	var unknown *forgemind.UnknownDecision
	if _, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "x", Supersedes: []string{"DEC-none"}}, ""); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	var superseded *forgemind.Superseded
	if _, err := tree.AddDecision(ctx, forgemind.Decision{Decision: "x", Supersedes: []string{first.ID}}, ""); !errors.As(err, &superseded) || superseded.By != second.ID {
		t.Errorf("%v", err)
	}
	all, err := tree.Decisions(ctx)
	if err != nil || len(all) != 2 || all[0].ID != first.ID || all[1].Decision != "Plant Conference" {
		t.Errorf("%+v, %v", all, err)
	}
	h, err := tree.Health(ctx)
	if err != nil || h.Status != "healthy" || h.Decisions != 2 || h.WindowTotal != 200_000 || h.LastCompaction != "never" {
		t.Errorf("%+v, %v", h, err)
	}
}

// A clock and ids of one's own give the same bytes.
func TestOptions(t *testing.T) {
	said := func() string {
		tree, err := forgemind.Open(newProject(t), forgemind.WithClock(func() time.Time { return start }), forgemind.WithRandom(zeros{}))
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		added, err := tree.AddMessages(t.Context(), forgemind.Message{Role: "user", Content: "Which pears?"})
		if err != nil || len(added) != 1 {
			t.Fatal(added, err)
		}
		text, err := json.Marshal(added)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if first := said(); first != said() || !strings.Contains(first, "2026-03-02T09:00:00.000Z") {
		t.Error(first)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What the program says of its window is what the tree knows of it, and what a
// trigger or another program does to the conversation is handed over.
func TestTheTreeKnowsWhatTheProgramSays(t *testing.T) {
	root := newProject(t)
	tree := open(t, root)
	a := &agent{tokens: 61_000}
	a.say(60, "Which pears?", numbered)
	w := tree.Attach(a.callbacks())
	if _, err := w.BeforeResponse(t.Context(), 100_000); err != nil {
		t.Fatal(err)
	}
	if h, err := tree.Health(t.Context()); err != nil || h.WindowUsed != 61_000 || h.WindowTotal != 100_000 {
		t.Errorf("%+v, %v", h, err)
	}
	if handed, err := w.HandOver(t.Context()); err != nil || handed {
		t.Errorf("nothing happened, and it was handed over: %v", err)
	}
	if _, err := open(t, root).Attach(forgemind.Callbacks{}).Compact(t.Context(), forgemind.CompactOptions{Budget: 500}); err != nil {
		t.Fatal(err)
	}
	if s, err := w.BeforeResponse(t.Context(), 100_000); err != nil || !s.Outdated {
		t.Errorf("%+v, %v", s, err)
	}
	if handed, err := w.HandOver(t.Context()); err != nil || !handed || len(a.set) != 1 || a.set[0].Messages[0].Kind != "summary" {
		t.Errorf("%v, %v: %+v", handed, err, a.set)
	}
	if s, err := w.BeforeResponse(t.Context(), 100_000); err != nil || s.Outdated || s.Added != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// By the policy memfas what the user asks for comes back from cold storage by
// itself, and the program is told.
func TestWhatComesBackIsHandedOver(t *testing.T) {
	root := newProject(t)
	if err := os.WriteFile(filepath.Join(root, ".forgemind", "config.json"), []byte(`{"compaction": {"policy": "memfas"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	a := &agent{tokens: 100}
	a.messages = []forgemind.Message{{ID: "lime", Role: "assistant", Content: "The mortar takes three parts of sand and one part of lime."}}
	a.say(40, "Good.", numbered)
	w := open(t, root).Attach(a.callbacks())
	if _, err := w.Compact(t.Context(), forgemind.CompactOptions{Strategy: "psd"}); err != nil {
		t.Fatal(err)
	}
	a.messages = append(a.messages, forgemind.Message{ID: "q", Role: "user", Content: "mortar: parts of sand and lime?"})
	s, err := w.BeforeResponse(t.Context(), 100_000)
	if err != nil || !s.Outdated || s.Added != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if handed, err := w.HandOver(t.Context()); err != nil || !handed || !strings.Contains(a.set[len(a.set)-1].Text, "one part of lime") {
		t.Errorf("%v, %v", handed, err)
	}
	if s, err = w.BeforeResponse(t.Context(), 100_000); err != nil || s.Outdated || s.Added != 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// Nothing is asked by an empty query, and nothing is wrong with it: a program may
// have no prompt.
func TestNothingAnswersAnEmptyQuery(t *testing.T) {
	tree := open(t, newTree(t))
	for _, query := range []string{"", " \n"} {
		if found, err := tree.Recover(t.Context(), query, 3); err != nil || len(found) > 0 {
			t.Errorf("%q: %v, %v", query, found, err)
		}
	}
}
