package forgemind_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/forgemind/forgemind"
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
)

const (
	crowdTurns = 5
	crowdSays  = 4
)

// work runs one of several agents on a tree: it adds messages, reads, compacts and recovers.
func work(ctx context.Context, w *forgemind.Window, a *agent, who string) error {
	for turn := range crowdTurns {
		a.say(crowdSays, fmt.Sprintf("%s, turn %d: which pears?", who, turn), func(m *forgemind.Message, i int) {
			m.ID = fmt.Sprintf("%s-%d-%d", who, turn, i)
			m.Content = who + " says: " + m.Content
		})
		if _, err := w.BeforeResponse(ctx, 1000); err != nil {
			return fmt.Errorf("before: %w", err)
		}
		if turn%2 == 1 {
			if _, err := w.Compact(ctx, forgemind.CompactOptions{Budget: 400}); err != nil {
				return fmt.Errorf("compact: %w", err)
			}
		}
		if _, err := w.Recover(ctx, "which row", 3); err != nil {
			return fmt.Errorf("recover: %w", err)
		}
	}
	return nil
}

// everything counts how often each message's id stands in the conversation or in cold storage.
func everything(t *testing.T, root string) map[string]int {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	src, err := tree.Read(fs.Messages)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]int{}
	for _, m := range session.Messages(session.Read(src)) {
		if m.Kind != "summary" {
			ids[m.ID]++
		}
	}
	chunks, faults, err := cold.List(tree)
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	for _, c := range chunks {
		if m, ok := session.MessageOfChunk(c); ok && m.Kind != "summary" {
			ids[m.ID]++
		}
	}
	return ids
}

// Many goroutines on one Window, on several Windows of one Tree, and on several
// Trees: every message is there once.
func TestManyGoroutines(t *testing.T) {
	t.Parallel()
	root := newProject(t)
	shared := open(t, root)
	one := &agent{}
	window := shared.Attach(one.callbacks())
	var wg sync.WaitGroup
	start := func(w *forgemind.Window, a *agent, who string) {
		wg.Go(func() {
			if err := work(t.Context(), w, a, who); err != nil {
				t.Errorf("%s: %v", who, err)
			}
		})
	}
	for i := range 3 {
		start(window, one, fmt.Sprint("same-", i))
	}
	for i := range 2 {
		a := &agent{}
		start(shared.Attach(a.callbacks()), a, fmt.Sprint("window-", i))
	}
	for i := range 2 {
		a := &agent{}
		start(open(t, root).Attach(a.callbacks()), a, fmt.Sprint("tree-", i))
	}
	wg.Go(func() {
		for range 10 {
			if _, err := shared.Health(t.Context()); err != nil {
				t.Error(err)
			}
			if _, err := shared.AddDecision(t.Context(), forgemind.Decision{Decision: "Plant pears"}, ""); err != nil {
				t.Error(err)
			}
			if _, err := shared.Findings(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	ids := everything(t, root)
	if len(ids) != 7*crowdTurns*crowdSays {
		t.Errorf("%d messages, want %d", len(ids), 7*crowdTurns*crowdSays)
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%s stands %d times", id, n)
		}
	}
}

// Two programs on one tree.
func TestTwoProcesses(t *testing.T) {
	if root := os.Getenv("FORGEMIND_TEST_ROOT"); root != "" {
		a := &agent{}
		if err := work(t.Context(), open(t, root).Attach(a.callbacks()), a, os.Getenv("FORGEMIND_TEST_WHO")); err != nil {
			t.Fatal(err)
		}
		return
	}
	root := newProject(t)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for _, who := range []string{"first", "second"} {
		program := exec.CommandContext(t.Context(), self, "-test.run=^TestTwoProcesses$")
		program.Env = append(os.Environ(), "FORGEMIND_TEST_ROOT="+root, "FORGEMIND_TEST_WHO="+who)
		wg.Go(func() {
			if out, err := program.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", who, err, out)
			}
		})
	}
	wg.Wait()
	ids := everything(t, root)
	if len(ids) != 2*crowdTurns*crowdSays {
		t.Errorf("%d messages", len(ids))
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("%s stands %d times", id, n)
		}
	}
}
