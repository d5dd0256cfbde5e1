package main

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// targets holds what a command line names to be validated.
type targets struct {
	trees []treeTarget
	files []string // absolute paths of files to be validated alone
}

// A treeTarget is a tree or a part of one.
type treeTarget struct {
	root  string // project directory
	below string // name of a folder; "" is the whole tree
	named bool   // named on the command line, so any kind of file is validated
}

// targets returns the targets of the PATH arguments, or else the command's tree.
func (j *judgement) targets() (targets, error) {
	var found targets
	if j.c.NArg() == 0 {
		root, err := j.root(j.c)
		if errors.Is(err, fs.ErrNoTree) && j.c.IsSet("against") {
			root, err = j.removedTree(".", err)
		}
		if err != nil {
			return found, err
		}
		found.trees = append(found.trees, treeTarget{root: root})
		return found, nil
	}
	for _, path := range j.c.Args().Slice() {
		abs, err := j.abs(path)
		if err != nil {
			return found, err
		}
		real, entry, err := meant(abs)
		if err == nil && entry.IsDir() {
			err = found.addFolder(real)
			if err == nil && len(found.trees)+len(found.files) == 0 && j.c.IsSet("against") {
				if root, _ := j.removedTree(real, nil); root != "" {
					found.trees = append(found.trees, treeTarget{root: root, named: true})
				}
			}
		} else if err == nil {
			found.files = append(found.files, real)
		}
		if err != nil {
			j.failures = append(j.failures, tellPath(path, err))
		}
	}
	return found, nil
}

// addFolder adds the targets for a directory: the tree in it, or the part of a tree that it is,
// else the trees below it, else the documents below it.
func (t *targets) addFolder(dir string) error {
	root, err := fs.Find(dir)
	if err != nil && !errors.Is(err, fs.ErrNoTree) {
		return err
	}
	inTree := err == nil
	if inTree {
		if dir == root {
			t.trees = append(t.trees, treeTarget{root: root, named: true})
			return nil
		}
		if name, ok := nameIn(root, dir); ok {
			t.trees = append(t.trees, treeTarget{root, name, true})
			return nil
		}
	}
	trees, files, err := below(dir)
	for _, root := range trees {
		t.trees = append(t.trees, treeTarget{root: root})
	}
	if len(trees) == 0 && !inTree { // other JSON files of a project are no documents
		t.files = append(t.files, files...)
	}
	return err
}

// below returns the trees below a directory, and the JSON and JSONL files outside trees. It skips
// version control and hidden folders.
func below(dir string) (trees, files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, entry iofs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil:
			return err
		case entry.IsDir() && (name == fs.Forgemind || name == fs.Quaid):
			if root := filepath.Dir(path); len(trees) == 0 || trees[len(trees)-1] != root {
				trees = append(trees, root)
			}
			return filepath.SkipDir
		case entry.IsDir() && path != dir && strings.HasPrefix(name, "."):
			return filepath.SkipDir
		case !entry.IsDir() && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl")):
			files = append(files, path)
		}
		return nil
	})
	return trees, files, err
}

// nameIn returns the name of a path in the tree at root. It reports false if the path is not in one
// of its two folders.
func nameIn(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return "", false
	}
	name := filepath.ToSlash(rel)
	folder, _, _ := strings.Cut(name, "/")
	return name, folder == fs.Forgemind || folder == fs.Quaid
}

// meant returns the path to which abs leads. A symbolic link is followed, except within a tree,
// where the rules refuse it.
func meant(abs string) (string, iofs.FileInfo, error) {
	entry, err := os.Lstat(abs)
	if err != nil || entry.Mode()&iofs.ModeSymlink == 0 {
		return abs, entry, err
	}
	if _, _, ok := treeOf(abs); ok {
		return abs, entry, nil
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return abs, nil, err
	}
	entry, err = os.Stat(abs)
	return abs, entry, err
}

// treeOf returns the tree that contains a path, and the path's name in it.
func treeOf(abs string) (root, name string, ok bool) {
	root, err := fs.Find(filepath.Dir(abs))
	if err != nil {
		return "", "", false
	}
	name, ok = nameIn(root, abs)
	return root, name, ok
}

// tellPath returns err for a path as the user wrote it. Errors of the operating system contain the
// absolute path and the name of a system call.
func tellPath(path string, err error) error {
	var fault *iofs.PathError
	if errors.As(err, &fault) {
		err = fault.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
