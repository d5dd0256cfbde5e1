package fs

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func openOutside(t *testing.T) (*Outside, string) {
	t.Helper()
	dir := t.TempDir()
	o, err := OpenOutside(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Close() })
	return o, dir
}

// entries returns the names below dir, including directories.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(name string, _ iofs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, name); rel != "." {
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOutside tests that a file is created with the folders it needs, replaced with its
// permissions, and removed, and that no other files are left.
func TestOutside(t *testing.T) {
	o, dir := openOutside(t)
	if _, err := o.Read("a/b/c.json"); !errors.Is(err, iofs.ErrNotExist) {
		t.Error(err)
	}
	made, err := o.Replace("a/b/c.json", nil, []byte("1"), 0o640)
	if err != nil || !slices.Equal(made, []string{"a", "a/b"}) {
		t.Fatal(made, err)
	}
	if err := os.Chmod(filepath.Join(dir, "a/b/c.json"), 0o604); err != nil {
		t.Fatal(err)
	}
	if made, err = o.Replace("a/b/c.json", []byte("1"), []byte("22"), 0o640); err != nil || made != nil {
		t.Fatal(made, err)
	}
	if data, err := o.Read("a/b/c.json"); err != nil || string(data) != "22" {
		t.Error(string(data), err)
	}
	if fi, err := os.Stat(filepath.Join(dir, "a/b/c.json")); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o604 {
		t.Error(fi.Mode(), err)
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"a", "a/b", "a/b/c.json"}) {
		t.Error(got)
	}
	o.RemoveDir("a/b") // the directory is not empty
	if err := o.Remove("a/b/c.json", []byte("22")); err != nil {
		t.Error(err)
	}
	o.RemoveDir("a/b")
	o.RemoveDir("a/nothing")
	if got := entries(t, dir); !slices.Equal(got, []string{"a"}) {
		t.Error(got)
	}
}

// TestOutsideOvertaken tests that a file that changed since it was read is never
// replaced or removed, and that the folders made for it are removed.
func TestOutsideOvertaken(t *testing.T) {
	o, dir := openOutside(t)
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Replace("f", nil, []byte("x"), 0o644); !errors.Is(err, ErrOvertaken) {
		t.Error(err)
	}
	if _, err := o.Replace("f", []byte("mine"), []byte("x"), 0o644); !errors.Is(err, ErrOvertaken) {
		t.Error(err)
	}
	if err := o.Remove("f", []byte("mine")); !errors.Is(err, ErrOvertaken) {
		t.Error(err)
	}
	if _, err := o.Replace("gone", []byte("mine"), []byte("x"), 0o644); !errors.Is(err, ErrOvertaken) {
		t.Error(err)
	}
	if _, err := o.Replace("f/g/h", nil, []byte("x"), 0o644); err == nil {
		t.Error("a file was made below a file")
	}
	if data, err := o.Read("f"); err != nil || string(data) != "theirs" {
		t.Error(string(data), err)
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"f"}) {
		t.Error(got)
	}
}

// TestOutsideRefuses tests that only regular files with one link inside the directory
// are accepted.
func TestOutsideRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	o, dir := openOutside(t)
	other := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(other, "secret"), []byte("s"), 0o644),
		os.Symlink(filepath.Join(other, "secret"), filepath.Join(dir, "out")),
		os.Symlink(other, filepath.Join(dir, "outdir")),
		os.Symlink("nothing", filepath.Join(dir, "dangling")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Mkdir(filepath.Join(dir, "folder"), 0o755),
		os.Link(filepath.Join(other, "secret"), filepath.Join(dir, "hard")),
		os.WriteFile(filepath.Join(dir, "locked"), []byte("l"), 0o444),
		os.WriteFile(filepath.Join(dir, "huge"), bytes.Repeat([]byte(" "), maxFile+1), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]error{
		"out": ErrLeaves, "outdir/secret": ErrLeaves, "outdir/new": ErrLeaves, "dangling": ErrIrregular, "folder": ErrIrregular, "hard": ErrIrregular,
		"huge": ErrTooLarge, "../x": ErrName, "/etc/passwd": ErrName, "": ErrName,
	} {
		if _, err := o.Read(name); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if _, err := o.Replace(name, nil, []byte("x"), 0o644); err == nil {
			t.Errorf("%s was replaced", name)
		}
	}
	if _, err := o.Read("loop"); err == nil {
		t.Error("a loop was read")
	}
	if err := o.Writable("locked"); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if _, err := o.Replace("locked", []byte("l"), []byte("x"), 0o644); !errors.Is(err, ErrReadOnly) {
		t.Error(err)
	}
	if data, err := os.ReadFile(filepath.Join(other, "secret")); err != nil || string(data) != "s" {
		t.Error(string(data), err)
	}
}

