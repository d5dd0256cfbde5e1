//go:build linux

package faults_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

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
		before := look(t, dir, &sight{})
		cmd := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-P", fault.path, "-e", "inject="+fault.inject, program, "question", "ask", "Which key?")
		cmd.Dir, cmd.Env = dir, env
		r := execute(t, cmd, 2*hang)
		if r.code != 3 || !strings.Contains(r.err, fault.says) {
			t.Errorf("%s fails: %v", fault.path, r)
		}
		if now := look(t, dir, &sight{}); !slices.Equal(now, before) {
			t.Errorf("%s fails: the tree is now\n%s", fault.path, now.without(before))
		}
	}
}
