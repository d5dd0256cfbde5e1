package fs

import (
	"errors"
	"os"
	"path"
	"slices"
	"sync"
	"time"
)

// A Stamp identifies the version of a file at a name: writing the file or replacing it
// changes the stamp. Only the system sets Changed, so a stamp cannot be forged.
type Stamp struct {
	Name    string
	Size    int64
	Written int64 // when the bytes changed, nanoseconds since 1970
	Changed int64 // when the bytes or the metadata changed, nanoseconds since 1970
	Inode   uint64
	Device  uint64
}

// coarseGrain is the grain of file systems whose grain is unknown: some have ticks of
// two seconds.
const coarseGrain = 2 * time.Second

// IsSettled reports whether s, taken just now, can be trusted: while the file has this
// stamp, its bytes are the same.
func (t *Tree) IsSettled(s Stamp) bool {
	return t.Now().Sub(time.Unix(0, max(s.Written, s.Changed))) > t.grain
}

// Stamps returns the stamps of the regular files with one link in dir, sorted by name,
// and the names of all other entries except directories. A missing dir has none. The
// error is errors.ErrUnsupported if stamps are not reliable: on a file system that
// other machines change, or on a system without stamps.
func (t *Tree) Stamps(dir string) (stamps []Stamp, other []string, err error) {
	if err := checkName(dir); err != nil {
		return nil, nil, err
	}
	if _, remote := t.Remote(); remote {
		return nil, nil, errors.ErrUnsupported
	}
	d, names, err := list(t, dir, (*os.File).Readdirnames, func(name string) string { return name })
	if isNotExist(err) {
		return nil, nil, nil
	}
	if d == nil {
		return nil, nil, err
	}
	defer d.Close()
	if err != nil {
		return nil, nil, named(dir, err)
	}
	slices.Sort(names)
	stamps = make([]Stamp, 0, len(names))
	for i, t := range takeAll(d, names) {
		name := dir + "/" + names[i]
		switch {
		case isNotExist(t.err) || t.kind == aDirectory:
		case t.err != nil:
			return nil, nil, named(name, t.err)
		case t.kind == aFile:
			t.stamp.Name = name
			stamps = append(stamps, t.stamp)
		default:
			other = append(other, name)
		}
	}
	return stamps, other, nil
}

// Stamps is Tree.Stamps of the transaction's tree. Names that the transaction stages,
// or has published, have no stamps; those in dir are returned in other.
func (tx *Tx) Stamps(dir string) (stamps []Stamp, other []string, err error) {
	stamps, other, err = tx.tree.Stamps(dir)
	if err != nil {
		return nil, nil, err
	}
	own := tx.namesBelow(dir)
	stamps = slices.DeleteFunc(stamps, func(s Stamp) bool { _, ok := own[s.Name]; return ok })
	other = slices.DeleteFunc(other, func(name string) bool { _, ok := own[name]; return ok })
	for name, stands := range own {
		if stands && path.Dir(name) == dir {
			other = append(other, name)
		}
	}
	slices.Sort(other)
	return stamps, other, nil
}

// StampsBelow returns, as Stamps does, the stamps of the regular files with one link
// that have one of the names bases in a directory of dir, sorted by name. In other it
// returns the names of entries so called that are no such files and no directories, or
// that cannot be read.
func (t *Tree) StampsBelow(dir string, bases ...string) (stamps []Stamp, other []string, err error) {
	if err := checkName(dir); err != nil {
		return nil, nil, err
	}
	if _, remote := t.Remote(); remote {
		return nil, nil, errors.ErrUnsupported
	}
	d, err := t.openDir(dir)
	if isNotExist(err) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	if err != nil {
		return nil, nil, named(dir, err)
	}
	names := make([]string, 0, len(entries)*len(bases))
	for _, e := range entries {
		for _, base := range bases {
			name := e.Name() + "/" + base
			if e.IsDir() && checkName(dir+"/"+name) == nil {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	stamps = make([]Stamp, 0, len(names))
	for i, t := range takeAll(d, names) {
		name := dir + "/" + names[i]
		switch {
		case errors.Is(t.err, errors.ErrUnsupported):
			return nil, nil, t.err
		case isNotExist(t.err) || t.err == nil && t.kind == aDirectory:
		case t.err == nil && t.kind == aFile:
			t.stamp.Name = name
			stamps = append(stamps, t.stamp)
		default:
			other = append(other, name)
		}
	}
	return stamps, other, nil
}

// A taking is the stamp of one name, or the error of taking it.
type taking struct {
	stamp Stamp
	kind  int
	err   error
}

// takeAll takes the stamps of names in a directory, in two goroutines.
func takeAll(d *dir, names []string) []taking {
	taken := make([]taking, len(names))
	var wg sync.WaitGroup
	fd := d.Fd()
	half := len(names) / 2
	wg.Go(func() { take(fd, names[:half], taken[:half]) })
	take(fd, names[half:], taken[half:])
	wg.Wait()
	return taken
}

func take(dir uintptr, names []string, to []taking) {
	for i, base := range names {
		to[i].stamp, to[i].kind, to[i].err = stampAt(dir, base)
	}
}

// The kinds of files that a stamp distinguishes.
const (
	anything = iota
	aFile
	aDirectory
)

// WriteDerived is WriteLocal for data that is computed from documents and may be lost. It creates
// the missing folder in `.local/`.
func (t *Tree) WriteDerived(name string, data []byte) error {
	if !IsLocal(name) {
		return notExist(name)
	}
	if ok, err := t.makeLocal(folderOf(name)); !ok || err != nil {
		return err
	}
	d, err := t.makeDirs(path.Dir(name))
	if err != nil {
		return err
	}
	d.Close()
	return t.WriteLocal(name, data)
}
