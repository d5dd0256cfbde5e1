//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// On a disk that is full, at whatever moment it becomes so, a command is done,
// or it fails with exit 3 and everything is as it was.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=2m"); err != nil {
		t.Skipf("SKIPPED: a small filesystem cannot be mounted here: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	found := map[string]int{}
	for _, c := range disturbed {
		tr := c.rehearse(t)
		for free := range 40 { // pages of 4 KiB
			where := filepath.Join(disk, fmt.Sprintf("%d", free))
			dir := filepath.Join(where, "tree")
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := copyInto(tr.dir, dir); err != nil {
				t.Fatal(err)
			}
			filler := filepath.Join(disk, "filler")
			fill(t, disk, filler, free)
			r := forgemind(t, dir, tr.args...)
			if err := os.Remove(filler); err != nil {
				t.Fatal(err)
			}
			how := fmt.Sprintf("%d pages free: %v", free, r)
			at, after := tr.judge(t, &broken{what: how, dir: dir, run: r})
			os.RemoveAll(where)
			found[fmt.Sprint("exit ", r.code, ", then ", after)]++
			switch {
			case r.code == 0 && at != did:
				t.Errorf("%s: acknowledged, but it is %s", how, at)
			case r.code != 0 && (r.code != 3 || !strings.Contains(r.err, "no space left on device")):
				t.Errorf("%s: not exit 3 with the cause", how)
			}
		}
	}
	t.Log(found)
	if found["exit 0, then done"] == 0 || found["exit 3, then undone"] == 0 {
		t.Error("the disk was always full, or never")
	}
}

// fill leaves so many pages of the disk.
func fill(t *testing.T, disk, filler string, free int) {
	t.Helper()
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var st syscall.Statfs_t
	if err := syscall.Statfs(disk, &st); err != nil {
		t.Fatal(err)
	}
	page := make([]byte, st.Bsize)
	for range int(st.Bfree) - free {
		if _, err := f.Write(page); err != nil {
			t.Fatal(err)
		}
	}
}

// Where the list of users or git cannot be read nobody knows who acts: the command
// is refused, names what failed, and changes nothing.
func TestAuthorUnknownToTheSystem(t *testing.T) {
	needs(t, "strace")
	dir := newDir(t)
	git(t, dir, "init", "-q")
	succeed(t, dir, "init")
	var env []string
	for _, e := range os.Environ() {
		if name, _, _ := strings.Cut(e, "="); !slices.Contains([]string{"GIT_AUTHOR_NAME", "USER", "LOGNAME", "USERNAME"}, name) {
			env = append(env, e)
		}
	}
	gitPath, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range []struct{ path, inject, says string }{
		{"/etc/passwd", "openat:error=EMFILE", "open /etc/passwd: too many open files"},
		{gitPath, "execve:error=EMFILE", "fork/exec " + gitPath + ": too many open files"},
	} {
		before := look(t, dir, &comparison{})
		cmd := command(dir, "question", "ask", "Which key?")
		cmd.Env = env
		r := execute(t, strace(cmd, os.DevNull, "-P", fault.path, "-e", "inject="+fault.inject), 2*hang)
		if r.code != 3 || !strings.Contains(r.err, fault.says) {
			t.Errorf("%s fails: %v", fault.path, r)
		}
		if now := look(t, dir, &comparison{}); !slices.Equal(now, before) {
			t.Errorf("%s fails: the tree is now\n%s", fault.path, now.without(before))
		}
	}
}
