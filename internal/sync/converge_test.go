package sync

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
)

// A machine is one of several working copies.
type machine struct {
	dir  string
	tree *engine.Tree
}

func (m machine) state() string { return m.dir + "-state" }

// newMachine returns a working copy with a remote.
func newMachine(t *testing.T, dir, remote string, seed uint64) machine {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, ".forgemind"), 0o755); err != nil {
		t.Fatal(err)
	}
	var key [32]byte
	key[0] = byte(seed)
	tree, err := engine.Open(dir, engine.Edge{Now: time.Now, Random: rand.NewChaCha8(key), Author: func(string) (string, error) { return filepath.Base(dir), nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	m := machine{dir, tree}
	r, err := Set(t.Context(), m.state(), dir, Settings{URL: remote, Branch: DefaultBranch})
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	return m
}

func (m machine) sync(ctx context.Context) (Report, error) {
	r, err := Open(ctx, m.state(), m.dir)
	if err != nil {
		return Report{}, err
	}
	defer r.Close()
	return Run(ctx, m.tree, r, Options{Wait: time.Sleep, Jitter: rand.Float64})
}

// write puts a file into the tree, as another program does.
func (m machine) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files returns what the tree shares.
func (m machine) files(t *testing.T) Blobs {
	t.Helper()
	here, err := scan(m.tree.Tree)
	if err != nil {
		t.Fatal(err)
	}
	return here
}

func newRemote(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	remote := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.Command("git", "init", "-q", "--bare", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return remote
}

func goalName(machine, n int) string {
	return fmt.Sprintf(".forgemind/goals/goal-m%dn%d.json", machine, n)
}

// TestConverge has four machines that add records and sync at once, in any order. In the
// end all have the same files, and none is lost.
func TestConverge(t *testing.T) {
	t.Parallel()
	const machines, rounds, each = 4, 3, 3
	remote, dir := newRemote(t), t.TempDir()
	var all []machine
	for i := range machines {
		m := newMachine(t, filepath.Join(dir, fmt.Sprintf("machine%d", i)), remote, uint64(i))
		m.write(t, fs.Config, `{"format": 2, "views": "local"}`)
		all = append(all, m)
	}
	made := map[string]bool{fs.Config: true}
	for round := range rounds {
		var group sync.WaitGroup
		for i, m := range all {
			for n := range each {
				name := goalName(i, round*each+n)
				made[name] = true
				m.write(t, name, fmt.Sprintf(`{"id": %q, "goal": "Goal %d of %d", "created_at": "2026-11-20T10:00:00Z", "by": "m"}`, strings.TrimSuffix(filepath.Base(name), ".json"), n, i))
			}
			group.Go(func() {
				if _, err := m.sync(t.Context()); err != nil {
					t.Errorf("%s: %v", m.dir, err)
				}
			})
		}
		group.Wait()
	}
	for _, m := range all {
		if _, err := m.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	want := all[0].files(t)
	if got := slices.Sorted(maps.Keys(want)); !slices.Equal(got, slices.Sorted(maps.Keys(made))) {
		t.Errorf("the files are %q", got)
	}
	for _, m := range all[1:] {
		if got := m.files(t); !maps.Equal(got, want) {
			t.Errorf("%s has %v, want %v", m.dir, got, want)
		}
	}
}

// TestMovedBranch has a branch that somebody else moves between the fetch and the push.
func TestMovedBranch(t *testing.T) {
	t.Parallel()
	remote, dir := newRemote(t), t.TempDir()
	one, two := newMachine(t, filepath.Join(dir, "one"), remote, 1), newMachine(t, filepath.Join(dir, "two"), remote, 2)
	one.write(t, goalName(1, 1), `{"id": "goal-m1n1", "goal": "One"}`)
	two.write(t, goalName(2, 1), `{"id": "goal-m2n1", "goal": "Two"}`)
	store, err := git.OpenStore(t.Context(), filepath.Join(dir, "store.git"), dir)
	if err != nil {
		t.Fatal(err)
	}
	commit, err := store.Commit(t.Context(), git.NewCommit{Files: map[string][]byte{"x": []byte("x")}, At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := store.Push(t.Context(), remote, DefaultBranch, git.Move{To: commit}); !errors.Is(err, git.ErrMoved) {
		t.Errorf("a push over what was not fetched: %v", err)
	}
	if report, err := two.sync(t.Context()); err != nil || !slices.Equal(report.Taken, []string{goalName(1, 1)}) || !slices.Equal(report.Published, []string{goalName(2, 1)}) {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestDamagedSettings has a settings file that is no JSON: it is told, and stays.
func TestDamagedSettings(t *testing.T) {
	t.Parallel()
	remote, dir := newRemote(t), t.TempDir()
	m := newMachine(t, filepath.Join(dir, "one"), remote, 1)
	found, err := filepath.Glob(filepath.Join(m.state(), "sync", "*", settingsFile))
	if err != nil || len(found) != 1 {
		t.Fatalf("%q, %v", found, err)
	}
	if err := os.WriteFile(found[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := m.sync(t.Context()); err == nil || !strings.Contains(err.Error(), settingsFile) {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(found[0]); err != nil || !bytes.Equal(text, []byte("{")) {
		t.Errorf("the settings are %q, %v", text, err)
	}
}
