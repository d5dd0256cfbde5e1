package watch

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/forgemind/forgemind/fs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come; it never decides how
// fast it came.
const patience = time.Minute

// A scene is a tree on disk with a Watcher, whose first Batch was taken.
type scene struct {
	*testing.T
	dir  string
	tree *fs.Tree
	*Watcher
}

// stage lays out a tree of files, by name.
func stage(t *testing.T, files map[string]string) *scene {
	s := &scene{T: t, dir: filepath.Join(t.TempDir(), "project")}
	s.mkdir(".forgemind/context")
	for name, text := range files {
		s.write(name, text)
	}
	tree, err := fs.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.tree = tree
	t.Cleanup(func() { tree.Close() })
	return s
}

func (s *scene) watch(options Options) *scene {
	s.Helper()
	w, err := Open(s.tree, options)
	if err != nil {
		s.Fatal(err)
	}
	s.Watcher = w
	s.Cleanup(func() { w.Close() })
	if b := s.next(); !b.All || b.Gone || b.Replaced {
		s.Fatalf("the first batch is %+v", b)
	}
	return s
}

func (s *scene) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *scene) ok(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) mkdir(name string) { s.Helper(); s.ok(os.MkdirAll(s.path(name), 0o755)) }

func (s *scene) write(name, text string) {
	s.Helper()
	s.mkdir(filepath.Dir(name))
	s.ok(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *scene) rename(from, to string) { s.Helper(); s.ok(os.Rename(s.path(from), s.path(to))) }

func (s *scene) remove(name string) { s.Helper(); s.ok(os.RemoveAll(s.path(name))) }

// next waits for a Batch.
func (s *scene) next() Batch {
	s.Helper()
	select {
	case b, open := <-s.Batches():
		if !open {
			s.Fatal("the batches ended")
		}
		return b
	case <-time.After(patience):
		s.Fatal("no batch came")
	}
	return Batch{}
}

// told waits until all names were given, and holds that no others were.
func (s *scene) told(names ...string) {
	s.Helper()
	missing := map[string]bool{}
	for _, name := range names {
		missing[name] = true
	}
	for len(missing) > 0 {
		b := s.until(maps.Keys(missing))
		if b.All || b.Gone || b.Replaced {
			s.Fatalf("%+v, want %q", b, names)
		}
		for _, name := range b.Names {
			if !slices.Contains(names, name) {
				s.Errorf("%s was given, which did not change", name)
			}
			delete(missing, name)
		}
	}
}

func (s *scene) until(missing func(func(string) bool)) Batch {
	s.Helper()
	select {
	case b := <-s.Batches():
		return b
	case <-time.After(patience):
		s.Fatalf("missed %q", slices.Sorted(missing))
	}
	return Batch{}
}

// silent holds that nothing more is given: a change made now comes first. It is
// moved into place whole, for a test that is kept waiting between truncating and
// writing for as long as a second look takes makes two changes of it.
func (s *scene) silent() {
	s.Helper()
	time.Sleep(3 * calm)
	mark := ".forgemind/mark"
	s.write("mark", time.Now().String())
	s.rename("mark", mark)
	if b := s.next(); b.All || b.Gone || b.Replaced || !slices.Equal(b.Names, []string{mark}) {
		s.Errorf("%+v came, want nothing but %s", b, mark)
	}
}

// on holds what text stands at name.
func (s *scene) on(name string) string {
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		return ""
	}
	return string(text)
}

// bothWays runs a story with notifications and with polling.
func bothWays(t *testing.T, story func(t *testing.T, options Options)) {
	for name, options := range map[string]Options{"notified": {}, "polling": {Poll: true, PollEvery: 10 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options)
		})
	}
}

const state = ".forgemind/context/current-context.json"

var text = strings.Repeat("{}\n", 100)
