package hook

import (
	"path/filepath"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// stateBeside returns the user's state directory for the tests of one tree.
func stateBeside(root string) string {
	return filepath.Join(filepath.Dir(root), "state-"+filepath.Base(root))
}

// remembered returns the memories of hooks in a tree.
func remembered(t testing.TB, root string) hookMemory {
	t.Helper()
	key, err := fs.Secret(stateBeside(root), keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return hookMemory{open(t, root), key}
}

// recalled returns the memory of a session.
func (k hookMemory) recalled(t testing.TB, session string) memory {
	t.Helper()
	m, err := k.recall(session)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
