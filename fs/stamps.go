package fs

import (
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Stamp says which version of a file stands at a name: whoever writes the
// file, or puts another one there, changes it. Nobody but the system sets
// Changed, so that a stamp can't be forged.
type Stamp struct {
	Name    string
	Size    int64
	Written int64 // when its bytes changed, nanoseconds since 1970
	Changed int64 // when anything of it changed, likewise
	Inode   uint64
	Device  uint64
}

// coarseGrain is the grain of file systems of which nothing better is known: some
// tick in two seconds.
const coarseGrain = 2 * time.Second

// Settled says whether a stamp that was just taken can be believed: as long as
// the file has it, its bytes are the same.
func (t *Tree) Settled(s Stamp) bool {
	return t.Now().Sub(time.Unix(0, max(s.Written, s.Changed))) > t.grain
}

// Stamps gives the stamps of the regular files of one link that stand in dir,
// sorted by name, and the names of what else is there but directories. It passes over
// what Names does. A missing dir has none. It is errors.ErrUnsupported where stamps
// would prove nothing: on a file system that others change, or a system without them.
func (t *Tree) Stamps(dir string) (stamps []Stamp, other []string, err error) {
	stamps, other, err = t.StampsOfAll(dir)
	return slices.DeleteFunc(stamps, func(s Stamp) bool { return strings.HasSuffix(s.Name, "/") }), other, err
}

// StampsOfAll is Stamps with the directories in dir: their Names end in a slash, and their stamps change
// with the names in them.
func (t *Tree) StampsOfAll(dir string) (stamps []Stamp, other []string, err error) {
	taken, err := t.takeIn(dir)
	if err != nil {
		return nil, nil, err
	}
	stamps = make([]Stamp, 0, len(taken))
	for _, t := range taken {
		switch t.kind {
		case aDirectory:
			t.stamp.Name += "/"
			stamps = append(stamps, t.stamp)
		case aFile:
			stamps = append(stamps, t.stamp)
		default:
			other = append(other, t.stamp.Name)
		}
	}
	return stamps, other, nil
}

// takeIn takes the stamps of all that stands in dir, sorted by name.
func (t *Tree) takeIn(dir string) ([]taking, error) {
	if err := admit(dir); err != nil {
		return nil, err
	}
	if _, remote := t.Remote(); remote {
		return nil, errors.ErrUnsupported
	}
	d, names, err := list(t, dir, (*os.File).Readdirnames, func(name string) string { return name })
	if isNotExist(err) {
		return nil, nil
	}
	if d == nil {
		return nil, err
	}
	defer d.Close()
	if err != nil {
		return nil, named(dir, err)
	}
	slices.Sort(names)
	names = slices.DeleteFunc(names, func(base string) bool { return t.isPassedOver(dir + "/" + base) })
	var taken []taking
	for i, t := range takeAll(d, names) {
		t.stamp.Name = dir + "/" + names[i]
		switch {
		case isNotExist(t.err):
		case t.err != nil:
			return nil, named(t.stamp.Name, t.err)
		default:
			taken = append(taken, t)
		}
	}
	return taken, nil
}

// StampOf returns the stamp of the regular file of one link at name, as Stamps does: of a file that is missing
// it has nothing but the Name. One that cannot be believed yet, see Settled, has no time, and so has that of
// something else, which has the size -1.
func (t *Tree) StampOf(name string) (Stamp, error) {
	if err := admit(name); err != nil {
		return Stamp{}, err
	}
	if _, remote := t.Remote(); remote {
		return Stamp{}, errors.ErrUnsupported
	}
	d, err := t.openDir(path.Dir(name))
	if isNotExist(err) {
		return Stamp{Name: name}, nil
	}
	if err != nil {
		return Stamp{}, err
	}
	defer d.Close()
	s, kind, err := stampAt(d.Fd(), path.Base(name))
	switch {
	case isNotExist(err):
		return Stamp{Name: name}, nil
	case err != nil:
		return Stamp{}, named(name, err)
	case kind != aFile:
		return Stamp{Name: name, Size: -1}, nil
	case !t.Settled(s):
		return Stamp{Name: name, Size: s.Size}, nil
	}
	s.Name = name
	return s, nil
}

// Stamps is that of the tree. Names that the transaction stages, or has published, have no
// stamps: those that stand in dir are among the others.
func (tx *Tx) Stamps(dir string) (stamps []Stamp, other []string, err error) {
	stamps, other, err = tx.tree.Stamps(dir)
	if err != nil {
		return nil, nil, err
	}
	own := tx.standing(dir)
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

// StampsBelow gives the stamps of the regular files of one link that have one of
// the bases in a directory of dir, sorted by name, as Stamps does, and the names of
// what else is called so and is no directory, or cannot be looked at. It passes over the
// directories that Names does.
func (t *Tree) StampsBelow(dir string, bases ...string) (stamps []Stamp, other []string, err error) {
	if err := admit(dir); err != nil {
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
		if !e.IsDir() || t.isPassedOver(dir+"/"+e.Name()+"/") {
			continue
		}
		for _, base := range bases {
			if name := e.Name() + "/" + base; admit(dir+"/"+name) == nil {
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

// A taking is the stamp of one name before it is known what stands there.
type taking struct {
	stamp Stamp
	kind  int
	err   error
}

// takeAll takes the stamps of names in a directory, half of them each on two
// processors.
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

// What a stamp is taken of.
const (
	anything = iota
	aFile
	aDirectory
)

// Derive is Jot for what is worked out from documents and may be lost: the
// folder of `.local/` that it stands in is made.
func (t *Tree) Derive(name string, data []byte) error {
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
	return t.Jot(name, data)
}
