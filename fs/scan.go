package fs

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ErrReplaced says that another directory stands at the path of a Tree now:
// the Tree must be opened anew.
var ErrReplaced = errors.New("another directory stands there now")

// An Entry is one file or directory of a directory.
type Entry struct {
	Name string // from the project directory on
	Dir  bool   // a directory; a link to one is none
}

// Look is lstat: what stands at name, whatever it is. A missing name is
// io/fs.ErrNotExist.
func (t *Tree) Look(name string) (iofs.FileInfo, error) {
	if err := admit(name); err != nil {
		return nil, err
	}
	fi, err := t.root.Lstat(name)
	if isNotExist(err) {
		fi, err = t.root.Lstat(t.called(name))
	}
	if err != nil {
		return nil, named(name, err)
	}
	return fi, nil
}

// Writable says why folder, one of the tree's two, takes no new files; nil where it
// does, as far as the system can tell without trying. It changes nothing.
func (t *Tree) Writable(folder string) error {
	for _, dir := range []string{folder, folder + "/.local"} {
		if err := writable(filepath.Join(t.path, dir)); err != nil && !isNotExist(err) {
			return named(dir, err)
		}
	}
	return nil
}

// CanWrite says why no file can be written at name; nil where one can, as far as the system can tell
// without trying. It changes nothing.
func (t *Tree) CanWrite(name string) error {
	if fi, err := t.Look(name); err == nil && !fi.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", name, ErrIrregular)
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		fi, err := t.root.Lstat(dir)
		switch {
		case isNotExist(err):
			continue
		case err != nil:
			return named(dir, err)
		case !fi.IsDir():
			return fmt.Errorf("%s: %w", dir, errNotDir)
		}
		if err := writable(filepath.Join(t.path, dir)); err != nil {
			return fmt.Errorf("write in %s: %w", dir, err)
		}
		return nil
	}
	return nil
}

// Bases returns the base names of all that stands in the directory dir, in no order. It looks at
// nothing but the directory. A missing one has none.
func (t *Tree) Bases(dir string) ([]string, error) {
	if err := admit(dir); err != nil {
		return nil, err
	}
	d, err := t.openDir(dir)
	if isNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	bases, err := d.Readdirnames(-1)
	if err != nil {
		return nil, named(dir, err)
	}
	return bases, nil
}

// Entries lists the directory dir below one of the folders, without `.local/`
// and `.git/`, in no order; "." has the folders that there are. Names that
// cannot be used are left out.
func (t *Tree) Entries(dir string) ([]Entry, error) {
	if dir == "." {
		var all []Entry
		for _, folder := range folders {
			fi, err := t.root.Lstat(folder)
			if err == nil && fi.IsDir() {
				all = append(all, Entry{Name: folder, Dir: true})
			}
		}
		return all, nil
	}
	if err := admit(dir); err != nil {
		return nil, err
	}
	d, err := t.openDir(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	found, err := d.ReadDir(-1)
	if err != nil {
		return nil, named(dir, err)
	}
	all := make([]Entry, 0, len(found))
	for _, e := range found {
		name := path.Join(dir, e.Name())
		if IsLocal(name) || strings.EqualFold(e.Name(), ".git") || admit(name) != nil {
			continue
		}
		all = append(all, Entry{Name: name, Dir: e.IsDir()})
	}
	return all, nil
}

// Here says whether the Tree's path still leads to the directory that was
// opened: io/fs.ErrNotExist where it leads nowhere, ErrReplaced where it leads
// to another.
func (t *Tree) Here() error {
	now, err := os.Stat(t.path)
	if err != nil {
		return err
	}
	opened, err := t.at.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, opened) {
		return fmt.Errorf("%s: %w", t.path, ErrReplaced)
	}
	return nil
}
