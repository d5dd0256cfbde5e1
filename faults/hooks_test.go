//go:build linux

package faults_test

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// inHouse is a command of somebody who lives beside the project directory dir: home
// and state are folders there, and no agent's folder is elsewhere.
func inHouse(dir string, args ...string) *exec.Cmd {
	cmd := command(dir, args...)
	home := filepath.Join(filepath.Dir(dir), "home")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_STATE_HOME="+home+"/.local/state", "XDG_CACHE_HOME="+home+"/.cache",
		"CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "GEMINI_CLI_HOME=", "COPILOT_HOME=")
	return cmd
}

// copyHouse copies the project directory dir and the home beside it.
func copyHouse(t *testing.T, dir string) string {
	t.Helper()
	to := copyTree(t, dir)
	home := filepath.Join(filepath.Dir(dir), "home")
	if _, err := os.Stat(home); err != nil {
		return to
	}
	there := filepath.Join(filepath.Dir(to), "home")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := copyInto(home, there); err != nil {
		t.Fatal(err)
	}
	return to
}

// underStrace has a command run under strace, which logs a system call and does
// to it what inject says.
func underStrace(cmd *exec.Cmd, log, call, inject string) *exec.Cmd {
	line := []string{"-f", "-qq", "-y", "-s", "300", "-o", log, "-e", "trace=" + call}
	if inject != "" {
		line = append(line, "-e", "inject="+call+":"+inject)
	}
	traced := exec.Command("strace", append(append(line, cmd.Path), cmd.Args[1:]...)...)
	traced.Dir, traced.Stdin = cmd.Dir, cmd.Stdin
	// Calls are counted by thread: as few threads as possible make the most of them.
	traced.Env = append(cmd.Environ(), "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")
	return traced
}

// tally says how often a thread made each of the calls, by a log of strace.
func tally(t *testing.T, log string, calls []string) map[string]int {
	t.Helper()
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	by, most := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		thread, rest, _ := strings.Cut(lines.Text(), " ")
		call, _, ok := strings.Cut(strings.TrimSpace(rest), "(")
		if ok && slices.Contains(calls, call) {
			by[thread+call]++
			most[call] = max(most[call], by[thread+call])
		}
	}
	return most
}

// A spot is one system call, and how it fails: by the end of the process where
// errno is empty.
type spot struct {
	call  string
	k     int
	errno string
}

func (s spot) inject() string {
	if s.errno == "" {
		return "signal=KILL"
	}
	return "error=" + s.errno
}

// spots are about so many system calls of each kind, the first and the last among
// them, each with one of its errors; every one where all are asked for.
func spots(times map[string]int, errnos map[string][]string, most int) (all []spot) {
	for _, call := range slices.Sorted(maps.Keys(errnos)) {
		step := 1
		if os.Getenv("FAULTS_ALL") == "" {
			step = max(1, times[call]/most)
		}
		for n, k := 0, times[call]; k > 0; n, k = n+1, k-step {
			all = append(all, spot{call, k, errnos[call][n%len(errnos[call])]})
		}
	}
	return all
}

// injured runs a command under strace, which does to a call of it what the spot
// says, and says which calls that were. ok is false where it was the Go runtime's
// own way to wake itself up, which no program outlives, or writing nothing, which
// never fails.
func injured(t *testing.T, cmd *exec.Cmd, s spot) (r run, hits []string, ok bool) {
	t.Helper()
	log := filepath.Join(filepath.Dir(cmd.Dir), "log")
	traced := underStrace(cmd, log, s.call, fmt.Sprintf("%s:when=%d", s.inject(), s.k))
	var out, errs transcript
	traced.Stdout, traced.Stderr, traced.WaitDelay = &out, &errs, time.Second
	if err := traced.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(6*hang, func() {
		t.Errorf("%q at %v hangs", cmd.Args, s)
		traced.Process.Kill()
	})
	traced.Wait()
	timer.Stop()
	r = run{args: cmd.Args[1:], code: traced.ProcessState.ExitCode(), out: out.String(), err: errs.String()}
	hits = injected(t, log)
	if slices.ContainsFunc(hits, func(hit string) bool { return strings.Contains(hit, "eventfd") || strings.Contains(hit, `, "", 0)`) }) {
		return r, hits, false
	}
	if strings.Contains(r.err, "goroutine ") || strings.Contains(r.err, "a fault in forgemind itself") {
		t.Errorf("it panicked at %v: %v", hits, r)
	}
	return r, hits, true
}
