package views

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// A pastTexts is a tree that has replaced texts, the newest first.
type pastTexts struct {
	fs.Reader
	texts []string
}

func (p pastTexts) Displaced(string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, text := range p.texts {
			if !yield([]byte(text)) {
				return
			}
		}
	}
}

// People save what they opened a while ago: what they edited is the nearest of the last
// renderings, also where the last one says less than they saved.
func TestBaseIsTheNearestRendering(t *testing.T) {
	const (
		withDue = `{"pending_actions": [{"id": "ACT-1", "action": "Mow", "due": "2026-03-01"}]}`
		without = `{"pending_actions": [{"id": "ACT-1", "action": "Mow"}]}`
		saved   = `{"pending_actions": [{"id": "ACT-1", "action": "Mow", "due": "2026-03-01"}, {"action": "Rake"}]}`
		strange = `{"pending_actions": [{"id": "ACT-1", "action": "Mow", "due": "2026-03-01"}, {"action": "Rake"}], "x": 1}`
	)
	var known Renderings
	for _, text := range []string{withDue, `{"a": 1}`, `{"a": 2}`, without} {
		known = known.With([]byte(text))
	}
	for _, c := range []struct{ what, saved, want string }{
		{"from an old buffer", saved, withDue},
		{"from the last", `{"pending_actions": [{"id": "ACT-1", "action": "Mow and rake"}]}`, without},
		{"from another", `{"a": 2, "b": 3}`, `{"a": 2}`},
	} {
		got := known.Base(pastTexts{texts: []string{strange, `{"a": 2}`, `{"a": 1}`, withDue}}, fs.State, []byte(c.saved))
		if string(got) != c.want {
			t.Errorf("%s: %s, not %s", c.what, got, c.want)
		}
	}
	if !slices.Equal(Renderings{}.Base(pastTexts{}, fs.State, []byte(saved)), nil) {
		t.Error("where nothing is known there is a base")
	}
}

// A damaged text and those after it are none of the renderings, and no more is looked at
// than a whole file has.
func TestDamagedRenderings(t *testing.T) {
	dir := t.TempDir()
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	file := filepath.Join(dir, filepath.FromSlash(renderingName(fs.State)))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	one, two := renderingSum([]byte("one")), renderingSum([]byte("two"))
	for _, c := range []struct {
		what, src   string
		sums, texts int
	}{
		{"whole", one + ":3 " + two + ":3 \nonetwo", 2, 2},
		{"its first text is damaged", one + ":3 " + two + ":3 \nOnetwo", 2, 0},
		{"its second text is damaged", one + ":3 " + two + ":3 \noneTwo", 2, 1},
		{"it is cut off", one + ":3 " + two + ":3 \nonet", 2, 1},
		{"only the first text is missing", one + ":9 " + two + ":3 \ntwo", 2, 0},
		{"it has more than is kept", strings.Repeat("0:3 ", 1000) + "\nonetwo", knownRenderings, 0},
	} {
		if err := os.WriteFile(file, []byte(c.src), 0o644); err != nil {
			t.Fatal(err)
		}
		b := LastRenderings(tree, fs.State)
		if got, want := fmt.Sprint(len(b.sums), len(b.texts)), fmt.Sprint(c.sums, c.texts); got != want {
			t.Errorf("%s: sums and texts are %s, want %s", c.what, got, want)
		}
	}
}
