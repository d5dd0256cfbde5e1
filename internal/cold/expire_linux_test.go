package cold

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// A file that cannot be read is reported and does not keep the others from expiring.
func TestWhatCannotBeLookedAtStays(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	until(t, tree, fs.Forgemind, "shut", "2026-12-20T09:00:00.000Z")
	until(t, tree, fs.Forgemind, "open", "2026-12-20T09:00:00.000Z")
	shut := Name(fs.Forgemind, "s", "shut")
	if err := os.Chmod(filepath.Join(tree.Root(), filepath.FromSlash(shut)), 0); err != nil {
		t.Fatal(err)
	}
	_, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error {
		done := make(chan struct{})
		go func() {
			defer close(done)
			runtime.LockOSThread() // Never unlocked: the thread that loses its rights ends with this test.
			if os.Geteuid() == 0 {
				syscall.Setfsuid(65534)
			}
			gone, faults, err := Expire(tx, tree, time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
			if err != nil || len(gone) != 1 || gone[0].Compaction != "open" {
				t.Errorf("it expired %+v, %v", gone, err)
			}
			if len(faults) != 1 || faults[0].Name != shut || !errors.Is(faults[0].Err, iofs.ErrPermission) {
				t.Errorf("it says %+v", faults)
			}
		}()
		<-done
		return errors.New("enough")
	})
	if err == nil {
		t.Error("it was written")
	}
}
