package views

import (
	iofs "io/fs"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// A pastTexts is a tree with replaced texts, newest first.
type pastTexts struct {
	fs.Reader
	texts []string
}

func (p pastTexts) ReplacedContents(string) iter.Seq[[]byte] {
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

// The stamp of a State identifies the rendering that was edited. So an edit that restores a former
// value counts, although an older rendering has the same value.
func TestAStampSaysWhatWasEdited(t *testing.T) {
	f := &Facts{local: true}
	stamped := func(priority string) string {
		t.Helper()
		text, err := f.stamp(fs.State, []byte(`{"metadata": {"session_id": "s"}, "pending_actions": [{"id": "ACT-1", "action": "Mow", "priority": "`+priority+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	low, high, urgent := stamped("low"), stamped("high"), stamped("urgent")
	tree := pastTexts{Reader: files{}, texts: []string{strings.Replace(low, `"low"`, `"edited"`, 1), low}}
	known := Renderings{}
	for _, text := range []string{low, high, urgent} {
		known = known.With([]byte(text))
	}
	tree.Reader = files{renderingName(fs.State): string(known.text())}
	for _, c := range []struct {
		what, saved, base string
		edited, unknown   bool
	}{
		{"a rendering", high, "", false, false},
		{"a rendering of another working copy", stamped("other"), "", false, false},
		{"one in another layout", strings.ReplaceAll(low, ": ", " :\n\t"), "", false, false},
		{"set back to what it was", strings.Replace(urgent, `"urgent"`, `"low"`, 1), urgent, true, false},
		{"from an old buffer", strings.Replace(low, `"Mow"`, `"Rake"`, 1), low, true, false},
		{"of one that nobody knows", strings.Replace(stamped("other"), `"Mow"`, `"Rake"`, 1), strings.Replace(stamped("other"), `"Mow"`, `"Rake"`, 1), true, true},
		{"by a program that drops what it does not know", `{"pending_actions": [{"id": "ACT-1", "action": "Mow", "priority": "low"}]}`, low, true, false},
	} {
		d, edited := Edited(tree, fs.State, []byte(c.saved))
		if edited != c.edited || string(d.Before) != c.base || d.Unknown != c.unknown {
			t.Errorf("%s: edited %v, of %s, unknown %v", c.what, edited, d.Before, d.Unknown)
		}
	}
	f.local = false
	if text, err := f.stamp(fs.State, []byte(low)); err != nil || strings.Contains(string(text), "rendered") {
		t.Errorf("where git tracks views: %s, %v", text, err)
	}
}

// files is a tree in memory.
type files map[string]string

func (f files) Read(name string) ([]byte, error) {
	if text, ok := f[name]; ok {
		return []byte(text), nil
	}
	return nil, iofs.ErrNotExist
}

func (f files) Names(string) iter.Seq2[string, error] { return func(func(string, error) bool) {} }
