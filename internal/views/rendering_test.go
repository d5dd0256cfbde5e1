package views

import (
	"iter"
	"slices"
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
