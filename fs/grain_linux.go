package fs

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// grainOf returns the time that a file on the file system of the file of must be
// unchanged before its stamp is trusted: two writes within one tick of the file
// system's clock have the same stamp. The file systems of Linux itself tick with the
// kernel, every 10 ms at most.
func grainOf(of *os.File) time.Duration {
	var st unix.Statfs_t
	if unix.Fstatfs(int(of.Fd()), &st) == nil {
		switch uint32(st.Type) {
		case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
			return 50 * time.Millisecond
		}
	}
	return coarseGrain
}
