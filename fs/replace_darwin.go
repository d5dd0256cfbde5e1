package fs

import "golang.org/x/sys/unix"

const canMarkUnfinished = false

// move renames from/a to to/b as how says.
func (t *Tree) move(from *dir, a string, to *dir, b string, how moving) error {
	var flags uint32
	switch how {
	case swapping:
		flags = unix.RENAME_SWAP
	case creating:
		flags = unix.RENAME_EXCL
	}
	if t.plainMoves && how != replacing {
		return errNoSuchMove
	}
	for {
		var err error
		if how == replacing {
			err = unix.Renameat(int(from.Fd()), a, int(to.Fd()), b)
		} else {
			err = unix.RenameatxNp(int(from.Fd()), a, int(to.Fd()), b, flags)
		}
		switch {
		case err == unix.EINTR:
			continue
		case how != replacing && (err == unix.ENOSYS || err == unix.EINVAL || err == unix.ENOTSUP):
			return errNoSuchMove
		case err != nil:
			return moveError(from, a, to, b, err)
		}
		return nil
	}
}
