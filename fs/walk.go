package fs

import (
	"errors"
	iofs "io/fs"
	"iter"
	"os"
	"slices"
	"strings"
)

// Names yields the names of all files below dir; see Reader. What is no regular
// file is yielded too, for Read to refuse; links are not followed. A directory
// that cannot be read is yielded with its error, and the walk goes on. Of a
// name that is a file itself, that name is yielded; of a missing one nothing.
// What programs leave beside documents, and copies of files that are there, are
// passed over; see PassedOver.
func (t *Tree) Names(dir string) iter.Seq2[string, error] { return t.files(dir, t.isPassedOver) }

func (t *Tree) isPassedOver(name string) bool {
	_, over := PassedOver(t, name)
	return over
}

// files is Names that leaves out what over reports.
func (t *Tree) files(dir string, over func(name string) bool) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		if dir == "." {
			for _, folder := range folders {
				if !t.walk(folder, over, yield) {
					return
				}
			}
			return
		}
		if err := admit(dir); err != nil {
			yield(dir, err)
			return
		}
		if !IsLocal(dir) {
			t.walk(dir, over, yield)
		}
	}
}

func (t *Tree) walk(name string, over func(string) bool, yield func(string, error) bool) bool {
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
	// A directory sorts as its names do: with the slash.
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
		case e.IsDir() && over(below+"/"):
		case e.IsDir():
			if !t.walk(below, over, yield) {
				return false
			}
		case over(below):
		case !yield(below, nil):
			return false
		}
	}
	return true
}

// overlay changes which names a walk of dir yields: those of standing that are
// true come, those that are false don't.
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
