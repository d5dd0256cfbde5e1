package fs

import (
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func mountSmall(t *testing.T, dir string) error {
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k")
	if err == nil {
		t.Cleanup(func() { syscall.Unmount(dir, unix.MNT_DETACH) })
	}
	return err
}

// unprivileged gives the thread of this test the rights of the user nobody. The thread
// ends with the test.
func unprivileged(t *testing.T) error {
	runtime.LockOSThread()
	if _, _, e := syscall.RawSyscall(unix.SYS_SETFSUID, 65534, 0, 0); e != 0 {
		return e
	}
	t.Cleanup(func() { syscall.RawSyscall(unix.SYS_SETFSUID, 0, 0, 0) })
	return nil
}
