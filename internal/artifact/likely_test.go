package artifact_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/schema"
)

func TestWhatALayerWillNeed(t *testing.T) {
	files := map[string]string{
		ideaPath: words(1), "other.md": words(1), ".forgemind/context/clarifications.jsonl": `{"question": "Why?"}` + "\n",
		".forgemind/clarifications/Q-1-0123456789AB.json": `{"id": "Q-1", "question": "How?"}`,
		".dev/current/modules/MODULE-001/current.md":      words(1), ".dev/current/modules/MODULE-002/current.md": words(1), ".dev/current/modules/README.md": "x",
		"docs/map.md": words(1), ".dev/current/domain-events/EVENT-1/current.md": words(1), ".dev/current/requirements/REQ-9/current.md": words(1),
		"req1.md": words(1), "req2.md": words(1), "src/a.go": "package a", "src/b.go": "package b", "gone/b.md": "x",
		".dev/current/specifications/SPEC-001/current.md": "---\ntraces_to: [REQ-1, REQ-9, IDEA-001]\nfiles: [src/b.go, /etc/passwd, ../out.go, src/none.go]\n---\n" +
			"See [a](../../../../src/a.go#L1), [out](../../../../../x.go), [web](https://example.org/a.go) and [notes](../../../../other.md).\n",
		fs.State: stateOf(`, "current_idea": "IDEA-001", "current_modules": ["MODULE-002"]`, `
    {"type": "idea", "id": "IDEA-002", "path": "other.md"}, {"type": "architecture_diagram", "id": "map", "path": "docs/map.md"},
    {"type": "module", "id": "gone", "path": "no.md"}, {"type": "requirement", "id": "REQ-1", "path": "req1.md"}, {"type": "requirement", "id": "REQ-2", "path": "req2.md"},
    {"type": "domain", "id": "DOMAIN-001", "path": "docs/../other.md"}`, 100),
	}
	s := build(t, files)
	for layer, want := range [][]string{
		{"IDEA-001", ".forgemind/context/clarifications.jsonl", ".forgemind/clarifications/Q-1-0123456789AB.json"},
		{"MODULE-002", "MODULE-001", "map"},
		{"DOMAIN-001", "EVENT-1"},
		{"REQ-1", "REQ-2", "REQ-9"},
		{"SPEC-001", "REQ-1", "REQ-9"},
		{"SPEC-001", "src/b.go", "src/a.go"},
		nil,
	} {
		foreseen, err := artifact.Predict(s.Tree, layer, s.edge())
		got := foreseen.IDs
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("layer %d: %q, want %q; %v", layer, got, want, err)
		}
	}
	// All of it can be loaded, and then is likely still.
	for layer := range 6 {
		before, _ := artifact.Predict(s.Tree, layer, s.edge())
		ids := before.IDs
		for _, id := range ids {
			s.load(id)
		}
		after, err := artifact.Predict(s.Tree, layer, s.edge())
		again := after.IDs
		if err != nil || len(again) != len(ids) {
			t.Errorf("layer %d: %q, then %q; %v", layer, ids, again, err)
		}
	}
}

func TestAPreloadLeavesRoom(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		size := 1
		if i == 3 {
			size = 500 // more than fits below 50 % of 1,000 tokens
		}
		files[fmt.Sprintf("plans/m%02d.md", i)] = words(size)
	}
	s := build(t, files)
	s.loader = &schema.Loader{Paths: []string{"plans/<ID>.md"}}
	f, err := artifact.Predict(s.Tree, 1, s.edge())
	if err != nil || len(f.IDs) != 20 || f.IDs[3] != "m04" || len(f.LeftOut) != 10 || f.LeftOut[0] != "m03" {
		t.Errorf("%+v, %v", f, err)
	}
	for _, id := range f.IDs {
		s.load(id)
	}
	if again, _ := artifact.Predict(s.Tree, 1, s.edge()); !slices.Equal(again.IDs, f.IDs) {
		t.Errorf("then %q", again.IDs)
	}
	e := s.edge()
	e.Light = 12.5 // 120 tokens are in the window now
	s.unload(f.IDs[10:]...)
	if f, _ := artifact.Predict(s.Tree, 1, e); len(f.IDs) != 20 {
		t.Errorf("up to 12.5 %%: %d", len(f.IDs))
	}
	e.Light = 11.5
	if f, _ := artifact.Predict(s.Tree, 1, e); len(f.IDs) != 10+5 {
		t.Errorf("up to 11.5 %%: %d", len(f.IDs))
	}
}

func TestArtifactsThatNameSupersededDecisionsAreFlagged(t *testing.T) {
	s := build(t, map[string]string{
		"a.md": "by DEC-001.", "b.md": "DEC-0011 and xDEC-001 and DEC-001.2", "c.md": "**_DEC-001_**", "d.md": "nothing", "e.md": "\x00DEC-001",
		fs.State: stateOf("", `{"id": "a", "path": "a.md"}, {"id": "b", "path": "b.md"}, {"id": "c", "path": "c.md", "x": 1}, {"id": "d", "path": "d.md"},
    {"id": "e", "path": "e.md"}, {"id": "g", "path": "gone.md"}, {"id": "TEMPLATE-CODE", "type": "template"}`, 100),
	})
	before := s.read(fs.State)
	flag := func(superseded ...string) []string {
		return s.must(func(tx *fs.Tx) error { return artifact.FlagOutdated(tx, superseded, s.edge()) })
	}
	flagged := func() (ids []string) {
		for _, a := range s.state().LoadedArtifacts {
			if a.Outdated {
				ids = append(ids, a.ID)
			}
		}
		return ids
	}
	flag("DEC-001", "DEC-9")
	if got := flagged(); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("flagged are %q", got)
	}
	if names := flag("DEC-001"); len(names) > 0 {
		t.Errorf("twice: %q", names)
	}
	s.save("a.md", "by DEC-002.")
	flag("DEC-001")
	if got := flagged(); !slices.Equal(got, []string{"c"}) {
		t.Errorf("then flagged are %q", got)
	}
	flag()
	if after := s.read(fs.State); after != before {
		t.Errorf("the flags left traces:\n%s", after)
	}
}
