package fs

import (
	"bytes"
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestRewriteReplacesALoneFileWholeAndKeepsItsMode(t *testing.T) {
	tree := openTree(t, t.TempDir())
	path := filepath.Join(tree.Root(), "state.json")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := tree.Rewrite("state.json", func(old []byte) ([]byte, error) { return append(old, "er"...), nil }); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
	if got := get(t, tree, "state.json"); got != "older" {
		t.Errorf("it holds %q", got)
	}
	if left, _ := os.ReadDir(tree.Root()); len(left) != 1 {
		t.Errorf("%v was left behind", left)
	}
}

func TestRewriteLeavesWhatSomebodySavedMeanwhile(t *testing.T) {
	tree := openTree(t, t.TempDir())
	put(t, tree, "state.json", "old")
	err := tree.Rewrite("state.json", func([]byte) ([]byte, error) {
		put(t, tree, "state.json", "saved meanwhile")
		return []byte("ours"), nil
	})
	if !errors.Is(err, ErrBusy) {
		t.Errorf("%v", err)
	}
	if got := get(t, tree, "state.json"); got != "saved meanwhile" {
		t.Errorf("it holds %q", got)
	}
	if left, _ := os.ReadDir(tree.Root()); len(left) != 1 {
		t.Errorf("%v was left behind", left)
	}
}

func TestRewriteNeedsAFileOfItsOwn(t *testing.T) {
	tree := openTree(t, t.TempDir())
	edit := func(old []byte) ([]byte, error) { return bytes.ToUpper(old), nil }
	if err := tree.Rewrite("none.json", edit); !errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(tree.Root(), "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := tree.Rewrite("link.json", edit); err == nil {
		t.Error("a link out of the directory was written through")
	}
}
