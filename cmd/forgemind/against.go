package main

import (
	"fmt"
	iofs "io/fs"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
)

// compare adds what was lost or changed since --against: a revision, or a file
// that holds an earlier State.
func (j *judgement) compare(found targets) error {
	against := j.c.String("against")
	earlier, err := j.earlierState(against)
	if err != nil {
		return err
	}
	if len(found.trees)+len(found.files) != 1 {
		return &usageError{fmt.Sprintf("%s: --against compares one tree or one file, %d are named", j.c.Command.HelpName, len(found.trees)+len(found.files)), ""}
	}
	if len(found.trees) == 1 {
		return j.compareTree(found.trees[0], against, earlier)
	}
	return j.compareFile(found.files[0], against, earlier)
}

func (j *judgement) compareTree(t treeTarget, against string, earlier fs.Reader) error {
	tree, err := fs.Open(t.root)
	if err != nil {
		return err
	}
	defer tree.Close()
	if earlier == nil {
		revision, err := git.At(j.c.Context, t.root, against)
		if err != nil {
			return withHint(err, "--against takes a git revision, or a file with an earlier State")
		}
		defer revision.Close()
		earlier = revision
	}
	docs, done, err := j.documents(tree)
	if err != nil {
		return err
	}
	defer done()
	findings, err := validate.Against(earlier, docs)
	if err != nil {
		return err
	}
	j.add(t.root, validate.Report{Findings: findings}, func(string) bool { return true })
	return nil
}

// removedTree returns the project directory of the tree that held a directory at
// --against and does not now; err where there was none.
func (j *judgement) removedTree(dir string, err error) (string, error) {
	dir, noDir := j.abs(dir)
	for noDir == nil {
		revision, unknown := git.At(j.c.Context, dir, j.c.String("against"))
		if unknown != nil {
			break // dir lies in no repository, or git does not know the revision
		}
		defer revision.Close()
		for range revision.Names(".") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// compareFile compares a State by itself with an earlier one.
func (j *judgement) compareFile(file, against string, earlier fs.Reader) error {
	if earlier == nil {
		root, err := fs.Find(filepath.Dir(file))
		if err != nil {
			return withHint(fmt.Errorf("%s: it is no file, and %s stands in no tree", against, j.shown(file)),
				"--against takes a git revision, or a file with an earlier State")
		}
		return j.compareTree(treeTarget{root: root}, against, nil)
	}
	src, err := readFile(file, j.documents)
	if err != nil {
		return tellPath(j.shown(file), err)
	}
	findings, err := validate.Against(earlier, documents{fs.State: src})
	if err != nil {
		return err
	}
	for _, f := range findings {
		f.File = j.shown(file)
		j.report.Findings = append(j.report.Findings, f)
	}
	return nil
}

// earlierState is the State in the file that against names, nil if it names none.
func (j *judgement) earlierState(against string) (fs.Reader, error) {
	abs, err := j.abs(against)
	if err != nil {
		return nil, err
	}
	abs, entry, err := meant(abs)
	if err != nil || !entry.Mode().IsRegular() {
		return nil, nil // then it is a revision
	}
	src, err := readFile(abs, onDisk)
	if err != nil {
		return nil, tellPath(against, err)
	}
	return documents{fs.State: src}, nil
}

// readFile reads a file by its absolute path, as documents has the directory that it stands
// in.
func readFile(file string, documents func(*fs.Tree) (fs.Reader, func(), error)) ([]byte, error) {
	dir, err := fs.Open(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	docs, done, err := documents(dir)
	if err != nil {
		return nil, err
	}
	defer done()
	return docs.Read(filepath.Base(file))
}

// onDisk gives a tree as it stands.
func onDisk(tree *fs.Tree) (fs.Reader, func(), error) { return tree, func() {}, nil }

// Documents are a Reader of what is in memory.
type documents map[string][]byte

func (d documents) Read(name string) ([]byte, error) {
	if src, ok := d[name]; ok {
		return src, nil
	}
	return nil, fmt.Errorf("%s: %w", name, iofs.ErrNotExist)
}

func (d documents) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, name := range slices.Sorted(maps.Keys(d)) {
			if (dir == "." || strings.HasPrefix(name, dir+"/")) && !yield(name, nil) {
				return
			}
		}
	}
}