// TestOutsideLinks tests that a link inside the directory is followed, and stays a
// link.
func TestOutsideLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	o, dir := openOutside(t)
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "dotfiles"), 0o755),
		os.WriteFile(filepath.Join(dir, "dotfiles/real"), []byte("1"), 0o644),
		os.Symlink(filepath.Join(dir, "dotfiles"), filepath.Join(dir, "way")),
		os.Symlink(filepath.Join(dir, "way/real"), filepath.Join(dir, "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	a, err := o.Path("link")
	b, err2 := o.Path("dotfiles/real")
	if err != nil || err2 != nil || a != b {
		t.Error(a, b, err, err2)
	}
	if _, err := o.Replace("link", []byte("1"), []byte("2"), 0o644); err != nil {
		t.Error(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "dotfiles/real")); err != nil || string(data) != "2" {
		t.Error(string(data), err)
	}
	if fi, err := os.Lstat(filepath.Join(dir, "link")); err != nil || fi.Mode()&iofs.ModeSymlink == 0 {
		t.Error(fi.Mode(), err)
	}
	if err := o.Remove("link", []byte("2")); !errors.Is(err, ErrIrregular) {
		t.Error(err)
	}
	if _, err := o.Replace("way/new", nil, []byte("n"), 0o644); err != nil {
		t.Error(err)
	}
	if got := entries(t, dir); !slices.Equal(got, []string{"dotfiles", "dotfiles/new", "dotfiles/real", "link", "way"}) {
		t.Error(got)
	}
}

// TestOutsideWhole tests that a reader sees the old file or the new one, never a part.
func TestOutsideWhole(t *testing.T) {
	o, dir := openOutside(t)
	texts := [][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 50_000)}
	if _, err := o.Replace("f", nil, texts[0], 0o644); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			data, err := os.ReadFile(filepath.Join(dir, "f"))
			if err != nil || !bytes.Equal(data, texts[0]) && !bytes.Equal(data, texts[1]) {
				t.Errorf("%v: %d bytes", err, len(data))
				return
			}
		}
	})
	for i := range 20 {
		if _, err := o.Replace("f", texts[i%2], texts[(i+1)%2], 0o644); err != nil {
			t.Error(err)
		}
	}
	close(done)
	wait.Wait()
}

// TestOutsideBorn tests that of several processes that create a file at once, one
// succeeds. The others, and readers, find no file or the whole file, never an irregular
// one.
func TestOutsideBorn(t *testing.T) {
	o, dir := openOutside(t)
	for range 50 {
		var wait sync.WaitGroup
		var born atomic.Int32
		for i := range 4 {
			wait.Go(func() {
				_, err := o.Replace("f", nil, []byte{'a' + byte(i)}, 0o644)
				switch {
				case err == nil:
					born.Add(1)
				case !errors.Is(err, ErrOvertaken):
					t.Error(err)
				}
			})
			wait.Go(func() {
				for range 20 {
					if data, err := o.Read("f"); err != nil && !errors.Is(err, iofs.ErrNotExist) || err == nil && len(data) != 1 {
						t.Errorf("%q, %v", data, err)
					}
				}
			})
		}
		wait.Wait()
		if got := entries(t, dir); born.Load() != 1 || !slices.Equal(got, []string{"f"}) {
			t.Fatalf("%d made it: %v", born.Load(), got)
		}
		if err := os.Remove(filepath.Join(dir, "f")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOutsideSweep tests that the next write in a directory removes the temporary files
// of killed processes, and leaves those of running processes and all other files.
func TestOutsideSweep(t *testing.T) {
	dir := t.TempDir()
	o, err := OpenOutside(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	left := fmt.Sprintf(".forgemind-%d-0123456789abcdef~", gone.Process.Pid)
	stays := []string{fmt.Sprintf(".forgemind-%d-0123456789abcdef~", os.Getpid()), ".forgemind-notes~", left[:len(left)-1]}
	for _, name := range append(stays, left) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := o.Replace("settings.json", nil, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range stays {
		if there, err := o.Has(name); !there {
			t.Errorf("%s is gone: %v", name, err)
		}
	}
	if there, err := o.Has(left); there || err != nil {
		t.Errorf("%s is there: %v", left, err)
	}
}
