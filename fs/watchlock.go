package fs

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// WatchLock takes the lock for the single watcher of a tree, without waiting. The error
// is ErrBusy if another watcher has it. The kernel releases it when the process ends.
func (t *Tree) WatchLock() (unlock func(), err error) {
	for _, folder := range folders {
		ok, err := t.makeLocal(folder)
		if err != nil {
			return nil, err
		}
		if ok {
			return t.watchLock(folder)
		}
	}
	return nil, fmt.Errorf("%s: %w", t.path, ErrNoTree)
}

func (t *Tree) watchLock(folder string) (func(), error) {
	name := LocalName(folder, watchLockFile)
	if err := t.createFile(name, nil, 0o600); err != nil {
		return nil, err
	}
	if _, err := t.lookLock(name, os.O_RDWR); err != nil {
		return nil, err
	}
	f := flock.New(filepath.Join(t.path, filepath.FromSlash(name)), flock.SetFlag(lockFlags))
	locked, err := f.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	if !locked {
		f.Close()
		return nil, fmt.Errorf("%w: another process watches %s", ErrBusy, t.path)
	}
	held, err := f.Stat()
	if err == nil {
		var standing os.FileInfo
		if standing, err = t.lookLock(name, os.O_RDWR); err == nil && !os.SameFile(held, standing) {
			err = fmt.Errorf("%s: %w", name, ErrIrregular)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
