package forgemind

import (
	"context"
	"crypto/rand"
	"os"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/tokens"
)

// A Tree is an open tree. Its methods may be called from several goroutines, and
// by several processes at once: one change waits for the other, as long as its
// context lets it and a minute at most.
type Tree struct {
	tree    *engine.Tree
	edge    engine.Edge
	counter *tokens.Counter
}

// An Edit is one atomic change of a session's hot context, of any number of
// steps: goals, actions, decisions, constraints, notes, files.
type Edit = engine.Edit

// A GoalChange is what Edit.UpdateGoal changes of a goal.
type GoalChange = session.GoalChange

// A Moved is a hot context that is not at the version that a change was made for.
type Moved = engine.Moved

// ErrNoSession is returned where a session is asked for that only a change begins: a
// version of the hot context, or the end of the session.
var ErrNoSession = engine.ErrNoSession

// Open opens the tree of dir: the nearest, walking up. fs.ErrNoTree where there
// is none.
func Open(dir string, options ...Option) (*Tree, error) {
	root, err := fs.Find(dir)
	if err != nil {
		return nil, err
	}
	edge := engine.Edge{Now: time.Now, Random: rand.Reader, Author: func(root string) (string, error) {
		return git.Author(context.Background(), root, os.Getenv)
	}}
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
	tree.LockTimeout, tree.HolderTimeout = time.Minute, time.Minute // a program can say by its contexts that it won't wait
	return &Tree{tree, edge, counter}, nil
}

// Close gives back what Open took.
func (t *Tree) Close() error { return t.tree.Close() }

// Update changes the hot context of the active session; where none is active one
// begins: all that edit does is
// written at once, and the version rises by one, or nothing is. Where another
// process was faster edit runs again, on what that one wrote; so it must depend on
// nothing but what it reads through the Edit. agent signs what is added. It
// returns the version that the hot context then has.
func (t *Tree) Update(ctx context.Context, agent string, edit func(*Edit) error) (version int, err error) {
	out, err := t.tree.Edit(ctx, agent, edit)
	return out.Version, err
}

// UpdateAt is Update of the version that the caller has read, and of no other: a
// *Moved says which one stands there now.
func (t *Tree) UpdateAt(ctx context.Context, version int, agent string, edit func(*Edit) error) (int, error) {
	at := *t.tree
	at.IfVersion = &version
	out, err := at.Edit(ctx, agent, edit)
	return out.Version, err
}
