package fs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A copyStory is a tree with one conversation, and a CopyDir for it.
type copyStory struct {
	t    *testing.T
	tree *Tree
	dir  *CopyDir
}

const talked = ".quaid/context/sessions/s1/archive.jsonl"

func newCopyStory(t *testing.T) *copyStory {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, filepath.Dir(talked)), 0o755); err != nil {
		t.Fatal(err)
	}
	tree, err := Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	dir, err := LockCopyDir(t.Context(), filepath.Join(t.TempDir(), "state", "tree"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return &copyStory{t, tree, dir}
}

// says writes the file in the tree, with a modification time of an hour ago plus some
// seconds.
func (s *copyStory) says(name, text string, second int) {
	s.t.Helper()
	path := filepath.Join(s.tree.Root(), name)
	at := time.Now().Add(-time.Hour).Truncate(time.Second).Add(time.Duration(second) * time.Second)
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, at, at)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *copyStory) update(name string) CopyUpdate {
	s.t.Helper()
	done, err := s.dir.Update(s.t.Context(), s.tree, name)
	if err != nil {
		s.t.Fatal(err)
	}
	return done
}

// holds checks the content of a file below the CopyDir; "" means that it does not
// exist.
func (s *copyStory) holds(name, want string) {
	s.t.Helper()
	got, err := os.ReadFile(filepath.Join(s.dir.Dir(), name))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	if string(got) != want {
		s.t.Errorf("%s holds %q, want %q", name, got, want)
	}
}

// New lines at the end are appended to the copy, and nothing else is written.
func TestACopyIsExtended(t *testing.T) {
	s := newCopyStory(t)
	s.says(talked, "{\"n\":1}\n", 0)
	if done := s.update(talked); !done.Made || done.Written != 8 {
		t.Errorf("first: %+v", done)
	}
	if done := s.update(talked); done.Changed {
		t.Errorf("unchanged: %+v", done)
	}
	s.says(talked, "{\"n\":1}\n{\"n\":2}\n", 1)
	if done := s.update(talked); done.Made || done.Replaced || done.Written != 8 {
		t.Errorf("extended: %+v", done)
	}
	s.holds("files/"+talked, "{\"n\":1}\n{\"n\":2}\n")
	s.holds("former/1/"+talked, "")
	for _, name := range []string{"files/" + talked, "files/.quaid", "."} {
		fi, err := os.Stat(filepath.Join(s.dir.Dir(), name))
		if err != nil || fi.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", name, fi.Mode(), err)
		}
	}
}

// A file of the same size and time is not read. A file of another time is compared, and
// if it has the same bytes the copy gets its time.
func TestACopyIsTakenForUpToDateBySizeAndTime(t *testing.T) {
	s := newCopyStory(t)
	s.says(talked, "{\"n\":1}\n", 0)
	s.update(talked)
	s.says(talked, "{\"n\":9}\n", 0)
	if done := s.update(talked); done.Changed {
		t.Errorf("same size and time: %+v", done)
	}
	s.says(talked, "{\"n\":1}\n", 5)
	if done := s.update(talked); done.Changed {
		t.Errorf("same bytes: %+v", done)
	}
	s.says(talked, "{\"n\":9}\n", 5)
	if done := s.update(talked); done.Changed {
		t.Errorf("the copy did not get the time: %+v", done)
	}
}

// A file younger than the clock's grain can change again at the same time, so its copy
// is compared again.
func TestACopyOfAYoungFileIsComparedAgain(t *testing.T) {
	s := newCopyStory(t)
	s.tree.grain = 2 * time.Hour
	s.says(talked, "{\"n\":1}\n", 0)
	s.update(talked)
	s.says(talked, "{\"n\":9}\n", 0)
	if done := s.update(talked); !done.Replaced {
		t.Errorf("%+v", done)
	}
}

// A file that became shorter, or begins differently, gets a new copy. Two former copies
// stay.
func TestFormerCopies(t *testing.T) {
	s := newCopyStory(t)
	for i, text := range []string{"{\"n\":1}\n{\"n\":2}\n", "{\"n\":1}\n", "{\"n\":3}\n{\"n\":4}\n{\"n\":5}\n", "{\"n\":6}\n"} {
		s.says(talked, text, i)
		if done := s.update(talked); done.Replaced != (i > 0) {
			t.Errorf("%q: %+v", text, done)
		}
	}
	s.holds("files/"+talked, "{\"n\":6}\n")
	s.holds("former/1/"+talked, "{\"n\":3}\n{\"n\":4}\n{\"n\":5}\n")
	s.holds("former/2/"+talked, "{\"n\":1}\n")
	if err := errors.Join(s.dir.RemoveCopy(talked), s.dir.RemoveCopy(talked)); err != nil {
		t.Error(err)
	}
	for _, at := range []string{"files/", "former/1/", "former/2/"} {
		s.holds(at+talked, "")
	}
}

