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

// Writer returns the process that has the write lock of a folder of the tree now. It
// returns false if no process has it. It changes nothing.
func (t *Tree) Writer() (Holder, bool) {
	for _, folder := range folders {
		if !t.isLocked(LocalName(folder, lockFile)) {
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

// Watched reports whether a process holds the tree's WatchLock.
func (t *Tree) Watched() bool {
	for _, folder := range folders {
		if t.isLocked(LocalName(folder, watchLockFile)) {
			return true
		}
	}
	return false
}

// isLocked reports whether a process has the lock file name. It tries to take a shared
// lock for a moment, so that two callers do not see each other.
func (t *Tree) isLocked(name string) bool {
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

// WriteLocal writes a small file of `.local/` for other processes of the running system.
// Readers see it whole; it is written without the lock and is not made durable. WriteLocal
// does nothing if the tree has no such folder.
//
// The holder of the lock may clear stage/ during WriteLocal, which then writes the file again;
// it gives up without an error if that happens repeatedly.
func (t *Tree) WriteLocal(name string, data []byte) error {
	if !IsLocal(name) {
		return notExist(name)
	}
	for range 3 {
		if ok, err := t.makeLocal(folderOf(name)); !ok || err != nil {
			return err
		}
		if err := t.writeLocal(name, data); !isNotExist(err) {
			return err
		}
	}
	return nil
}

func (t *Tree) writeLocal(name string, data []byte) error {
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
