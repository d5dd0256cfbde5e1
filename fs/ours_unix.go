//go:build unix

package fs

import (
	iofs "io/fs"
	"os"
	"syscall"
)

// ownedByUs reports whether a file belongs to this user or to the system.
func ownedByUs(fi iofs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return !ok || st.Uid == 0 || int(st.Uid) == os.Geteuid()
}
