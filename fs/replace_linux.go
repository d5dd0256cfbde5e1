package fs

import "golang.org/x/sys/unix"

// unfinished marks a file that is still being written: the sticky bit, which
// means nothing on a file and leaves when its final mode is set.
const canMarkUnfinished = true

// move gives the file from/a the name to/b in the given way.
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
