package artifact_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// morning is the time at which the tests begin.
var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const ideaPath = ".dev/current/ideas/IDEA-001/current.md"

// A shed is a project on disk with a clock and a counter of words that counts its own calls.
type shed struct {
	*fs.Tree
	t       *testing.T
	now     time.Time
	loader  *schema.Loader
	counted int
}

// stateOf returns a State with these artifacts, formatted as a person might.
func stateOf(project, artifacts string, used int) string {
	return fmt.Sprintf(`{
  "version": "1.0", "schema": "forgemind-context-v1", "mine": [1,2 , 3],
  "metadata": {"timestamp": "2026-03-02T09:00:00Z", "session_id": "session-2026-03-02-01"},
  "role": {"agent": "Facilitator Agent", "agent_id": "L1-EXEC-001", "mode": "Boss Mode", "capabilities": ["clarify", "coordinate"]},
  "project": {"name": "Orchard", "current_layer": 1, "layer_name": "MODULE", "clarity": 85%s},
  "context_window": {"total_tokens": 1000, "used_tokens": %d, "usage_percent": 0, "other_tokens": {"messages": %[2]d}},
  "loaded_artifacts": [%[3]s],
  "recent_decisions": [], "pending_actions": [
    {"id": "ACT-001", "action": "Finish the map", "priority": "P0", "assigned_to": "Ann", "blocked_by": "Q-001"}
  ],
  "open_questions": [], "available_commands": []
}
`, project, used, artifacts)
}

// build makes a tree of these files; a State is added where there is none.
func build(t *testing.T, files map[string]string) *shed {
	t.Helper()
	files = maps.Clone(files)
	if files[fs.State] == "" {
		files[fs.State] = stateOf(`, "current_idea": "IDEA-001"`, "", 100)
	}
	root := t.TempDir()
	s := &shed{t: t, now: morning}
	for name, text := range files {
		write(t, root, name, text)
	}
	var err error
	if s.Tree, err = fs.Open(root); err != nil {
		t.Fatal(err)
	}
	s.Check = validate.CheckWrite
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *shed) save(name, text string) {
	s.t.Helper()
	write(s.t, s.Root(), name, text)
}

func (s *shed) edge() artifact.Edge {
	return artifact.Edge{Now: s.now, Counter: "words", Loader: s.loader, Count: func(text string) int {
		s.counted++
		return len(strings.Fields(text))
	}}
}

// do runs one transaction, a minute later, and returns the names that it changed
// outside `.local/`.
func (s *shed) do(edit func(*fs.Tx) error) ([]string, error) {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	changes, err := s.Transaction(context.Background(), edit)
	var names []string
	for _, c := range changes {
		if !fs.IsLocal(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names, err
}

// must is do of what cannot fail; the tree must be without errors afterwards.
func (s *shed) must(edit func(*fs.Tx) error) []string {
	s.t.Helper()
	names, err := s.do(edit)
	if err != nil {
		s.t.Fatal(err)
	}
	s.sound()
	return names
}

// sound fails the test unless the tree is valid.
func (s *shed) sound() {
	s.t.Helper()
	report, err := validate.Tree(s.Tree, validate.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.Severity == validate.Error || f.Rule == "artifact-missing" {
			s.t.Errorf("%s: %s [%s]", f.File, f.Message, f.Rule)
		}
	}
}

func (s *shed) load(id string) artifact.Loaded {
	s.t.Helper()
	var got artifact.Loaded
	s.must(func(tx *fs.Tx) (err error) {
		got, err = artifact.Load(tx, id, s.edge())
		return err
	})
	return got
}

// refused loads an artifact, expects an error, and commits the transaction anyway.
func (s *shed) refused(id string) error {
	s.t.Helper()
	var refused error
	if _, err := s.do(func(tx *fs.Tx) error {
		_, refused = artifact.Load(tx, id, s.edge())
		return nil
	}); err != nil {
		s.t.Fatal(err)
	}
	if refused == nil {
		s.t.Fatalf("%q was loaded", id)
	}
	return refused
}

func (s *shed) unload(ids ...string) {
	s.t.Helper()
	s.must(func(tx *fs.Tx) error {
		for _, id := range ids {
			if err := artifact.Unload(tx, id, s.edge()); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *shed) read(name string) string {
	s.t.Helper()
	src, err := os.ReadFile(filepath.Join(s.Root(), filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(src)
}

func (s *shed) exists(name string) bool {
	_, err := os.Lstat(filepath.Join(s.Root(), filepath.FromSlash(name)))
	return err == nil
}

func (s *shed) state() schema.State {
	s.t.Helper()
	var state schema.State
	if err := jsonedit.Decode([]byte(s.read(fs.State)), &state); err != nil {
		s.t.Fatal(err)
	}
	return state
}

// entry returns an artifact of the State.
func (s *shed) entry(id string) schema.Artifact {
	s.t.Helper()
	for _, a := range s.state().LoadedArtifacts {
		if a.ID == id {
			return a
		}
	}
	s.t.Fatalf("the State has no %s:\n%s", id, s.read(fs.State))
	return schema.Artifact{}
}

// used holds used_tokens against what it should be.
func (s *shed) used(want int) {
	s.t.Helper()
	if got := s.state().ContextWindow.UsedTokens; int(got) != want {
		s.t.Errorf("used_tokens is %d, want %d", got, want)
	}
}

// index returns the entries of the cache's index, by id.
func (s *shed) index() map[string]schema.CacheEntry {
	s.t.Helper()
	var index schema.CacheIndex
	if err := jsonedit.Decode([]byte(s.read(fs.CacheIndex)), &index); err != nil {
		s.t.Fatal(err)
	}
	entries, total := map[string]schema.CacheEntry{}, schema.Int(0)
	for _, e := range index.Entries {
		entries[e.ID] = e
		total += e.SizeBytes
	}
	if total != index.TotalBytes {
		s.t.Errorf("total_bytes is %d, the entries have %d", index.TotalBytes, total)
	}
	return entries
}

func is[E error](t *testing.T, err error) E {
	t.Helper()
	var want E
	if !errors.As(err, &want) {
		t.Fatalf("%T: %v", err, err)
	}
	return want
}

func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) + "\n" }

func removeFile(s *shed, name string) error { return os.Remove(filepath.Join(s.Root(), name)) }
