package engine

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/tokens"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/validate"
)

// An Edge supplies time, randomness and the functions that the user configured.
type Edge struct {
	Now    func() time.Time
	Random io.Reader // for new ids
	// Author returns the name of the author for changes that name no agent. root is the
	// root of the tree. It is called when a name is needed, until it returns one; a change
	// that needs the name fails with its error. Nil means "user".
	Author func(root string) (string, error)
	// Summarise rewrites a session's summary; label names the program that did. The text
	// is "" if the user configured no summarizer.
	Summarise func(ctx context.Context, text string) (overview, label string, err error)
	// Embed returns the user's Embedder: the zero Embedder if none is configured. Nil is
	// the same.
	Embed func() (Embedder, error)
	// Copies is the folder for copies of what git ignores; see package copies. "" makes
	// none.
	Copies string
}

// A Tree is an open tree. Every write to it is validated and fires triggers.
type Tree struct {
	*fs.Tree
	// IfVersion is the version of the active session's hot context that a change requires;
	// with another version, it fails with a *VersionError. Nil allows any.
	IfVersion *int

	edge    Edge
	author  *author
	counter *tokens.Counter
}

// Open opens the project directory root for writing. Its transactions fail if they
// would add an error to the documents, or lose a decision. Open refuses a tree that
// another product made.
func Open(root string, edge Edge) (*Tree, error) {
	counter, err := tokens.New(tokens.Default)
	if err != nil {
		return nil, err
	}
	disk, err := fs.Open(root)
	if err != nil {
		return nil, err
	}
	if validate.Foreign(disk) {
		disk.Close()
		return nil, fmt.Errorf("%s: its schema is another product's; forgemind does not change it", fs.State)
	}
	disk.Check, disk.Date = judge, edge.Now
	views.Attach(disk)
	disk.Safe = func(name string, save, ours []byte) bool { return losesNothing(disk, name, save, ours) }
	return &Tree{Tree: disk, edge: edge, author: &author{}, counter: counter}, nil
}

// losesNothing reports whether a foreign save of the view called name loses nothing of
// ours, its former text: the save is an earlier rendering, the records have what ours
// showed, or git has ours.
func losesNothing(r *fs.Tree, name string, save, ours []byte) bool {
	known := views.LastRenderings(r, name)
	if known.Knows(save) {
		return true
	}
	if config, err := readConfig(r); err == nil && config.Records() && known.Knows(ours) {
		return true
	}
	return git.Stores(context.Background(), r.Root(), ours) || isPutByGit(r, name, save)
}

// isPutByGit reports whether git wrote save, which it stores, to name: by a checkout, a
// stash or a reset, which write the index after the file. An editor that saves the same
// bytes is not mistaken for git, unless git refreshes its index before forgemind looks.
func isPutByGit(disk *fs.Tree, name string, save []byte) bool {
	fi, err := disk.Look(name)
	if err != nil {
		return false
	}
	if _, at := git.Find(disk.Root()).Index(disk.Root()); at.Before(fi.ModTime()) {
		return false
	}
	return git.Stores(context.Background(), disk.Root(), save)
}

// Edge returns the Edge that the tree was opened with.
func (t *Tree) Edge() Edge { return t.edge }

// An author is the result of Edge.Author.
type author struct {
	sync.Mutex
	name string // "" until Author returned one
}

// authorName returns the author's name, for changes that name no agent; see
// Edge.Author.
func (t *Tree) authorName() (string, error) {
	if t.edge.Author == nil {
		return "user", nil
	}
	a := t.author
	a.Lock()
	defer a.Unlock()
	if a.name != "" {
		return a.name, nil
	}
	var err error
	a.name, err = t.edge.Author(t.Root())
	return a.name, err
}
