//go:build unix

package fs

import (
	"errors"
	iofs "io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	nonblock = unix.O_NONBLOCK
	// lockFlags are the flags for opening a lock file by its path.
	lockFlags = os.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
)

// links returns the number of links to a file.
func links(fi iofs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// isNotDir reports whether err means that a file is at the place of a directory.
func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// isIrregular reports whether err means that the name is not a regular file: ENXIO is
// returned for sockets, and for FIFOs without a reader.
func isIrregular(err error) bool { return errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EISDIR) }

// isCrossDevice reports whether err means that two names are on different file systems.
func isCrossDevice(err error) bool { return errors.Is(err, unix.EXDEV) }

// ended reports whether no process of this machine has the number pid.
func ended(pid int) bool { return pid > 0 && errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// writable returns an error unless the system allows new files in the directory path.
func writable(path string) error { return unix.Access(path, unix.W_OK) }

// syncDir makes the entries of a directory durable.
func syncDir(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) { // the file system cannot sync directories
		return nil
	}
	return err
}
