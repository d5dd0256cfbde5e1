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

// Targets are what a command line names to be judged.
type targets struct {
	trees []treeTarget
	files []string // absolute paths of files to be judged by themselves
}

// A treeTarget is a tree, or a part of one.
type treeTarget struct {
	root  string // the project directory
	below string // the Name of a folder; "" is the whole tree
	named bool   // the command line names it, so it is judged whatever it is
}

// targets says what the PATHs name; without any, the tree of the command.
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

// addFolder adds what a directory stands for: the tree in it or the part of a
// tree it is, else the trees below it, else the documents below it.
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
	if len(trees) == 0 && !inTree { // a project's other JSON files are no documents
		t.files = append(t.files, files...)
	}
	return err
}

// below lists the trees, and the JSON and JSONL files outside trees, below a
// directory. Version control and hidden folders are passed over.
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

// nameIn is the Name of a path in one of the two folders of the tree at root.
func nameIn(root, path string) (string, bool) {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return "", false
	}
	name := filepath.ToSlash(rel)
	folder, _, _ := strings.Cut(name, "/")
	return name, folder == fs.Forgemind || folder == fs.Quaid
}

// meant is what a path leads to: who names a link means what stands behind it.
// Within a tree a link stays one, for the rules to refuse.
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

// treeOf finds the tree that a path stands in, in one of its two folders, and
// its Name there.
func treeOf(abs string) (root, name string, ok bool) {
	root, err := fs.Find(filepath.Dir(abs))
	if err != nil {
		return "", "", false
	}
	name, ok = nameIn(root, abs)
	return root, name, ok
}

// tellPath is err about a path as the user wrote it, without the absolute path
// and the name of a system call that the operating system's errors carry.
func tellPath(path string, err error) error {
	var fault *iofs.PathError
	if errors.As(err, &fault) {
		err = fault.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
