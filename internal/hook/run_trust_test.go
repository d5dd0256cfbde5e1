package hook

import (
	"path/filepath"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// stateBeside is the user's folder of state, for the tests of one tree.
func stateBeside(root string) string {
	return filepath.Join(filepath.Dir(root), "state-"+filepath.Base(root))
}

// remembered is what hooks remember in a tree.
func remembered(t testing.TB, root string) memories {
	t.Helper()
	key, err := fs.Secret(stateBeside(root), keyFile)
	if err != nil {
		t.Fatal(err)
	}
	return memories{open(t, root), key}
}

// recalled is what is remembered of a session.
func (k memories) recalled(t testing.TB, session string) memory {
	t.Helper()
	m, err := k.recall(session)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