// Other documents are replaced as a whole, without a former copy.
func TestACopyThatIsReplacedWhole(t *testing.T) {
	s := newCopyStory(t)
	const name = ".quaid/context/sessions/s1/metadata.json"
	s.says(name, "{}\n", 0)
	s.update(name)
	s.says(name, "{\"a\":1}\n", 1)
	if done := s.update(name); !done.Changed || done.Replaced {
		t.Errorf("%+v", done)
	}
	s.holds("files/"+name, "{\"a\":1}\n")
	s.holds("former/1/"+name, "")
}

// Copying that was interrupted continues where it stopped, even within one file.
func TestCopyingGoesOn(t *testing.T) {
	s := newCopyStory(t)
	text := strings.Repeat("{\"n\":1}\n", 5*copyBlock/8)
	s.says(talked, text, 0)
	left := &countdown{Context: t.Context(), looks: 3}
	done, err := s.dir.Update(left, s.tree, talked)
	if !errors.Is(err, context.DeadlineExceeded) || done.Written == 0 || done.Written >= int64(len(text)) {
		t.Fatalf("%+v, %v", done, err)
	}
	s.holds("files/"+talked, text[:done.Written])
	if more := s.update(talked); more.Replaced || more.Written != int64(len(text))-done.Written {
		t.Errorf("%+v after %+v", more, done)
	}
	s.holds("files/"+talked, text)
}

// A countdown is a context that ends after a number of calls of Err.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

func TestCompareWithACopy(t *testing.T) {
	const one, two = "{\"n\":1}\n", "{\"n\":2}\n"
	for _, c := range []struct {
		name, copied, now string
		want              Relation
	}{
		{"same", one, one, CopyHeld},
		{"more here", one, one + two, CopyHeld},
		{"less here", one + two, one, CopyAhead},
		{"nothing here", one, "", CopyMissing},
		{"other", one + one, one + two, CopyDiffers},
		{"other and longer", one, two + two, CopyDiffers},
		{"other and shorter", one + one, two, CopyDiffers},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newCopyStory(t)
			s.says(talked, c.copied, 0)
			s.update(talked)
			if s.says(talked, c.now, 1); c.now == "" {
				os.Remove(filepath.Join(s.tree.Root(), talked))
			}
			if got, err := s.dir.Compare(t.Context(), s.tree, talked); got != c.want || err != nil {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
		})
	}
}

// ReadCopy leaves out a last line that was cut off, and keeps a complete one without a
// newline.
func TestReadCopyWithoutATornLine(t *testing.T) {
	for text, want := range map[string]string{"{\"n\":1}\n{\"n\"": "{\"n\":1}\n", "{\"n\":1}\n{\"n\":2}": "{\"n\":1}\n{\"n\":2}", "{\"n\"": ""} {
		s := newCopyStory(t)
		s.says(talked, text, 0)
		s.update(talked)
		if got, err := s.dir.ReadCopy(talked); string(got) != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// One process copies at a time, and only files of the tree are copied.
func TestWhatIsNotCopied(t *testing.T) {
	s := newCopyStory(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LockCopyDir(ended, s.dir.Dir()); !errors.Is(err, ErrBusy) {
		t.Errorf("a second one: %v", err)
	}
	if _, err := s.dir.Update(t.Context(), s.tree, talked); !isNotExist(err) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(s.tree.Root(), talked)); err != nil {
		t.Skip(err)
	}
	if _, err := s.dir.Update(t.Context(), s.tree, talked); !errors.Is(err, ErrIrregular) {
		t.Errorf("a link: %v", err)
	}
	for _, name := range []string{"../x.jsonl", "idea.md", "/etc/passwd", ".quaid/.local/lock"} {
		if _, err := s.dir.Update(t.Context(), s.tree, name); !errors.Is(err, ErrName) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.dir.RemoveCopy(name); !errors.Is(err, ErrName) {
			t.Errorf("remove %s: %v", name, err)
		}
	}
}
