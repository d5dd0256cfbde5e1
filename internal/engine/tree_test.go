package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/state"
)

// morning is when the tests' trees are made.
var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// A house is a tree on disk whose clock moves a minute with every look at it.
type house struct {
	*engine.Tree
	t    *testing.T
	root string
}

// build makes a tree with a fresh State.
func build(t *testing.T) *house {
	t.Helper()
	root := t.TempDir()
	src, err := state.New("Orchard", "session-2026-03-02-01", morning)
	if err != nil {
		t.Fatal(err)
	}
	write(t, root, fs.State, string(src))
	return enter(t, root)
}

// enter opens the tree at root as another process would.
func enter(t *testing.T, root string) *house {
	t.Helper()
	now := morning
	tree, err := engine.Open(root, engine.Edge{
		Now:    func() time.Time { now = now.Add(time.Minute); return now },
		Random: rand.NewChaCha8([32]byte{7}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return &house{tree, t, root}
}

func write(t testing.TB, root, name, text string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// age sets the time of a file or a directory a minute back, so that what is broken
// or missing there is not waited for as the middle of a save.
func (h *house) age(name string) {
	h.t.Helper()
	then := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(h.root, name), then, then); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) read(name string) string {
	h.t.Helper()
	src, err := os.ReadFile(filepath.Join(h.root, name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(src)
}

// save replaces a text in a document, as an editor would.
func (h *house) save(name, old, new string) {
	h.t.Helper()
	src := h.read(name)
	if strings.Count(src, old) != 1 {
		h.t.Fatalf("%s holds %q %d times", name, old, strings.Count(src, old))
	}
	write(h.t, h.root, name, strings.Replace(src, old, new, 1))
}

// layer moves the tree to a layer.
func (h *house) layer(n int) engine.Outcome {
	h.t.Helper()
	return h.set(map[string]any{records.Layer: n})
}

func (h *house) clarity(percent float64) engine.Outcome {
	h.t.Helper()
	return h.set(map[string]any{"clarity": percent})
}

// set sets members of the project.
func (h *house) set(members map[string]any) engine.Outcome {
	h.t.Helper()
	out, err := h.SetProject(context.Background(), members)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// look makes the pass that a watcher makes.
func (h *house) look() engine.Outcome {
	h.t.Helper()
	out, err := h.Do(context.Background(), engine.Event{}, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

// files returns every committed file of the tree with its text.
func (h *house) files() map[string]string {
	h.t.Helper()
	all := map[string]string{}
	for name, err := range h.Names(".") {
		if err != nil {
			h.t.Fatal(err)
		}
		all[name] = h.read(name)
	}
	return all
}

// fired lists what fired, as "trigger trigger".
func fired(out engine.Outcome) string {
	var names []string
	for _, f := range out.Fired {
		names = append(names, f.Trigger)
	}
	return strings.Join(names, " ")
}

// seeds returns how many random trees or stories a test tries: few, or as many as
// ENGINE_TEST_SEEDS says.
func seeds(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("ENGINE_TEST_SEEDS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
