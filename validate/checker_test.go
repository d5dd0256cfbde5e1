package validate

import (
	"errors"
	iofs "io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// TestACheckerThatIsToldOfChangesFindsWhatLookingAtAllFinds replaces and removes documents
// of a tree, from one fixture by those of another, and puts copies of them beside them.
func TestACheckerThatIsToldOfChangesFindsWhatLookingAtAllFinds(t *testing.T) {
	t.Parallel()
	p := pages{}
	found := changeAtRandom(t, p, 1000, func(name, text string) {
		if text == nothing || text == folder { // in memory there are no folders
			delete(p, name)
		} else {
			p[name] = text
		}
	})
	for _, rule := range []string{"artifact-missing", "duplicate-id", "unrecorded-supersession", "lost-decision", "session-index", "stray-copy"} {
		if !found[rule] {
			t.Errorf("no step led to %s", rule)
		}
	}
}

// TestACheckerOnDisk has folders at the names of documents, too.
func TestACheckerOnDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	old := time.Now().Add(-time.Hour) // nobody is saving it
	changeAtRandom(t, tree, 150, func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755))
		switch text {
		case nothing:
		case folder:
			err = errors.Join(err, os.Mkdir(path, 0o755))
		default:
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, old, old))
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// What changeAtRandom puts at a name besides texts.
const (
	nothing = "\x00nothing"
	folder  = "\x00folder"
)

// changeAtRandom changes the tree in r by put, tells one Checker of it, and has another one
// look at all. It returns the rules that found something.
func changeAtRandom(t *testing.T, r fs.Reader, steps int, put func(name, text string)) (found map[string]bool) {
	t.Helper()
	texts := fixtureTexts(t)
	for name := range maps.Clone(texts) {
		if strings.HasSuffix(name, ".json") {
			texts[strings.TrimSuffix(name, ".json")+" 2.json"] = texts[name]
		}
	}
	names := slices.Sorted(maps.Keys(texts))
	random := rand.New(rand.NewSource(3))
	c := NewChecker(r, Options{})
	found = map[string]bool{}
	for step := range steps {
		var changed []string
		for range 1 + random.Intn(4) {
			name := names[random.Intn(len(names))]
			changed = append(changed, name)
			switch random.Intn(9) {
			case 0, 1, 2:
				put(name, nothing)
			case 3:
				put(name, folder)
			default:
				put(name, texts[name][random.Intn(len(texts[name]))])
			}
		}
		c.Check(changed...)
		if step%3 > 0 {
			continue
		}
		all := NewChecker(r, Options{})
		if err := all.CheckAll(); err != nil {
			t.Fatal(err)
		}
		all.had = c.had
		got, want := c.Report(), all.Report()
		if !slices.Equal(got.Findings, want.Findings) || !slices.Equal(got.Checked, want.Checked) {
			t.Fatalf("step %d, after changes of %q: found alone\n%swanted alone\n%s", step, changed, text(without(got, want)), text(without(want, got)))
		}
		for _, f := range got.Findings {
			found[f.Rule] = true
		}
	}
	return found
}

// without returns the findings of a that b lacks.
func without(a, b Report) []Finding {
	return slices.DeleteFunc(slices.Clone(a.Findings), func(f Finding) bool { return slices.Contains(b.Findings, f) })
}

// fixtureTexts returns what the fixtures have at each name.
func fixtureTexts(t *testing.T) map[string][]string {
	t.Helper()
	texts := map[string][]string{}
	root := os.DirFS(fixtures)
	err := iofs.WalkDir(root, ".", func(path string, entry iofs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		_, name, ok := treeName(path)
		src, err := iofs.ReadFile(root, path)
		if ok && err == nil && len(src) < 100_000 {
			texts[name] = append(texts[name], string(src))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestADecisionThatACheckerSawIsLostWhenItsFileGoes has a tree of which no git tells.
func TestADecisionThatACheckerSawIsLostWhenItsFileGoes(t *testing.T) {
	t.Parallel()
	const file = ".forgemind/decisions/DEC-001.json"
	const record = `{"id": "DEC-001", "timestamp": "2025-10-27T09:10:00Z", "decision": "Keep six layers"}`
	p := pages{fs.State: state}
	c := NewChecker(p, Options{})
	if err := c.CheckAll(); err != nil {
		t.Fatal(err)
	}
	c.Check(file)
	expect(t, "before it had a file", c.Report().Findings)
	p[file] = record
	c.Check(file)
	expect(t, "with its file", c.Report().Findings)
	delete(p, file)
	c.Check(file)
	expect(t, "without", c.Report().Findings, file+":1:1: error: Lost decisions: DEC-001 [lost-decision]")
	p[file] = record
	c.Check(file)
	expect(t, "with it again", c.Report().Findings)
}
