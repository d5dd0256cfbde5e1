package forgemind

import (
	"context"
	"crypto/rand"
	"os"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/tokens"
)

// A Tree is an open tree. Its methods may be called by several goroutines and several
// processes at once. A change waits for others until its context is done, at most a minute.
type Tree struct {
	tree    *engine.Tree
	edge    engine.Edge
	counter *tokens.Counter
}

// Open opens the tree of dir: the one in dir, or in the nearest directory above. The
// error is ErrNoTree if there is none.
func Open(dir string, options ...Option) (*Tree, error) {
	root, err := fs.Find(dir)
	if err != nil {
		return nil, err
	}
	return openAt(root, options)
}

// openAt opens the tree of a project directory.
func openAt(root string, options []Option) (*Tree, error) {
	edge := engine.Edge{Now: time.Now, Random: rand.Reader, Author: func(root string) (string, error) {
		return git.Author(context.Background(), root, os.Getenv)
	}, Copies: copies.Home(os.Getenv)}
	for _, option := range options {
		option.set(&edge)
	}
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return nil, err
	}
	tree, err := engine.Open(root, edge)
	if err != nil {
		return nil, err
	}
	tree.LockTimeout = time.Minute // a program can limit the wait by its contexts
	return &Tree{tree, edge, counter}, nil
}

// Close releases the resources of the Tree, which must not be used afterwards.
func (t *Tree) Close() error { return t.tree.Close() }
