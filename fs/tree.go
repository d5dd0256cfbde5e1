package fs

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Errors that callers tell apart.
var (
	ErrNoTree    = errors.New("no .forgemind or .quaid folder here or in any parent")
	ErrBusy      = errors.New("busy") // the lock was not to be had in time
	ErrIrregular = errors.New("not a regular file")
	ErrTooLarge  = errors.New("too large")
	ErrUnsettled = errors.New("save in progress") // an editor was still in the middle of saving after 2 s
)

// Unread says whether err is the system's word that it does not give what stands
// at a name: that may be anything, and may be had another time. What is not
// there, is no regular file or is too large is known to be that.
func Unread(err error) bool {
	var system syscall.Errno
	return errors.As(err, &system) && system != syscall.ENAMETOOLONG && !isNotExist(err) && !isNotDir(err) &&
		!errors.Is(err, ErrIrregular) && !errors.Is(err, ErrTooLarge)
}

// A Reader gives the documents of a tree: the one on disk, a transaction's
// staged one, or what a git revision held.
type Reader interface {
	// Read returns the bytes at name. A missing name is io/fs.ErrNotExist.
	Read(name string) ([]byte, error)
	// Names yields the names of all files below dir (a Name; "." is the whole
	// tree, which means both folders), sorted, without `.local/`. A *Tree passes over
	// what programs leave beside documents; see PassedOver.
	Names(dir string) iter.Seq2[string, error]
}

// A Tree is an open project directory. Its methods may be called from several
// goroutines; its fields are set before the first transaction.
type Tree struct {
	// View returns what a reader is to see of a document that is rendered from others.
	// It is given what stands at name, nil where nothing does, and returns nil if there
	// is nothing to see. Transactions read what stands. Nil renders nothing.
	View func(name string, src []byte) ([]byte, error)
	// Check judges a transaction before it is published: only errors that
	// before did not have may refuse it. Nil admits everything. Names below
	// `.local/`, and what is restored, are not shown to it.
	Check func(before, after Reader, names []string) error
	// Report is told of saves that could not be merged, after the locks are
	// released. Nil drops it; the incident is recorded in `.local/` all the same.
	Report func(Incident)
	// Safe reports whether ours, the bytes that somebody saved over, can be had again,
	// such as from a commit. Nil reports false.
	Safe func(name string, save, ours []byte) bool
	// DryRun makes every transaction end after Check, with nothing written.
	DryRun bool
	// LockTimeout is the longest wait for the locks, while they pass from holder to
	// holder: 30 s after Open, 0 tries once. A transaction that begins anew, because
	// an editor saved, waits again.
	LockTimeout time.Duration
	// HolderTimeout is the longest wait for a holder that does not move: 5 s after
	// Open. A holder moves when it takes the lock and when its edit runs again.
	HolderTimeout time.Duration
	// Now is the clock that stamps incidents and what is kept in `.local/`.
	Now func() time.Time

	path  string
	root  *os.Root
	at    *os.File      // the project directory itself, for calls relative to it
	grain time.Duration // see grainOf
	plain atomic.Bool   // the kernel has no openat2

	saveTime saveTime

	caseOnce  sync.Once
	foldsCase bool // once caseOnce is done

	mu      sync.Mutex
	known   map[string][]byte // names that transactions saw, text with its bytes
	ignored map[string]bool   // folders whose .gitignore was seen to

	// For tests: what others do between two steps, and a filesystem that knows
	// plain renames only.
	pause      func(step, name string)
	plainMoves bool
}

// Open opens the project directory root. It need not hold a folder yet.
func Open(root string) (*Tree, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", root, err)
	}
	r, err := os.OpenRoot(abs)
	if err != nil {
		return nil, named(abs, err)
	}
	at, err := r.Open(".")
	if err != nil {
		r.Close()
		return nil, named(abs, err)
	}
	t := &Tree{
		LockTimeout: 30 * time.Second, HolderTimeout: 5 * time.Second, Now: time.Now,
		saveTime: saveTime{
			youth: time.Second, patience: 2 * time.Second, absence: 250 * time.Millisecond, quiet: 200 * time.Millisecond,
		},
		path: abs, root: r, at: at, grain: grainOf(at),
		known: map[string][]byte{}, ignored: map[string]bool{},
	}
	return t, nil
}

// Close gives back what Open took. No transaction may be under way.
func (t *Tree) Close() error {
	return errors.Join(t.at.Close(), t.root.Close())
}

// Root returns the absolute path of the project directory.
func (t *Tree) Root() string { return t.path }

// Create makes the folders that are missing (Forgemind, Quaid). Without it a
// transaction never makes a tree where none is.
func (t *Tree) Create(folders ...string) error {
	for _, folder := range folders {
		if !isFolder(folder) {
			return fmt.Errorf("%q: %w", folder, ErrName)
		}
		if err := t.root.Mkdir(folder, 0o755); err != nil && !errors.Is(err, iofs.ErrExist) {
			return err
		}
	}
	return syncDir(t.at)
}

// Update is a Transaction of one name; old is nil where name is missing. When
// edit returns nil the name stays as it is.
func (t *Tree) Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error {
	_, err := t.Transaction(ctx, func(tx *Tx) error {
		old, err := tx.Read(name)
		if err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return err
		}
		data, err := edit(old)
		if err == nil && data != nil {
			tx.Write(name, data)
		}
		return err
	})
	return err
}

// Append is a Transaction that adds one JSONL record (without its newline).
func (t *Tree) Append(ctx context.Context, name string, record []byte) error {
	_, err := t.Transaction(ctx, func(tx *Tx) error {
		tx.Append(name, record)
		return nil
	})
	return err
}
