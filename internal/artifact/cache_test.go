package artifact_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/schema"
)

func (s *shed) cached() []string {
	s.t.Helper()
	entries := s.index()
	for id, e := range entries {
		if got := len(s.read(".forgemind/cache/artifacts/" + id + ".cache")); got != int(e.SizeBytes) {
			s.t.Errorf("%s: %d bytes, the index says %d", id, got, e.SizeBytes)
		}
	}
	files := 0
	for range s.Names(fs.CacheArtifacts) {
		files++
	}
	if files != len(entries) {
		s.t.Errorf("%d files, %d entries", files, len(entries))
	}
	return slices.Sorted(maps.Keys(entries))
}

func TestTheCacheLetsGoWhatWasUsedLongestAgo(t *testing.T) {
	files := map[string]string{}
	for _, id := range []string{"a", "b", "c", "d", "e"} {
		files[id+".md"] = strings.Repeat(id, 100)
	}
	files["huge.md"] = strings.Repeat("h", 301)
	s := build(t, files)
	s.loader = &schema.Loader{CacheMaxEntries: 3}
	for _, id := range []string{"a.md", "b.md", "c.md", "a", "d.md"} { // a is touched before d comes
		s.load(id)
	}
	if got := s.cached(); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("of three: %q", got)
	}
	s.loader = &schema.Loader{CacheMaxBytes: 300}
	s.load("huge.md")
	if got := s.cached(); !slices.Equal(got, []string{"a", "c", "d"}) {
		t.Errorf("what is too large for the cache is not cached: %q", got)
	}
	s.load("e.md")
	if got := s.cached(); !slices.Equal(got, []string{"a", "d", "e"}) {
		t.Errorf("of 300 bytes: %q", got)
	}
	s.loader = &schema.Loader{CacheMaxBytes: 120}
	drop := func(tx *fs.Tx) error { return artifact.DropStaleCache(tx, s.edge()) }
	s.must(drop)
	if got := s.cached(); !slices.Equal(got, []string{"e"}) {
		t.Errorf("of 120 bytes: %q", got)
	}
}

func TestAWrongIndexIsMadeAnew(t *testing.T) {
	t.Parallel()
	for what, index := range map[string]string{
		"no index":                 "",
		"no JSON":                  "{",
		"another shape":            `{"entries": 3}`,
		"twice the same":           `{"entries": [{"id": "a", "path": "a.md", "sha256": "%[1]s", "size_bytes": 1}, {"id": "a", "path": "a.md", "sha256": "%[1]s", "size_bytes": 1}], "total_bytes": 2}`,
		"a wrong sum":              `{"entries": [{"id": "a", "path": "a.md", "sha256": "%[1]s", "size_bytes": 1}], "total_bytes": 7}`,
		"an id that climbs":        `{"entries": [{"id": "../../context/current-context", "path": "a.md", "sha256": "%[1]s", "size_bytes": 1}], "total_bytes": 1}`,
		"another's hash":           `{"entries": [{"id": "a", "path": "a.md", "sha256": "%[1]s", "size_bytes": 7, "tokens": 99, "counter": "words"}], "total_bytes": 7}`,
		"a file that is not there": `{"entries": [{"id": "zz", "path": "zz.md", "sha256": "%[1]s", "size_bytes": 7}], "total_bytes": 7}`,
		"a path outside":           `{"entries": [{"id": "a", "path": "../a.md", "sha256": "%[1]s", "size_bytes": 7}], "total_bytes": 7}`,
	} {
		t.Run(what, func(t *testing.T) {
			s := build(t, map[string]string{"a.md": "one two", "b.md": "three"})
			s.load("a.md")
			s.load("b.md")
			s.unload("a", "b")
			s.save(".forgemind/cache/artifacts/stranger.cache", "nobody's")
			if strings.Contains(index, "%") {
				index = fmt.Sprintf(index, strings.Repeat("0", 64))
			}
			s.save(fs.CacheIndex, index)
			s.load("a")
			s.used(102)
			s.must(func(tx *fs.Tx) error { return artifact.DropStaleCache(tx, s.edge()) })
			got := s.cached()
			if !slices.Contains(got, "a") || slices.Contains(got, "zz") || s.exists(".forgemind/cache/artifacts/stranger.cache") || !s.exists(fs.State) {
				t.Errorf("cached are %q", got)
			}
			if names := s.must(func(tx *fs.Tx) error { return artifact.DropStaleCache(tx, s.edge()) }); len(names) > 0 {
				t.Errorf("twice: %q", names)
			}
		})
	}
}

func TestWhatIsStaleIsDropped(t *testing.T) {
	s := build(t, map[string]string{"same.md": "x", "changed.md": "x", "gone.md": "x", "tampered.md": "x"})
	for _, id := range []string{"same.md", "changed.md", "gone.md", "tampered.md"} {
		s.load(id)
	}
	s.unload("gone")
	s.save("changed.md", "y")
	s.save("tampered.md", "x")
	s.save(".forgemind/cache/artifacts/tampered.cache", "z")
	s.must(func(tx *fs.Tx) error { tx.Remove(".forgemind/cache/none"); return nil })
	if err := removeFile(s, "gone.md"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.do(func(tx *fs.Tx) error { return artifact.DropStaleCache(tx, s.edge()) }); err != nil {
		t.Fatal(err)
	}
	if got := s.cached(); !slices.Equal(got, []string{"same"}) {
		t.Errorf("cached are %q", got)
	}
}

// A cached file that somebody changed is never given out.
func TestTheCacheIsNotTrusted(t *testing.T) {
	s := build(t, map[string]string{"a.md": "one two"})
	s.load("a.md")
	s.unload("a")
	s.save(".forgemind/cache/artifacts/a.cache", "evil")
	if got := s.load("a"); got.From != artifact.FromDisk || string(got.Content) != "one two" {
		t.Errorf("from %s: %q", got.From, got.Content)
	}
	if s.read(".forgemind/cache/artifacts/a.cache") != "one two" {
		t.Error("the cache was not mended")
	}
}

func TestIDsThatAreNoFileNames(t *testing.T) {
	t.Parallel() // it waits
	long := strings.Repeat("x", 300)
	s := build(t, map[string]string{"a.md": "a", "b.md": "b",
		fs.State: stateOf("", `{"id": "CON", "path": "a.md"}, {"id": "`+long+`", "path": "b.md"}`, 100)})
	for _, id := range []string{"CON", long} {
		s.load(id)
		s.unload(id)
		if got := s.load(id); got.From != artifact.FromCache {
			t.Errorf("%.10s from %s", id, got.From)
		}
	}
	for name := range s.Names(fs.CacheArtifacts) {
		if len(name) > 80 || strings.Contains(name, "CON") {
			t.Error(name)
		}
	}
	// The same without the index.
	s.unload("CON")
	s.save(fs.CacheIndex, "")
	if got := s.load("CON"); got.From != artifact.FromCache {
		t.Errorf("from %s", got.From)
	}
}
