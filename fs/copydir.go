package fs

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A CopyDir is a directory outside of a tree that holds copies of files of the tree:
// `files/NAME` for each Name, and at most two former copies of it, `former/1/NAME` and
// `former/2/NAME`. Its other files are read and replaced as in any Outside. Only the
// user may read the directory. See Update for the promises about copies.
type CopyDir struct {
	*Outside
	lock *flock.Flock // nil if the directory is open for reading only
}

const (
	copiesDir = "files"
	formerDir = "former"
	formers   = 2 // the number of former copies of a file
)

// OpenCopyDir opens the directory dir for reading. The error is io/fs.ErrNotExist if it
// is missing.
func OpenCopyDir(dir string) (*CopyDir, error) {
	out, err := OpenOutside(dir)
	if err != nil {
		return nil, err
	}
	return &CopyDir{Outside: out}, nil
}

// LockCopyDir opens the directory dir for changes, and creates it if it is missing. It
// waits while another process has it open for changes; the error is ErrBusy if ctx ends
// before.
func LockCopyDir(ctx context.Context, dir string) (*CopyDir, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c, err := OpenCopyDir(dir)
	if err != nil {
		return nil, err
	}
	c.lock = flock.New(filepath.Join(c.path, lockFile), flock.SetFlag(lockFlags|os.O_CREATE), flock.SetPermissions(0o600))
	if _, err := c.lock.TryLockContext(ctx, lookAgain); err != nil {
		c.Close()
		if ctx.Err() != nil {
			err = fmt.Errorf("%w: another process copies to it", ErrBusy)
		}
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	return c, nil
}

// Close releases the lock and closes the directory.
func (c *CopyDir) Close() error {
	var err error
	if c.lock != nil {
		err = c.lock.Close()
	}
	return errors.Join(err, c.Outside.Close())
}

// A Copy is one copy in a CopyDir.
type Copy struct {
	Name string // the file in the tree
	Size int64  // bytes
}

// Copies returns the copies in c, sorted by name, without the former ones. It skips
// everything that is not a regular file.
func (c *CopyDir) Copies() (all []Copy, err error) {
	err = iofs.WalkDir(c.root.FS(), copiesDir, func(at string, e iofs.DirEntry, err error) error {
		name := strings.TrimPrefix(at, copiesDir+"/")
		switch {
		case err != nil && at == copiesDir && isNotExist(err):
			return nil
		case err != nil:
			return named(at, err)
		case !e.Type().IsRegular() || admitWrite(name) != nil:
			return nil
		}
		fi, err := e.Info()
		if err == nil {
			all = append(all, Copy{name, fi.Size()})
		}
		return err
	})
	return all, err
}

// PathOf returns the absolute path of the copy of name.
func (c *CopyDir) PathOf(name string) string {
	return filepath.Join(c.path, copiesDir, filepath.FromSlash(name))
}

// ReadCopy returns the bytes of the copy of name. It leaves out the last line of JSONL
// if that line is incomplete. Errors are those of Tree.Read.
func (c *CopyDir) ReadCopy(name string) ([]byte, error) {
	f, m, err := c.open(copyOf(name), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := m.fits(name); err != nil {
		return nil, err
	}
	data := make([]byte, m.size)
	if _, err := f.ReadAt(data, 0); err != nil {
		return nil, named(copyOf(name), err)
	}
	if isJSONL(name) && tornTail(data) {
		data = data[:strings.LastIndexByte(string(data), '\n')+1]
	}
	return data, nil
}

// RemoveCopy removes the copy of name and its former copies. It returns nil if there is
// no copy.
func (c *CopyDir) RemoveCopy(name string) error { return c.removeFrom(0, name) }

// RemoveFormer removes the former copies of name. It returns nil if there are none.
func (c *CopyDir) RemoveFormer(name string) error { return c.removeFrom(1, name) }

// removeFrom removes the n-th and all older former copies of name; 0 is the copy
// itself.
func (c *CopyDir) removeFrom(n int, name string) error {
	if err := admitWrite(name); err != nil {
		return err
	}
	var all error
	for ; n <= formers; n++ {
		if err := c.root.Remove(formerOf(name, n)); err != nil && !isNotExist(err) && !isNotDir(err) {
			all = errors.Join(all, named(formerOf(name, n), err))
		}
	}
	return all
}

// open opens the copy at, which must be a regular file with one link.
func (c *CopyDir) open(at string, flag int) (*os.File, meta, error) {
	f, err := c.root.OpenFile(at, flag|nonblock, 0o600)
	if err != nil {
		return nil, meta{}, named(at, err)
	}
	m, err := stat(f)
	if err == nil {
		err = m.plain(at)
	}
	if err != nil {
		f.Close()
		return nil, m, err
	}
	return f, m, nil
}

// keepFormer makes the copy of name its newest former copy.
func (c *CopyDir) keepFormer(name string) error {
	for n := formers; n > 0; n-- {
		if err := c.root.MkdirAll(path.Dir(formerOf(name, n)), 0o700); err != nil {
			return named(formerOf(name, n), err)
		}
		if err := c.root.Rename(formerOf(name, n-1), formerOf(name, n)); err != nil && !isNotExist(err) {
			return named(formerOf(name, n), err)
		}
	}
	return nil
}

// stampLike gives the copy of name the modification time of its file in the tree, once
// that time is old enough for a later change to have another one; see Update.
func (c *CopyDir) stampLike(t *Tree, name string, m meta) error {
	if time.Since(m.changed) <= t.grain {
		return nil
	}
	return named(copyOf(name), c.root.Chtimes(copyOf(name), m.changed, m.changed))
}

func copyOf(name string) string { return formerOf(name, 0) }

// formerOf returns the path of the n-th former copy of name; 0 is the copy itself.
func formerOf(name string, n int) string {
	if n == 0 {
		return path.Join(copiesDir, name)
	}
	return path.Join(formerDir, strconv.Itoa(n), name)
}

// CopyDirs returns the absolute paths of the directories in dir, sorted, each of which
// may be a CopyDir. It returns none if dir cannot be read.
func CopyDirs(dir string) (all []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			all = append(all, filepath.Join(dir, e.Name()))
		}
	}
	return all
}

// WritableDir returns an error with the reason if nothing can be written to dir, which
// need not exist yet. It asks the system and writes nothing, so that a write can fail
// all the same.
func WritableDir(dir string) error {
	for {
		err := writable(dir)
		if err == nil {
			return nil
		}
		if !isNotExist(err) || dir == filepath.Dir(dir) {
			return &iofs.PathError{Op: "write", Path: dir, Err: err}
		}
		dir = filepath.Dir(dir)
	}
}
