package fs

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// A tree that another user put above the working directory is not ours. A tree of this
// user or of the system is.
func TestOurs(t *testing.T) {
	root := t.TempDir()
	if !IsOwned(root) {
		t.Error("a directory without a tree is somebody's")
	}
	folder := filepath.Join(root, Quaid)
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if !IsOwned(root) {
		t.Error("ours is not ours")
	}
	if runtime.GOOS == "windows" || os.Geteuid() != 0 {
		t.Skip("only root gives a directory away")
	}
	if err := os.Lchown(folder, 65534, -1); err != nil {
		t.Skip(err)
	}
	if IsOwned(root) {
		t.Error("nobody's is ours")
	}
	if err := os.Mkdir(filepath.Join(root, Forgemind), 0o755); err != nil {
		t.Fatal(err)
	}
	if IsOwned(root) {
		t.Error("half of it is nobody's, and it is ours")
	}
	beside := t.TempDir()
	if err := os.Symlink(folder, filepath.Join(beside, Quaid)); err != nil {
		t.Fatal(err)
	}
	if IsOwned(beside) {
		t.Error("a link of ours leads to nobody's, and it is ours")
	}
}

// The secret is created once, by the first caller, and only the user can read it.
func TestSecret(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "forgemind")
	var all sync.WaitGroup
	got := make([][]byte, 8)
	for i := range got {
		all.Go(func() {
			var err error
			if got[i], err = Secret(dir, "key"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, one := range got {
		if len(one) != secretSize || !bytes.Equal(one, got[0]) {
			t.Errorf("two of it: %x and %x", got[0], one)
		}
	}
	if fi, err := os.Stat(filepath.Join(dir, "key")); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "short"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, place := range [][2]string{{dir, "short"}, {"", "key"}, {"relative", "key"}, {filepath.Join(dir, "key", "below"), "key"}} {
		if secret, err := Secret(place[0], place[1]); err == nil || secret != nil {
			t.Errorf("%q: %x, %v", place, secret, err)
		}
	}
}

// A directory belongs to the nearest tree above it, whatever links its path contains,
// even if it no longer exists.
func TestHolds(t *testing.T) {
	base := t.TempDir()
	for _, dir := range []string{"a/.quaid", "a/sub/deep", "a/inner/.forgemind", "b"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(base, name) }
	for dir, want := range map[string]bool{"a": true, "a/sub/deep": true, "a/gone/long/ago": true, "a/inner": false, "b": false, "": false, "a/../b": false} {
		if got := Contains(in("a"), in(dir)); got != want {
			t.Errorf("%q: %v", dir, got)
		}
	}
	if os.Symlink(in("a"), in("alias")) != nil || os.Symlink(in("a/sub"), in("b/sub")) != nil {
		t.Skip("no links here")
	}
	if !Contains(in("alias"), in("a/sub")) || !Contains(in("a"), in("alias/sub")) || !Contains(in("a"), in("b/sub/deep")) || Contains(in("alias"), in("b")) {
		t.Error("a link leads to another tree")
	}
}
