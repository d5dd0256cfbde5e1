//go:build !unix

package fs

import (
	"errors"
	iofs "io/fs"
	"os"
	"syscall"
)

const (
	nonblock  = 0
	lockFlags = os.O_RDWR
)

func links(iofs.FileInfo) uint64 { return 1 }

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

func isIrregular(err error) bool { return errors.Is(err, syscall.EISDIR) }

func isCrossDevice(error) bool { return false }

func syncDir(*os.File) error { return nil }

// ended reports whether no process of this machine has the number pid.
func ended(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	p.Release()
	return false
}

// writable returns nil: on this system only a write can tell.
func writable(string) error { return nil }
