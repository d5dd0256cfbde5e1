//go:build linux

package fs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The sweeps run a writer under strace and make its system calls fail, one
// after the other. They take minutes: FS_TEST_SWEEP=1 asks for them.
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

// injected runs round 2 on a copy of a tree where round 1 stands, with one
// fault. It says whether the fault came about.
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
						return // the run time itself was hit
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
