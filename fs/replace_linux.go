package fs

import "golang.org/x/sys/unix"

// canMarkUnfinished is true if the sticky bit can mark files that are still being
// written. The bit has no meaning on a file, and is removed when the final mode is set.
const canMarkUnfinished = true

// move renames from/a to to/b as how says.
func (t *Tree) move(from *dir, a string, to *dir, b string, how moving) error {
	var flags uint
	switch how {
	case swapping:
		flags = unix.RENAME_EXCHANGE
	case creating:
		flags = unix.RENAME_NOREPLACE
	}
	if t.plainMoves && how != replacing {
		return errNoSuchMove
	}
	for {
		err := unix.Renameat2(int(from.Fd()), a, int(to.Fd()), b, flags)
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
