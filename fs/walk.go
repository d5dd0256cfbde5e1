package fs

import (
	"errors"
	iofs "io/fs"
	"iter"
	"os"
	"slices"
	"strings"
)

// Names yields the names of all files below dir; see Reader. It also yields names that
// are not regular files, which Read refuses; it does not follow links. A directory that
// cannot be read is yielded with its error, and the walk continues. If dir is a file,
// its name is yielded; if it is missing, nothing is.
func (t *Tree) Names(dir string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if dir == "." {
			for _, folder := range folders {
				if !t.walk(folder, yield) {
					return
				}
			}
			return
		}
		if err := checkName(dir); err != nil {
			yield(dir, err)
			return
		}
		if !IsLocal(dir) {
			t.walk(dir, yield)
		}
	}
}

func (t *Tree) walk(name string, yield func(string, error) bool) bool {
	d, entries, err := list(t, name, (*os.File).ReadDir, iofs.DirEntry.Name)
	switch {
	case isNotExist(err):
		return true
	case errors.Is(err, ErrIrregular) || isNotDir(err) || errors.Is(err, errNotDir):
		return yield(name, nil)
	case d == nil:
		return yield(name, err)
	}
	d.Close()
	if err != nil && !yield(name, named(name, err)) {
		return false
	}
	// A directory sorts by its name with the slash.
	key := func(e iofs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + "/"
		}
		return e.Name()
	}
	slices.SortFunc(entries, func(a, b iofs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		below := name + "/" + e.Name()
		switch {
		case e.Name() == ".git" || IsLocal(below):
		case e.IsDir():
			if !t.walk(below, yield) {
				return false
			}
		case !yield(below, nil):
			return false
		}
	}
	return true
}

// overlay changes the names of a walk of dir: it adds names that are true in standing,
// and leaves out those that are false.
func overlay(names iter.Seq2[string, error], dir string, standing map[string]bool) iter.Seq2[string, error] {
	var extra []string
	for name, stands := range standing {
		below := dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
		if stands && below && !IsLocal(name) {
			extra = append(extra, name)
		}
	}
	slices.Sort(extra)
	return func(yield func(string, error) bool) {
		rest := extra
		for name, err := range names {
			for len(rest) > 0 && rest[0] < name {
				if !yield(rest[0], nil) {
					return
				}
				rest = rest[1:]
			}
			if len(rest) > 0 && rest[0] == name {
				rest = rest[1:]
			}
			if stands, known := standing[name]; known && !stands {
				continue
			}
			if !yield(name, err) {
				return
			}
		}
		for _, name := range rest {
			if !yield(name, nil) {
				return
			}
		}
	}
}
