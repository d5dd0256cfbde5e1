package artifact_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

const idea = "---\ntitle: AI coding tool\nsummary: Plan, ask, execute\n---\n# Another heading\n\nFour words of text.\n"

func TestAnArtifactIsLoadedJustInTime(t *testing.T) {
	s := build(t, map[string]string{ideaPath: idea})
	before := s.read(fs.State)

	// First from disk: the State has it, the window counts it, the cache holds it.
	got := s.load("IDEA-001")
	if got.From != artifact.FromDisk || string(got.Content) != idea {
		t.Errorf("from %s: %q", got.From, got.Content)
	}
	tokens := len(strings.Fields(idea))
	s.used(100 + tokens)
	at := "2026-03-02T09:01:00.000Z"
	want := schema.Artifact{
		Type: "idea", ID: "IDEA-001", Name: "AI coding tool", Path: ideaPath, Loaded: true, LoadLayer: 2, SizeKB: 0.1, Tokens: schema.Int(tokens),
		Counter: "words", LoadTime: at, LastAccessed: at, AccessCount: 1, Summary: "Plan, ask, execute", Available: true,
	}
	if a := s.entry("IDEA-001"); a != want {
		t.Errorf("got  %+v\nwant %+v", a, want)
	}
	if c := s.index()["IDEA-001"]; c.Tokens != want.Tokens || c.Path != ideaPath || int(c.SizeBytes) != len(idea) || c.CachedAt != at {
		t.Errorf("cached: %+v", c)
	}
	if s.read(".forgemind/cache/artifacts/IDEA-001.cache") != idea {
		t.Error("the cache holds something else")
	}
	if after := s.read(fs.State); !strings.Contains(after, `"mine": [1,2 , 3],`) || len(after) < len(before) {
		t.Errorf("what is not ours has changed:\n%s", after)
	}

	// Again: a touch, which no committed file shows.
	counted := s.counted
	names := s.must(func(tx *fs.Tx) error {
		got, err := artifact.Load(tx, ideaPath, s.edge())
		if err == nil && got.From != artifact.FromContext {
			t.Errorf("from %s", got.From)
		}
		return err
	})
	if len(names) > 0 || s.counted != counted {
		t.Errorf("a touch wrote %q and counted %d times", names, s.counted-counted)
	}

	// A checkpoint brings the touch into the State, once.
	for range 2 {
		s.must(artifact.WriteUses)
		if a := s.entry("IDEA-001"); a.AccessCount != 2 || a.LastAccessed != "2026-03-02T09:02:00.000Z" || a.LoadTime != at {
			t.Errorf("settled: %+v", a)
		}
	}
	if names := s.must(artifact.WriteUses); len(names) > 0 {
		t.Errorf("settled a third time: %q", names)
	}

	// Unloaded, then loaded from the cache, without counting.
	s.unload("IDEA-001", "IDEA-001")
	s.used(100)
	if a := s.entry("IDEA-001"); a.Loaded || a.Tokens != want.Tokens {
		t.Errorf("unloaded: %+v", a)
	}
	counted = s.counted
	if got := s.load("IDEA-001"); got.From != artifact.FromCache || s.counted != counted {
		t.Errorf("from %s, counted %d times", got.From, s.counted-counted)
	}
	s.used(100 + tokens)

	// Changed on disk while it is loaded: loaded anew.
	s.save(ideaPath, words(50))
	if got := s.load("IDEA-001"); got.From != artifact.FromDisk || got.Artifact.LastModified == "" {
		t.Errorf("from %s, %+v", got.From, got.Artifact)
	}
	s.used(150)

	// Changed while it is only cached: from disk.
	s.unload("IDEA-001")
	s.save(ideaPath, words(60))
	if got := s.load("IDEA-001"); got.From != artifact.FromDisk || got.Artifact.Tokens != 60 {
		t.Errorf("from %s, %+v", got.From, got.Artifact)
	}
	s.used(160)
}

func TestFiguresByHandAreMadeTrue(t *testing.T) {
	for _, c := range []struct {
		what, entry string
		used, want  int
	}{
		{"loaded, with a guess", `{"id": "IDEA-001", "loaded": true, "tokens": 900, "path": "` + ideaPath + `"}`, 1000, 110},
		{"loaded, without tokens", `{"id": "IDEA-001", "loaded": true, "path": "./` + ideaPath + `"}`, 100, 110},
		{"not loaded, no path", `{"id": "IDEA-001", "loaded": false, "tokens": 900}`, 100, 110},
		{"another's count", `{"id": "IDEA-001", "loaded": true, "tokens": 12, "counter": "letters", "path": "` + ideaPath + `"}`, 112, 110},
	} {
		state := strings.Replace(stateOf("", c.entry, 100), `"used_tokens": 100`, `"used_tokens": `+strconv.Itoa(c.used), 1)
		s := build(t, map[string]string{ideaPath: words(10), fs.State: state})
		got := s.load("IDEA-001")
		s.used(c.want)
		if a := s.entry("IDEA-001"); a.Tokens != 10 || a.Counter != "words" || a.AccessCount != 1 || !strings.HasSuffix(a.Path, ideaPath) {
			t.Errorf("%s: %+v", c.what, got.Artifact)
		}
		if again := s.load("IDEA-001"); again.From != artifact.FromContext {
			t.Errorf("%s: again from %s", c.what, again.From)
		}
	}
}

