package fs

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"strings"
)

// A dir is an open directory of the tree. Renames use the open directory, so that
// nobody can redirect them by replacing a directory with a link.
type dir struct {
	*os.File
	name string
}

// A moving is a way to rename a file.
type moving int

const (
	replacing moving = iota // an existing file at the new name is overwritten
	swapping                // the two names are exchanged; both must exist
	creating                // the new name must not exist
)

// errNoSuchMove is the error if the file system supports plain renames only.
var errNoSuchMove = errors.New("not known to this filesystem")

var errNotDir = errors.New("not a directory")

func moveError(from *dir, a string, to *dir, b string, err error) error {
	return &os.LinkError{Op: "rename", Old: from.name + "/" + a, New: to.name + "/" + b, Err: err}
}

// openDir opens the directory name.
func (t *Tree) openDir(name string) (*dir, error) {
	f, err := t.open(name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && !fi.IsDir() {
		err = fmt.Errorf("%s: %w", name, errNotDir)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &dir{f, name}, nil
}

// makeDirs creates the directory name and its missing parents, durably. The folder
// itself and its `.local/` must exist: a write must not recreate a tree that was
// removed.
func (t *Tree) makeDirs(name string) (*dir, error) {
	d, err := t.openDir(name)
	if !isNotExist(err) {
		return d, err
	}
	if isFolder(name) || isFolder(path.Dir(name)) && path.Base(name) == LocalDir {
		return nil, fmt.Errorf("%s is gone: %w", name, err)
	}
	parent, err := t.makeDirs(path.Dir(name))
	if err != nil {
		return nil, err
	}
	defer parent.Close()
	perm := iofs.FileMode(0o755)
	if IsLocal(name) {
		perm = 0o700
	}
	if err := t.root.Mkdir(name, perm); err != nil && !errors.Is(err, iofs.ErrExist) {
		return nil, named(name, err)
	}
	if !IsLocal(name) || strings.Contains(name, "/"+txnDir) {
		if err := syncDir(parent.File); err != nil {
			return nil, fmt.Errorf("sync %s: %w", parent.name, err)
		}
	}
	return t.openDir(name)
}
