//go:build linux || darwin

package fs

import (
	iofs "io/fs"

	"golang.org/x/sys/unix"
)

// stampAt returns the stamp of base in an open directory.
func stampAt(dir uintptr, base string) (Stamp, int, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(dir), base, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return Stamp{}, anything, &iofs.PathError{Op: "stat", Path: base, Err: err}
		}
		break
	}
	s := Stamp{
		Size:    st.Size,
		Written: unix.TimespecToNsec(st.Mtim),
		Changed: unix.TimespecToNsec(st.Ctim),
		Inode:   st.Ino,
		Device:  uint64(st.Dev),
	}
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFDIR:
		return s, aDirectory, nil
	case st.Mode&unix.S_IFMT == unix.S_IFREG && st.Nlink == 1:
		return s, aFile, nil
	}
	return s, anything, nil
}
