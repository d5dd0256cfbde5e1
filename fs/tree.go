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

// Errors that callers distinguish.
var (
	ErrNoTree    = errors.New("no .forgemind or .quaid folder here or in any parent")
	ErrBusy      = errors.New("busy") // the lock did not become free in time
	ErrIrregular = errors.New("not a regular file")
	ErrTooLarge  = errors.New("too large")
	ErrUnsettled = errors.New("save in progress") // an editor was still saving after 2 s
)

// IsUnread reports whether err means that the system did not return the content of a
// name, so that the content is unknown and may be readable later. It is false if the
// name is known to be missing, irregular or too large.
func IsUnread(err error) bool {
	var system syscall.Errno
	return errors.As(err, &system) && system != syscall.ENAMETOOLONG && !isNotExist(err) && !isNotDir(err) &&
		!errors.Is(err, ErrIrregular) && !errors.Is(err, ErrTooLarge)
}

// A Reader reads the documents of a tree: from the disk, with a transaction's staged
// changes, or at a git revision.
type Reader interface {
	// Read returns the bytes at name. The error is io/fs.ErrNotExist if name is
	// missing.
	Read(name string) ([]byte, error)
	// Names yields the names of all files below dir (a Name; "." is the whole
	// tree, which means both folders), sorted, without `.local/`.
	Names(dir string) iter.Seq2[string, error]
}

// A Tree is an open project directory. Its methods may be called from several
// goroutines; its fields are set before the first transaction.
type Tree struct {
	// View returns the content of a rendered document for readers. Its argument src is
	// the content on disk, nil if name does not exist; it returns nil if there is no
	// content to show. Transactions read the content on disk. If View is nil, nothing
	// is rendered.
	View func(name string, src []byte) ([]byte, error)
	// Check checks a transaction before it is published. It should return an error only
	// for errors that the tree did not have before. Nil accepts everything. Names below
	// `.local/` and restored contents are not passed to it.
	Check func(before, after Reader, names []string) error
	// Report is called for saves that could not be merged, after the locks are
	// released. The incidents are recorded in `.local/` in any case. It may be nil.
	Report func(Incident)
	// Safe reports whether ours, the bytes that somebody saved over, can be restored
	// from elsewhere, such as from a commit. Nil reports false.
	Safe func(name string, save, ours []byte) bool
	// DryRun makes every transaction end after Check, with nothing written.
	DryRun bool
	// LockTimeout is the time that a transaction waits for the locks. Open sets 5 s; 0
	// tries once.
	LockTimeout time.Duration
	// Now is the clock for the times of incidents and of files kept in `.local/`.
	Now func() time.Time
	// Date is the clock that dates in documents are compared with. If it is nil, none is over.
	Date func() time.Time

	path  string
	root  *os.Root
	at    *os.File      // the project directory, for relative calls
	grain time.Duration // see grainOf
	locks []*lock
	plain atomic.Bool // the kernel has no openat2

	mu      sync.Mutex
	known   map[string][]byte // the text of names that transactions read
	ignored map[string]bool   // folders whose .gitignore was checked

	// For tests: a hook between two steps, and a file system that supports plain
	// renames only.
	pause      func(step, name string)
	plainMoves bool
}

// Find returns the project directory of dir: dir or its nearest parent that contains
// `.forgemind/` or `.quaid/`. The error is ErrNoTree if there is none. [IsUnread] reports
// true for the error if the system does not tell whether a folder exists.
func Find(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", dir, err)
	}
	for dir = start; ; dir = filepath.Dir(dir) {
		for _, folder := range folders {
			// A link counts: without it, Find would return another project's tree.
			fi, err := os.Lstat(filepath.Join(dir, folder))
			if err == nil && (fi.IsDir() || fi.Mode()&iofs.ModeSymlink != 0) {
				return dir, nil
			}
			if IsUnread(err) {
				return "", fmt.Errorf("cannot look for a tree: %w", err)
			}
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s: %w", start, ErrNoTree)
		}
	}
}

// Open opens the project directory root. It need not contain a folder yet.
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
		LockTimeout: 5 * time.Second, Now: time.Now,
		path: abs, root: r, at: at, grain: grainOf(at),
		known: map[string][]byte{}, ignored: map[string]bool{},
	}
	for _, folder := range folders {
		t.locks = append(t.locks, newLock(t, folder))
	}
	return t, nil
}

// Close releases the resources of the Tree. No transaction may be running.
func (t *Tree) Close() error {
	for _, l := range t.locks {
		l.close()
	}
	return errors.Join(t.at.Close(), t.root.Close())
}

// Root returns the absolute path of the project directory.
func (t *Tree) Root() string { return t.path }

// RealRoot returns the absolute path of the project directory without links.
func (t *Tree) RealRoot() (string, error) {
	real, err := filepath.EvalSymlinks(t.path)
	if err != nil {
		return "", named(t.path, err)
	}
	return real, nil
}

// Create creates the missing ones of folders (Forgemind, Quaid). A transaction never
// creates a tree without it.
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

// Update is a Transaction of one name; old is nil if name is missing. If edit returns
// nil, name is not changed.
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
