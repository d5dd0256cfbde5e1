package hook

import (
	"errors"
	iofs "io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// shut makes a file or a folder below dir unreadable for the rest of the test. If the test
// runs as root, it continues as another user. The result makes it readable again.
func shut(t *testing.T, dir, name string) (open func()) {
	t.Helper()
	if os.Geteuid() == 0 {
		err := filepath.WalkDir(dir, func(path string, _ iofs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, 65534, 65534))
		})
		if err != nil {
			t.Fatal(err)
		}
		runtime.LockOSThread() // for good: the thread ends with the test
		syscall.Setfsuid(65534)
		t.Cleanup(func() { syscall.Setfsuid(0) })
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	open = func() { os.Chmod(path, 0o755) }
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(open)
	return open
}

// TestReceiptsThatMayNotBeRead: who cannot see whether something was noted neither
// installs nor uninstalls, and leaves everything as it is. Who only looks needs no notes.
func TestReceiptsThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"home/.local", "home/.local/state/forgemind/installed"} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.write("project/.claude/settings.json", "{ }")
			original := p.all()
			wish := InstallRequest{Agents: []string{"claude", "codex"}, Scope: Project}
			p.do(Install, wish)
			installed := p.all()
			open := shut(t, p.dir, name)
			for _, plan := range []func(Machine, InstallRequest) (*Plan, error){Install, Uninstall} {
				_, err := plan(p.world(), wish)
				var fault *FileError
				if !errors.As(err, &fault) || !strings.HasPrefix(fault.File, filepath.Join(p.dir, "home/.local/state/forgemind")) ||
					!strings.HasPrefix(fault.Msg, "permission denied; nothing was changed") || !strings.Contains(fault.Hint, "XDG_STATE_HOME") {
					t.Error(err)
				}
			}
			if status, err := Look(p.world(), wish); err != nil || status[0].State != Installed {
				t.Errorf("%+v, %v", status, err)
			}
			if now := p.all(); now != installed {
				t.Errorf("something changed:\n%s", Diff("all", []byte(installed), []byte(now)))
			}
			open()
			p.do(Uninstall, wish)
			if now := p.all(); now != original {
				t.Errorf("it is not as it was:\n%s", Diff("all", []byte(original), []byte(now)))
			}
		})
	}
}

// TestFoldersThatMayNotBeRead: a folder that was created is not forgotten because its parent
// is unreadable.
func TestFoldersThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	wish := InstallRequest{Agents: []string{"gemini"}, Scope: Project, Roles: true}
	made := p.do(Install, wish)
	agents := filepath.Join(p.dir, "project/.gemini/agents")
	if !slices.Contains(made.receipts.Dirs, agents) {
		t.Fatal(made.receipts.Dirs)
	}
	open := shut(t, p.dir, "project/.gemini")
	plan, err := Install(p.world(), InstallRequest{Agents: []string{"codex"}, Scope: Project, HooksOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	plan.Do()
	plan.Close()
	if len(plan.Faults) > 0 || !slices.Contains(plan.receipts.Dirs, agents) {
		t.Errorf("%v; the folders are %q", plan.Faults, plan.receipts.Dirs)
	}
	open()
	p.do(Uninstall, InstallRequest{Scope: Project})
	if _, err := os.Lstat(filepath.Dir(agents)); !errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("its folder: %v", err)
	}
}

// TestAgentsThatMayNotBeRead: an agent with an unreadable folder does not count as unused.
func TestAgentsThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write("project/.github/copilot-instructions.md", "# Ours\n")
	shut(t, p.dir, "project/.github")
	made := p.do(Install, InstallRequest{Scope: Project})
	if len(made.Faults) != 1 || !strings.Contains(made.Faults[0].Error(), "/project/.github/") {
		t.Errorf("%v, skipped %v", made.Faults, made.Skipped)
	}
}
