package recall

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// later is a clock for which every file has been left alone for long.
func later() time.Time { return time.Now().Add(time.Minute) }

// newTree is a tree with both folders.
func newTree(t testing.TB) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(fs.Forgemind, fs.Quaid); err != nil {
		t.Fatal(err)
	}
	tree.Now = later
	return tree
}

func write(t testing.TB, tree *fs.Tree, name, text string) {
	t.Helper()
	at := filepath.Join(tree.Root(), name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
