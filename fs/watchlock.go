package fs

import (
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"
)

// WatchLock takes the lock that one watcher of a tree holds, without waiting:
// ErrBusy where another has it. The kernel gives it back when the process ends.
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
	f, err := t.lockFile(LocalName(folder, watchLockFile), func(f *flock.Flock) error {
		locked, err := f.TryLock()
		if err == nil && !locked {
			err = fmt.Errorf("%w: another process watches %s", ErrBusy, t.path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return func() { unlock(f) }, nil
}

// lockFile locks the file name with lock. It makes the file if it is missing.
func (t *Tree) lockFile(name string, lock func(*flock.Flock) error) (*flock.Flock, error) {
	if err := t.createFile(name, nil, 0o600); err != nil {
		return nil, err
	}
	if _, err := t.lookLock(name, os.O_RDWR); err != nil {
		return nil, err
	}
	f := t.flockOf(name)
	err := lock(f)
	if errors.Is(err, ErrBusy) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", name, err)
	}
	ours, err := t.isLockFile(f, name)
	if err == nil && !ours {
		err = fmt.Errorf("%s: %w", name, ErrIrregular)
	}
	if err != nil {
		unlock(f)
		return nil, err
	}
	return f, nil
}
