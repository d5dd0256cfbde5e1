package session_test

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
)

// If a session is unreadable, Elsewhere returns an error instead of false.
func TestElsewhereWhereNobodyMayLook(t *testing.T) {
	tree := planted(t, map[string]string{
		session.Window("conv-1"): `{"msg_id":"here","content":"c"}` + "\n",
		session.Window("conv-2"): `{"msg_id":"there","content":"c"}` + "\n",
	})
	shut := filepath.Dir(filepath.Join(tree.Root(), filepath.FromSlash(session.Window("conv-2"))))
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
		_, err := session.Elsewhere(tree, tree, "conv-1")
		failed <- err
	}()
	if err := <-failed; !errors.Is(err, iofs.ErrPermission) {
		t.Errorf("it says %v", err)
	}
}
