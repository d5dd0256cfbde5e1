//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// strace returns a command that runs cmd under strace, which writes its log to a file.
func strace(cmd *exec.Cmd, log string, options ...string) *exec.Cmd {
	traced := exec.Command("strace", slices.Concat([]string{"-f", "-qq", "-o", log}, options, cmd.Args)...)
	traced.Dir, traced.Env, traced.Stdin, traced.Stdout = cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout
	return traced
}

// underStrace returns a command that runs cmd under strace, which logs a system call and does
// to it what inject says. Calls are counted by thread: cmd has as few of them as possible.
func underStrace(cmd *exec.Cmd, log, call, inject string) *exec.Cmd {
	options := []string{"-y", "-s", "0", "-e", "trace=" + call}
	if inject != "" {
		options = append(options, "-e", "inject="+call+":"+inject)
	}
	traced := strace(cmd, log, options...)
	traced.Env = append(cmd.Environ(), "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")
	return traced
}

// tally returns how often a thread made each of the calls, by a log of strace.
func tally(t *testing.T, log string, calls []string) map[string]int {
	t.Helper()
	by, most := map[string]int{}, map[string]int{}
	for line := range strings.Lines(read(t, "/", log)) {
		thread, rest, _ := strings.Cut(line, " ")
		call, _, ok := strings.Cut(strings.TrimSpace(rest), "(")
		if ok && slices.Contains(calls, call) {
			by[thread+call]++
			most[call] = max(most[call], by[thread+call])
		}
	}
	return most
}

var alignment = regexp.MustCompile(`\)\s+= `)

// wholeCalls returns the lines of a log of strace, with calls in one line that
// another thread's line came into, and results as if none was set below another.
func wholeCalls(log string) (lines []string) {
	begun := map[string]string{} // by thread
	for line := range strings.Lines(log) {
		thread, _, _ := strings.Cut(line, " ")
		if head, ok := strings.CutSuffix(line, " <unfinished ...>\n"); ok {
			begun[thread] = head
			continue
		}
		if _, rest, ok := strings.Cut(line, " resumed>"); ok {
			line = begun[thread] + rest
		}
		lines = append(lines, alignment.ReplaceAllString(strings.TrimSpace(line), ") = "))
	}
	return lines
}

// injected returns the calls of a log that were made to fail.
func injected(t *testing.T, log string) []string {
	t.Helper()
	return slices.DeleteFunc(wholeCalls(read(t, "/", log)), func(call string) bool { return !strings.Contains(call, "(INJECTED)") })
}

// A point is one system call of a command, and how it is broken.
type point struct {
	subject
	call  string
	k     int    // of the calls of a thread
	errno string // the error that the call fails with; "" if the command is killed there
}

// A broken command is one that was killed, or to which calls failed, and has ended.
type broken struct {
	what  string // the command, and what was done to it
	dir   string
	errno string
	run   run
	hits  []string // the calls that failed, as strace tells of them
	twice bool     // the command after it was killed too
}

func (b *broken) String() string {
	return fmt.Sprintf("%s\n  %s\n  exit %d: %s", b.what, strings.Join(b.hits, "\n  "), b.run.code, strings.TrimSpace(b.run.err))
}

// succeed runs a command where the broken one was, which has to exit with 0.
func (b *broken) succeed(t *testing.T, args ...string) run {
	t.Helper()
	r := execute(t, atHome(b.dir, args...), hang)
	if r.code != 0 {
		t.Errorf("%v: then %v", b, r)
	}
	return r
}

// run runs the command in a directory of its own, and breaks it at the point.
func (p point) run(t *testing.T) *broken {
	t.Helper()
	b := &broken{dir: p.prepare(t), errno: p.errno, what: strings.TrimSpace(fmt.Sprintf("%v at %s %d %s", p.subject, p.call, p.k, p.errno))}
	inject := "signal=KILL"
	if p.errno != "" {
		inject = "error=" + p.errno
	}
	log := filepath.Join(filepath.Dir(b.dir), "log")
	b.run = execute(t, underStrace(p.command(t, b.dir), log, p.call, fmt.Sprintf("%s:when=%d", inject, p.k)), 6*hang)
	b.hits = injected(t, log)
	return b
}

// times returns how often a thread of the command makes each of the calls.
func times(t *testing.T, s subject, calls []string) map[string]int {
	t.Helper()
	dir := s.prepare(t)
	defer os.RemoveAll(filepath.Dir(dir))
	log := filepath.Join(filepath.Dir(dir), "log")
	if r := execute(t, underStrace(s.command(t, dir), log, strings.Join(calls, ","), ""), 2*hang); r.code != 0 {
		t.Fatalf("under strace: %v", r)
	}
	return tally(t, log, calls)
}

// reached reports whether the command came to the point.
func (b *broken) reached() bool { return len(b.hits) > 0 || b.errno == "" && b.run.code != 0 }

// within reports whether calls failed, and all of them below dir: not in the Go runtime,
// and not on standard output.
func (b *broken) within(dir string) bool {
	return len(b.hits) > 0 && !slices.ContainsFunc(b.hits, func(hit string) bool { return !strings.Contains(hit, dir) })
}

// byRuntime reports whether what failed was the way in which the Go runtime wakes itself up,
// which no program outlives, or writing nothing, which never fails.
func (b *broken) byRuntime() bool {
	return slices.ContainsFunc(b.hits, func(hit string) bool { return strings.Contains(hit, "eventfd") || strings.Contains(hit, `, "", 0)`) })
}

// unlogged reports whether the command said that a log was not written: that keeps nothing
// from being done.
func (b *broken) unlogged() bool {
	return strings.Contains(b.run.err, "warning: the log is not written") || strings.Contains(b.run.err, "warning: the recovery is not in the log")
}

// actionFailed reports whether the command said that it is done, and of an action that it
// fired that this failed.
func (b *broken) actionFailed() bool {
	return b.errno != "" && b.run.code == 0 && strings.Contains(b.run.err, ": failed: ") && strings.Contains(b.run.err, errorTexts[b.errno])
}

// putOff reports whether the command said that it is done, and of what others wrote that the next
// one acts on it, as it could not be read.
func (b *broken) putOff() bool {
	return b.run.code == 0 && strings.Contains(b.run.err, " is not acted on yet: ") && strings.Contains(b.run.err, errorTexts[b.errno])
}

// byTwoThreads reports whether calls of two threads failed, one of them in .local, or in the home
// on the way there: the k-th call of each thread fails. That is two faults, such as in the call that
// leaves a file and in the one that notes it.
func (b *broken) byTwoThreads() bool {
	return len(b.hits) > 1 && slices.ContainsFunc(b.hits, func(hit string) bool {
		return strings.Contains(hit, ".local") || strings.Contains(hit, `, ".forgemind", `) || strings.Contains(hit, `, ".quaid", `)
	})
}

// errorTexts are the errors that calls fail with, as messages name them.
var errorTexts = map[string]string{
	"EIO":    "input/output error",
	"ENOSPC": "no space left on device",
	"EROFS":  "read-only file system",
	"EMFILE": "too many open files",
	"EACCES": "permission denied",
}
