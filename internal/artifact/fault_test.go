package artifact_test

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
)

func TestWhatIsNoArtifactIsRefused(t *testing.T) {
	s := build(t, map[string]string{
		"zero.md": "a\x00b", "null.md": "\x00", "latin.md": "caf\xe9", "folder/x.md": "x", ".git/config": "token", ".forgemind/.local/notes": "x", "here.md": "x",
		fs.State: stateOf("", `{"id": "BAD-1", "path": "zero.md", "available": true}, {"id": "BAD-2", "path": "../beside.md", "available": true},
    {"id": "BAD-3", "loaded": true, "tokens": 5, "path": "gone.md", "available": true}`, 100),
	})
	// BAD-2 was there before: an old fault does not keep others from being worked on.
	outside := filepath.Join(filepath.Dir(s.Root()), "outside.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := s.read(fs.State)
	for _, c := range []struct {
		id  string
		why error
	}{
		{"null.md", artifact.ErrBinary}, {"\x1b[2J\n\x00", fs.ErrName}, {"latin.md", artifact.ErrBinary}, {"folder", fs.ErrIrregular}, {"../outside.md", fs.ErrName}, {outside, fs.ErrName},
		{"folder/../../outside.md", fs.ErrName}, {".git/config", artifact.ErrOwn}, {"./.git/../.git/config", artifact.ErrOwn}, {fs.State, artifact.ErrOwn},
		{".forgemind/.local/notes", artifact.ErrOwn}, {".forgemind/.LOCAL/../.local/notes", artifact.ErrOwn},
	} {
		if err := s.refused(c.id); !errors.Is(err, c.why) || strings.Contains(err.Error(), "secret") || strings.ContainsAny(err.Error(), "\x1b\n\x00") {
			t.Errorf("%s: %v", c.id, err)
		} else {
			is[*artifact.Unusable](t, err)
		}
	}
	if s.read(fs.State) != before {
		t.Error("the State has changed")
	}
	for id, why := range map[string]error{"BAD-1": artifact.ErrBinary, "BAD-2": fs.ErrName, "BAD-3": iofs.ErrNotExist} {
		err := s.refused(id)
		if bad := is[*artifact.Unusable](t, err); !errors.Is(err, why) || bad.ID != id {
			t.Errorf("%s: %v", id, err)
		}
		if s.entry(id).Available {
			t.Errorf("%s is said to be available", id)
		}
	}
}

func TestAnArtifactThatIsGoneMayComeBack(t *testing.T) {
	t.Parallel() // it waits
	s := build(t, map[string]string{"a.md": words(5)})
	s.load("a.md")
	if err := removeFile(s, "a.md"); err != nil {
		t.Fatal(err)
	}
	is[*artifact.Unusable](t, s.refused("a"))
	if a := s.entry("a"); a.Available || !a.Loaded {
		t.Errorf("what is gone from disk is not for that gone from the window: %+v", a)
	}
	s.save("a.md", words(5))
	if got := s.load("a"); got.From != artifact.FromContext || !s.entry("a").Available {
		t.Errorf("from %s, %+v", got.From, got.Artifact)
	}
	if err := removeFile(s, "a.md"); err != nil {
		t.Fatal(err)
	}
	s.refused("a")
	s.unload("a")
	s.used(100)
	s.save("a.md", words(6))
	if got := s.load("a"); got.From != artifact.FromDisk || !got.Artifact.Available {
		t.Errorf("from %s, %+v", got.From, got.Artifact)
	}
	s.used(106)
}

func TestLinksAndPipesAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and pipes are others there")
	}
	s := build(t, map[string]string{"real/a.md": "x"})
	secret := filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link.md": secret, "dir": filepath.Dir(secret)} {
		if err := os.Symlink(to, filepath.Join(s.Root(), link)); err != nil {
			t.Fatal(err)
		}
	}
	pipe(t, filepath.Join(s.Root(), "pipe.md"))
	for _, id := range []string{"link.md", "dir/secret.md", "pipe.md"} {
		is[*artifact.Unusable](t, s.refused(id))
	}
}

