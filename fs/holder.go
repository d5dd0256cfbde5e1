package fs

import (
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// A Holder is a process that has the write lock.
type Holder struct {
	PID   int
	Since time.Time
}

// Writer says who has the write lock of a folder of the tree just now; false:
// nobody has. It changes nothing.
func (t *Tree) Writer() (Holder, bool) {
	for _, folder := range folders {
		if !t.taken(LocalName(folder, lockFile)) {
			continue
		}
		text, err := t.Read(LocalName(folder, holderFile))
		if r, ok := parseRecord(string(text)); err == nil && ok {
			return Holder{r.pid, r.since}, true
		}
		return Holder{}, true
	}
	return Holder{}, false
}

// Watched says whether a process holds the tree's WatchLock.
func (t *Tree) Watched() bool {
	for _, folder := range folders {
		if t.taken(LocalName(folder, watchLockFile)) {
			return true
		}
	}
	return false
}

// taken says whether somebody has the lock file name. It asks by taking it for
// a moment, shared, so that two who ask do not see each other.
func (t *Tree) taken(name string) bool {
	standing, err := t.lookLock(name, os.O_RDONLY)
	if err != nil {
		return false
	}
	f := flock.New(filepath.Join(t.path, filepath.FromSlash(name)), flock.SetFlag(lockFlags&^os.O_RDWR))
	defer f.Close()
	if free, err := f.TryRLock(); free || err != nil {
		return false
	}
	asked, err := f.Stat()
	return err == nil && os.SameFile(asked, standing)
}

// Jot writes a small file of `.local/` for other processes of the running
// system to read: whole, but neither locked nor made durable. A tree without
// its folder is left as it is.
//
// Who takes the lock may clear stage/ away under a Jot that has none: it is
// written again then, and no error if that goes on.
func (t *Tree) Jot(name string, data []byte) error {
	if !IsLocal(name) {
		return notExist(name)
	}
	for range 3 {
		if ok, err := t.makeLocal(folderOf(name)); !ok || err != nil {
			return err
		}
		if err := t.jot(name, data); !isNotExist(err) {
			return err
		}
	}
	return nil
}

func (t *Tree) jot(name string, data []byte) error {
	stage, err := t.makeDirs(LocalName(folderOf(name), stageDir))
	if err != nil {
		return err
	}
	stage.Close()
	temp := stage.name + "/" + ownName(name, data)
	if err := t.createFile(temp, data, 0o600); err != nil {
		return err
	}
	t.step("staged", name)
	err = t.root.Rename(temp, name)
	if isNotExist(err) {
		var d *dir
		if d, err = t.makeDirs(path.Dir(name)); err == nil {
			d.Close()
			err = t.root.Rename(temp, name)
		}
	}
	if err != nil {
		t.root.Remove(temp)
		return named(name, err)
	}
	return nil
}
