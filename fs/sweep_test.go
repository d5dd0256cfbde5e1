//go:build linux

package fs

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// The sweeps run a writer under strace and make its system calls fail, one after the
// other. They take minutes and run only with FS_TEST_SWEEP=1.
const swept = "openat,openat2,mkdirat,write,pwrite64,fsync,fchmod,renameat,renameat2,unlinkat,ftruncate,flock,fstat,read,getdents64"

func sweep(t *testing.T) {
	t.Helper()
	if os.Getenv("FS_TEST_SWEEP") == "" {
		t.Skip("FS_TEST_SWEEP is not set")
	}
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
}

// injected runs round 2 on a copy of a tree after round 1, with one fault. It reports
// whether the fault happened.
func injected(t *testing.T, calls, fault string, k int, local bool) (tree *Tree, acked map[string]int, happened bool, stderr string) {
	t.Helper()
	tree = newTree(t)
	put(t, tree, ".forgemind/.gitignore", "")
	put(t, tree, ".quaid/.gitignore", "")
	for _, name := range []string{State, notes, ".forgemind/old.md", Config} {
		put(t, tree, name, string(numbered(1)))
	}
	for _, name := range []string{Messages, Clarifications} {
		put(t, tree, name, "{\"n\":1}\n")
	}
	if local {
		if err := tree.Update(ctx, ".quaid/after.md", set("x")); err != nil {
			t.Fatal(err)
		}
	}
	a := &actor{ended: make(chan bool)}
	log := filepath.Join(t.TempDir(), "strace")
	a.Cmd = exec.Command("strace", "-f", "-qq", "-o", log, "-e", "trace="+calls,
		"-e", fmt.Sprintf("inject=%s:%s:when=%d", calls, fault, k), os.Args[0], tree.Root(), "2")
	a.Env = append(os.Environ(), actorEnv+"=round", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")
	var out, errs strings.Builder
	a.Stdout, a.Stderr = &out, &errs
	a.Run()
	a.said = strings.Split(out.String(), "\n")
	text, _ := os.ReadFile(log)
	acked = map[string]int{"record": 1, "both": 1, "config": 1}
	heard(a, acked)
	return tree, acked, strings.Contains(string(text), "INJECTED") || strings.Contains(string(text), "killed by"), errs.String()
}

func TestKilledAtEverySystemCall(t *testing.T) {
	sweep(t)
	t.Parallel() // one process at a time
	points := 0
	for _, local := range []bool{true, false} {
		for call := range strings.SplitSeq(swept, ",") {
			for k := 1; ; k++ {
				var happened bool
				t.Run(fmt.Sprint(call, k, local), func(t *testing.T) {
					var tree *Tree
					var acked map[string]int
					tree, acked, happened, _ = injected(t, call, "signal=KILL", k, local)
					afterwards(t, tree, acked)
					onlyTornLines(t, tree)
				})
				if !happened {
					break
				}
				points++
			}
		}
	}
	t.Logf("%d points", points)
}

func TestEverySystemCallFails(t *testing.T) {
	sweep(t)
	t.Parallel() // one process at a time
	for _, errno := range []string{"EIO", "ENOSPC", "EROFS", "EACCES", "EMFILE"} {
		for call := range strings.SplitSeq(swept, ",") {
			for k := 1; ; k++ {
				var happened bool
				t.Run(fmt.Sprint(errno, call, k), func(t *testing.T) {
					var tree *Tree
					var acked map[string]int
					var stderr string
					tree, acked, happened, stderr = injected(t, call, "error="+errno, k, true)
					if strings.Contains(stderr, "panic") || strings.Contains(stderr, "fatal error") {
						return // the fault hit the Go runtime itself
					}
					afterwards(t, tree, acked)
					onlyTornLines(t, tree)
				})
				if !happened {
					break
				}
			}
		}
	}
}

// The test cuts the power: an ext4 file system on a loop device is shut down at a
// random moment without writing its journal, and mounted again.
func TestPowerCut(t *testing.T) {
	sweep(t)
	image := filepath.Join(t.TempDir(), "image")
	dir := t.TempDir()
	must := func(name string, args ...string) {
		t.Helper()
		if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v: %s", name, err, out)
		}
	}
	must("truncate", "-s", "64M", image)
	must("mkfs.ext4", "-q", image)
	cuts := 100
	if s := os.Getenv("FS_TEST_CUTS"); s != "" {
		cuts, _ = strconv.Atoi(s)
	}
	next, acked := 1, map[string]int{}
	for range cuts {
		must("mount", "-o", "loop", image, dir)
		func() {
			defer exec.Command("umount", dir).Run()
			tree, err := Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			if err := tree.Create(Forgemind, Quaid); err != nil {
				t.Fatal(err)
			}
			f := afterwards(t, tree, acked)
			next = max(f.record, f.both, f.config) + 1
			a := start(t, "session", dir, strconv.Itoa(next))
			time.Sleep(5*time.Millisecond + time.Duration(rand.IntN(60_000))*time.Microsecond)
			how := uint32(2) // EXT4_GOING_FLAGS_NOLOGFLUSH
			_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, tree.at.Fd(), 0x8004587D, uintptr(unsafe.Pointer(&how)))
			a.Process.Kill()
			<-a.ended
			a.Wait()
			a.in.Close()
			if errno != 0 {
				t.Skip("no power cut to be had: ", errno)
			}
			heard(a, acked)
		}()
	}
	must("mount", "-o", "loop", image, dir)
	defer exec.Command("umount", dir).Run()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	afterwards(t, tree, acked)
	incidents, _ := tree.Incidents()
	for _, i := range incidents {
		t.Logf("%+v", i)
	}
	t.Logf("%d cuts, %d rounds, acknowledged %v", cuts, next, acked)
}