func TestAnArtifactOf50MBIsRefused(t *testing.T) {
	s := build(t, map[string]string{"big.md": "", "big.jsonl": strings.Repeat(`{"a": 1}`+"\n", 1<<20)}) // of JSONL, fs reads more
	if err := os.Truncate(filepath.Join(s.Root(), "big.md"), 50<<20); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]string{"big.md": "52428800 bytes", "big.jsonl": "9437184 bytes"} {
		if err := s.refused(name); !errors.Is(err, fs.ErrTooLarge) || !strings.Contains(err.Error(), size) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUnknownIDSuggestsTheNearest(t *testing.T) {
	s := build(t, map[string]string{
		".dev/current/modules/MODULE-012/current.md": "x", ".dev/current/modules/MODULE-022/other.md": "x", "docs/notes.md": "x",
		fs.State: stateOf("", `{"id": "MODULE-002", "path": "m.md"}, {"id": "notes", "path": "docs/notes.md"}`, 100),
	})
	for id, want := range map[string][]string{
		"MODUL-002":                      {"MODULE-002", "MODULE-012"},
		"module-012":                     {"MODULE-012", "MODULE-002"},
		"docs/nots.md":                   {"notes"},
		"zzz":                            nil,
		"":                               nil,
		strings.Repeat("M", 300) + ".md": nil, strings.Repeat("M", 100_000): nil,
	} {
		err := s.refused(id)
		unknown := is[*artifact.Unknown](t, err)
		near := slices.DeleteFunc(unknown.Nearest, func(id string) bool { return strings.HasPrefix(id, "TEMPLATE-") })
		if !slices.Equal(near, want) && len(near)+len(want) > 0 {
			t.Errorf("%.20q: near are %q, want %q", id, near, want)
		}
		if text := err.Error(); len(text) > 300 || strings.ContainsAny(text, "\x1b\n\x00") {
			t.Errorf("%q", text)
		}
	}
	if err := s.refused("MODULE-777"); !slices.Contains(is[*artifact.Unknown](t, err).Tried, ".dev/current/modules/MODULE-777/current.md") {
		t.Errorf("tried %q", is[*artifact.Unknown](t, err).Tried)
	}
}

func TestAnyFileOfTheProjectMayBecomeAnArtifact(t *testing.T) {
	t.Parallel()
	s := build(t, map[string]string{
		"docs/a/notes.md": "# The notes ##\n", "docs/b/notes.md": "no heading", "cmd/main.go": "package main\n", "docs/x y!.md": "#hash\n\n## Real\n",
		"specs/s.md": "---\nid: SPEC-007\ntitle: Seven\n---\n", ".dev/current/requirements/REQ-1/current.md": "x", "docs/empty.md": "",
		".forgemind/context/clarifications.jsonl": "", "CON/nul.md": "x", "docs/bad.md": "---\ntitle: [\n---\n# Bad front\n",
		".forgemind/config.json": "{}",
	})
	for _, c := range []struct{ path, id, kind, name string }{
		{"docs/a/notes.md", "notes", "document", "The notes"},
		{"./docs//b/notes.md", "notes.md", "document", "notes.md"},
		{"cmd/main.go", "main", "code", "main.go"},
		{"docs/x y!.md", "x-y-", "document", "Real"},
		{"specs/s.md", "SPEC-007", "specification", "Seven"},
		{".dev/current/requirements/REQ-1/current.md", "REQ-1", "requirement", "current.md"},
		{"docs/empty.md", "empty", "document", "empty.md"},
		{".forgemind/context/clarifications.jsonl", "clarifications", "clarification", "clarifications.jsonl"},
		{"docs/bad.md", "bad", "document", "Bad front"},
		{".forgemind/config.json", "config", "config", "config.json"},
	} {
		got := s.load(c.path)
		if a := got.Artifact; a.ID != c.id || a.Type != c.kind || a.Name != c.name || a.LoadLayer != 2 || a.Path != filepath.ToSlash(filepath.Clean(c.path)) {
			t.Errorf("%s: %+v", c.path, a)
		}
		if again := s.load(c.path); again.Artifact.ID != c.id || again.From != artifact.FromContext {
			t.Errorf("%s: again %+v from %s", c.path, again.Artifact, again.From)
		}
	}
	if err := s.refused("CON/nul.md"); !errors.Is(err, fs.ErrName) {
		t.Error(err)
	}
}
