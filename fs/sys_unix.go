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
	// lockFlags is how a lock file is opened by its path.
	lockFlags = os.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
)

// links counts the names that a file has.
func links(fi iofs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// isNotDir says that a file stands where a directory was expected.
func isNotDir(err error) bool { return errors.Is(err, unix.ENOTDIR) }

// isIrregular says that what was to be opened is no plain file: ENXIO comes for
// sockets, and for FIFOs that nobody reads.
func isIrregular(err error) bool { return errors.Is(err, unix.ENXIO) || errors.Is(err, unix.EISDIR) }

// isCrossDevice says that two names stand on different filesystems.
func isCrossDevice(err error) bool { return errors.Is(err, unix.EXDEV) }

// ended says whether no process of this machine has the number pid.
func ended(pid int) bool { return pid > 0 && errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

// writable asks the system whether the directory at path takes new files.
func writable(path string) error { return unix.Access(path, unix.W_OK) }

// syncDir makes the names in a directory durable.
func syncDir(d *os.File) error {
	err := d.Sync()
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) { // filesystems that sync no directory
		return nil
	}
	return err
}