// What was counted is kept where only the cache was lost, or never was here.
func TestALoadedArtifactWithoutItsCacheIsTouched(t *testing.T) {
	s := build(t, map[string]string{ideaPath: words(10)})
	s.load("IDEA-001")
	s.must(func(tx *fs.Tx) error {
		for name := range tx.Names(fs.Cache) {
			tx.Remove(name)
		}
		return nil
	})
	before := s.read(fs.State)
	if got := s.load("IDEA-001"); got.From != artifact.FromContext || s.read(fs.State) != before {
		t.Errorf("from %s", got.From)
	}
	if _, ok := s.index()["IDEA-001"]; !ok {
		t.Error("it is not cached again")
	}
}

func TestUnloadStale(t *testing.T) {
	s := build(t, map[string]string{
		"a.md": "a", "b.md": "b", "c.md": "c",
		fs.State: stateOf("", `{"id": "config", "loaded": true, "load_layer": 1, "path": "c.md", "last_accessed": "2026-03-01T00:00:00Z"},
    {"id": "old", "loaded": true, "path": "b.md", "tokens": 1}`, 100),
	})
	stale := func() []string {
		ids, err := artifact.Stale(s.Tree, s.edge())
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	s.load("a.md") // at 9:01
	s.now = morning.Add(30 * time.Minute)
	if ids := stale(); ids != nil {
		t.Errorf("after 30 minutes: %q", ids)
	}
	s.load("a") // a touch at 9:31
	s.now = morning.Add(61 * time.Minute)
	if ids := stale(); !slices.Equal(ids, []string{"old"}) {
		t.Errorf("after 61 minutes: %q", ids)
	}
	s.now = s.now.Add(time.Second)
	if ids := stale(); !slices.Equal(ids, []string{"a", "old"}) && !slices.Equal(ids, []string{"old", "a"}) {
		t.Errorf("a second later: %q", ids)
	}
	s.loader = &schema.Loader{ThresholdMinutes: 90}
	if ids := stale(); ids != nil {
		t.Errorf("with another threshold: %q", ids)
	}
	s.unload("old", "a")
	for _, name := range []string{"old", "a"} {
		if !s.exists(".forgemind/cache/artifacts/" + name + ".cache") {
			t.Errorf("%s is not cached", name)
		}
	}
	_, err := s.do(func(tx *fs.Tx) error { return artifact.Unload(tx, "config", s.edge()) })
	if err == nil || !strings.Contains(err.Error(), "load layer 1") || !s.entry("config").Loaded {
		t.Errorf("%v", err)
	}
	_, err = s.do(func(tx *fs.Tx) error { return artifact.Unload(tx, "confgi", s.edge()) })
	if near := is[*artifact.UnknownError](t, err).Nearest; !slices.Equal(near, []string{"config"}) {
		t.Errorf("near: %q", near)
	}
}

func TestTemplatesComeAndGoWithTheirLayer(t *testing.T) {
	s := build(t, map[string]string{
		"m.md": words(7), "i.md": words(3), "c.md": words(2),
		fs.State: stateOf("", `{"type": "idea", "id": "IDEA-001", "loaded": false, "path": "i.md"}, {"type": "module", "id": "MODULE-001", "loaded": false, "path": "m.md"},
    {"type": "module", "id": "core", "loaded": true, "load_layer": 1, "tokens": 2, "path": "c.md"}`, 100),
	})
	s.load("IDEA-001")
	s.load("MODULE-001")
	template := func(tx *fs.Tx) error { return artifact.LoadTemplate(tx, 1, s.edge()) }
	s.must(template)
	a := s.entry("TEMPLATE-MODULE")
	if a.Type != "template" || !a.Loaded || a.Tokens < 50 || a.Path != "" {
		t.Errorf("%+v", a)
	}
	s.used(100 + 3 + 7 + int(a.Tokens))
	if names := s.must(template); len(names) > 0 {
		t.Errorf("loaded again: %q", names)
	}
	if got := s.load("TEMPLATE-MODULE"); got.From != artifact.FromContext || !strings.Contains(string(got.Content), "# Module") {
		t.Errorf("from %s", got.From)
	}
	leave := func(tx *fs.Tx) error { return artifact.UnloadLayer(tx, 1, s.edge()) }
	s.must(leave)
	s.used(100 + 3)
	for id, loaded := range map[string]bool{"IDEA-001": true, "MODULE-001": false, "core": true, "TEMPLATE-MODULE": false} {
		if s.entry(id).Loaded != loaded {
			t.Errorf("%s: loaded %t", id, !loaded)
		}
	}
	if names := s.must(leave); len(names) > 0 {
		t.Errorf("left again: %q", names)
	}
	if got := s.load("TEMPLATE-CODE"); got.From != artifact.FromProgram || got.Artifact.Name == "" {
		t.Errorf("%+v", got.Artifact)
	}
	if err := s.refused("TEMPLATE-MODUL"); !slices.Contains(is[*artifact.UnknownError](t, err).Nearest, "TEMPLATE-MODULE") {
		t.Error(err)
	}
}

// What the program knows of its templates is what they cost, and it is not
// counted again.
func TestTemplatesCostWhatIsSaidOfThem(t *testing.T) {
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	for layer := range schema.LayerNames() {
		s := build(t, map[string]string{})
		id, _, text := templates.LayerTemplate(layer)
		e := s.edge()
		e.Counter, e.Count = counter.Name(), func(string) int { t.Errorf("%s was counted", id); return 0 }
		var loaded artifact.Loaded
		_, err := s.do(func(tx *fs.Tx) (err error) {
			loaded, err = artifact.Load(tx, id, e)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if want := counter.Count(string(text)); int(loaded.Artifact.Tokens) != want {
			t.Errorf("%s: %d tokens, want %d", id, loaded.Artifact.Tokens, want)
		}
	}
}
