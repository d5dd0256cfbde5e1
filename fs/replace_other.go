//go:build !linux && !darwin

package fs

import (
	"errors"
	iofs "io/fs"
	"math/rand/v2"
	"time"
)

const canMarkUnfinished = false

// move renames from/a to to/b. This system cannot exchange files. On Windows a virus
// scanner or an indexer may hold a file open for a moment, so a refused rename is tried
// again, 10 times within 2 s.
func (t *Tree) move(from *dir, a string, to *dir, b string, how moving) error {
	if how == swapping {
		return errNoSuchMove
	}
	source, target := from.name+"/"+a, to.name+"/"+b
	for try := 0; ; try++ {
		if how == creating {
			if _, err := t.root.Lstat(target); err == nil {
				return moveError(from, a, to, b, iofs.ErrExist)
			}
		}
		err := t.root.Rename(source, target)
		if err == nil || try == 10 || !errors.Is(err, iofs.ErrPermission) {
			return err
		}
		time.Sleep(time.Duration(20+rand.IntN(20*(try+1))) * time.Millisecond)
	}
}
