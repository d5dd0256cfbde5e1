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

// ErrReplaced is the error if another directory is at the path of a Tree now. The Tree
// must be opened again.
var ErrReplaced = errors.New("another directory is there now")

// An Entry is a file or directory in a directory.
type Entry struct {
	Name string // relative to the project directory
	Dir  bool   // a directory; false for a link to one
}

// Look is lstat of name. The error is io/fs.ErrNotExist if name is missing.
func (t *Tree) Look(name string) (iofs.FileInfo, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	fi, err := t.root.Lstat(name)
	if err != nil {
		return nil, named(name, err)
	}
	return fi, nil
}

// Writable returns an error with the reason if no files can be created in folder, one
// of the tree's two. It asks the system and changes nothing, so that a write can fail
// all the same.
func (t *Tree) Writable(folder string) error {
	for _, dir := range []string{folder, folder + "/.local"} {
		if err := writable(filepath.Join(t.path, dir)); err != nil && !isNotExist(err) {
			return named(dir, err)
		}
	}
	return nil
}

// Entries lists the directory dir below one of the folders, without `.local/` and
// `.git/`, in no particular order. For "." it lists the folders that exist. It leaves
// out names that are not valid in a tree.
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
	if err := checkName(dir); err != nil {
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
		if IsLocal(name) || strings.EqualFold(e.Name(), ".git") || checkName(name) != nil {
			continue
		}
		all = append(all, Entry{Name: name, Dir: e.IsDir()})
	}
	return all, nil
}

// CheckPath returns nil if the Tree's path still leads to the directory that was opened. The
// error is io/fs.ErrNotExist if the path no longer exists, and ErrReplaced if it leads
// to another directory.
func (t *Tree) CheckPath() error {
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
