package fs

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// A directory that cannot be looked at is not taken for one that is gone.
func TestRemoveDirWhereNobodyMayLook(t *testing.T) {
	dir := t.TempDir()
	shut := filepath.Join(dir, "shut")
	if err := os.MkdirAll(filepath.Join(shut, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shut, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(shut, 0o755) })
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: who may do everything is somebody else on this thread, which ends with it
		if os.Geteuid() == 0 {
			syscall.Setfsuid(65534)
		}
		out, err := OpenOutside(dir)
		if err != nil {
			failed <- err
			return
		}
		defer out.Close()
		if err := out.RemoveDir("never"); err != nil {
			t.Errorf("what is not there: %v", err)
		}
		failed <- out.RemoveDir("shut/empty")
	}()
	if err := <-failed; !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it says %v", err)
	}
}
