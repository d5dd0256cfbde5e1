package forgemind_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind"
)

// A conversation of `.quaid/` is archived and continued; what slid out of its
// history is handed over as the session's summary, and the summary is not taken
// for something that was said.
func TestASessionOfQuaidEnds(t *testing.T) {
	t.Parallel()
	root := newTree(t)
	a := &agent{tokens: 10, replaces: func(a *agent, c forgemind.Context) { a.messages = c.Messages }}
	a.say(40, "Which pears?", numbered)
	w := open(t, root).Attach(a.callbacks())
	if s, err := w.BeforeResponse(t.Context(), 1000); err != nil || s.Added != 40 {
		t.Fatalf("%+v, %v", s, err)
	}
	if done, err := w.Compact(t.Context(), forgemind.CompactOptions{Budget: 300}); err != nil || !done.Handed {
		t.Fatalf("%+v, %v", done, err)
	}
	if first := a.messages[0]; first.Kind != "summary" || !strings.Contains(a.set[0].Text, first.Content[:20]) {
		t.Errorf("it begins with %+v", first)
	}
	if s, err := w.BeforeResponse(t.Context(), 1000); err != nil || s.Added != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	a.say(1, "Good night.", numbered)
	ended, err := w.SessionEnd(t.Context())
	if err != nil || ended.Session != "conv-1" || ended.Next == "conv-1" || ended.Fragment == "" || ended.Added != 1 {
		t.Errorf("%+v, %v", ended, err)
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(ended.Fragment)))
	if err != nil || len(text) == 0 {
		t.Error(err)
	}
}

// Without compaction the session ends with every message in the tree.
func TestASessionEndsWithAllThatWasSaid(t *testing.T) {
	t.Parallel()
	root := newProject(t)
	a := &agent{}
	a.say(30, "Good night.", numbered)
	ended, err := open(t, root).Attach(a.callbacks()).SessionEnd(t.Context())
	if err != nil || ended.Added != 30 {
		t.Fatalf("%+v, %v", ended, err)
	}
	if there := stored(t, root); len(there) > 0 {
		t.Errorf("the next session begins with %q", there)
	}
	places := anywhere(t, root)
	for _, m := range a.messages {
		if places[m.ID] != 1 {
			t.Errorf("%s is in %d places", m.ID, places[m.ID])
		}
	}
}

func TestWithoutASessionNothingEnds(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".forgemind"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, root).Attach(forgemind.Callbacks{}).SessionEnd(t.Context()); !errors.Is(err, forgemind.ErrNoSession) {
		t.Error(err)
	}
}
