package fs

import (
	"context"
	"errors"
	"iter"
)

// Errors that callers tell apart.
var (
	ErrNoTree    = errors.New("no .forgemind or .quaid folder here or in any parent")
	ErrBusy      = errors.New("busy") // the lock was not to be had in time
	ErrIrregular = errors.New("not a regular file")
	ErrTooLarge  = errors.New("too large")
	ErrUnsettled = errors.New("save in progress") // an editor was still in the middle of saving after 2 s
)

// A Reader gives the documents of a tree: the one on disk, a transaction's
// staged one, or what a git revision held.
type Reader interface {
	// Read returns the bytes at name. A missing name is io/fs.ErrNotExist.
	Read(name string) ([]byte, error)
	// Names yields the names of all files below dir (a Name; "." is the whole
	// tree, which means both folders), sorted, without `.local/`.
	Names(dir string) iter.Seq2[string, error]
}

// A Change is what a transaction did to one name. Before is nil where it was
// created, After where it was removed.
type Change struct {
	Name          string
	Before, After []byte
}

// A Tx is a transaction under way: it reads what is staged, else what is on
// disk, and stages what is to be written.
type Tx struct{}

func (tx *Tx) Read(name string) ([]byte, error)          { panic("not built") }
func (tx *Tx) Names(dir string) iter.Seq2[string, error] { panic("not built") }

// Write stages new bytes for name. Bytes equal to those read are no change.
func (tx *Tx) Write(name string, data []byte) { panic("not built") }

// Append stages one JSONL record (without its newline) for the end of name.
func (tx *Tx) Append(name string, record []byte) { panic("not built") }

// Remove stages the removal of name; its bytes go to `.local/trash/`.
func (tx *Tx) Remove(name string) { panic("not built") }

// Try runs fn and takes back what it staged if it fails.
func (tx *Tx) Try(fn func(*Tx) error) error { panic("not built") }

// A Tree is an open project directory.
type Tree struct {
	// Check judges a transaction before it is published: only errors that
	// before did not have may refuse it. Nil admits everything.
	Check func(before, after Reader, names []string) error
	// Report is told of saves that could not be merged. Nil drops it; the
	// incident is recorded in `.local/` all the same.
	Report func(Incident)
	// DryRun makes every transaction end after Check, with nothing written.
	DryRun bool
}

// An Incident is a save that is not live: its bytes were kept aside.
type Incident struct {
	Name string // the document
	Kept string // where the bytes are
	What string // one sentence
}

// Find returns the project directory of dir: the nearest, walking up, that
// holds `.forgemind/` or `.quaid/`. ErrNoTree where there is none.
func Find(dir string) (string, error) { panic("not built") }

// Open opens the project directory root. It need not hold a folder yet.
func Open(root string) (*Tree, error) { panic("not built") }

func (t *Tree) Close() error                              { panic("not built") }
func (t *Tree) Root() string                              { panic("not built") }
func (t *Tree) Read(name string) ([]byte, error)          { panic("not built") }
func (t *Tree) Names(dir string) iter.Seq2[string, error] { panic("not built") }

// Transaction runs edit under the lock and publishes what it staged, all or
// nothing. edit may run several times.
func (t *Tree) Transaction(ctx context.Context, edit func(*Tx) error) ([]Change, error) {
	panic("not built")
}

// Update is a Transaction of one name; old is nil where name is missing.
func (t *Tree) Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error {
	panic("not built")
}

// Append is a Transaction that adds one JSONL record.
func (t *Tree) Append(ctx context.Context, name string, record []byte) error {
	panic("not built")
}
