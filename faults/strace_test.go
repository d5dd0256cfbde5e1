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
	"sync"
	"testing"
)

// disturbed are the commands that are disturbed at every system call.
var disturbed = [][]string{
	{"set", "/notes/a", "1"},
	{"layer", "2"},
	{"decision", "add", "disturbed"},
	{"compact", "--now", "--strategy", "psd"},
	{"uncompact"},
	{"init", "--layout", "both"},
}

// calls are the system calls that change something on the disk, or that a
// change goes by. Of those given here only every nth is disturbed.
var calls = []struct {
	name string
	nth  int
}{
	{"openat2", 2}, {"openat", 3}, {"write", 1}, {"pwrite64", 1}, {"fsync", 1}, {"renameat2", 1},
	{"unlinkat", 1}, {"mkdirat", 1}, {"ftruncate", 1}, {"fchmod", 1}, {"flock", 1}, {"close", 8},
}

// traced runs args in dir under strace.
func traced(t *testing.T, dir, log, call, inject string, args ...string) run {
	t.Helper()
	line := []string{"-f", "-qq", "-y", "-s", "0", "-o", log, "-e", "trace=" + call}
	if inject != "" {
		line = append(line, "-e", "inject="+call+":"+inject)
	}
	cmd := exec.Command("strace", append(append(line, program), args...)...)
	cmd.Dir = dir
	// Calls are counted by thread: as few threads as possible make the most of them.
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1")
	return execute(t, cmd, 2*hang)
}

// count says how often a thread of the command makes each of the calls.
func (tr *trial) count(t *testing.T, calls []string) map[string]int {
	t.Helper()
	dir := copyTree(t, tr.base)
	defer os.RemoveAll(filepath.Dir(dir))
	log := filepath.Join(filepath.Dir(dir), "log")
	if r := traced(t, dir, log, strings.Join(calls, ","), "", tr.args...); r.code != 0 {
		t.Fatalf("under strace: %v", r)
	}
	return tally(t, log, calls)
}

// A point is one system call of one command.
type point struct {
	*trial
	call  string
	k     int
	errno string
}

func (p point) String() string {
	return strings.TrimSpace(fmt.Sprintf("%q at %s %d %s", p.args, p.call, p.k, p.errno))
}

// Killed at each of its system calls, a command leaves each document old or
// new, and the next command makes them all old or all new.
func TestKilledAtEverySystemCall(t *testing.T) {
	needs(t, "strace")
	killAtCalls(t, rehearsals(t, disturbed), 1000)
}

// A sample of TestKilledAtEverySystemCall that takes seconds.
func TestSampleOfKills(t *testing.T) {
	needs(t, "strace")
	killAt(t, everyFifth(killPoints(t, rehearsals(t, sampleCommands), 1000)))
}

// sampleCommands are the commands of the samples: one transaction.
var sampleCommands = [][]string{{"decision", "add", "disturbed"}}

// everyFifth returns the first of points and every fifth after it.
func everyFifth(points []point) (some []point) {
	for i := 0; i < len(points); i += 5 {
		some = append(some, points[i])
	}
	return some
}

// killAtCalls kills each command at its system calls; see killPoints for most.
func killAtCalls(t *testing.T, trials []*trial, most int) {
	t.Helper()
	killAt(t, killPoints(t, trials, most))
}

// killPoints returns the system calls of each command at which it is killed. If it
// makes a call more than most times, these are about most of them, with the first.
func killPoints(t *testing.T, trials []*trial, most int) (points []point) {
	t.Helper()
	var names []string
	for _, call := range calls {
		names = append(names, call.name)
	}
	for _, tr := range trials {
		times := tr.count(t, names)
		for _, call := range calls {
			for k := 1; k <= times[call.name]; k += max(call.nth, (times[call.name]+most-1)/most) {
				points = append(points, point{tr, call.name, k, ""})
			}
		}
	}
	return points
}

// killAt kills commands at points, and checks what each leaves.
func killAt(t *testing.T, points []point) {
	t.Helper()
	var mu sync.Mutex
	killed, found := 0, map[string]int{}
	inTwo(points, func(p point) {
		dir := copyTree(t, p.base)
		defer os.RemoveAll(filepath.Dir(dir))
		r := traced(t, dir, os.DevNull, p.call, fmt.Sprintf("signal=KILL:when=%d", p.k), p.args...)
		at, after := p.judge(t, dir, "killed: "+p.String(), false)
		if r.code == 0 && after != did {
			t.Errorf("%v: acknowledged, and gone", p)
		}
		mu.Lock()
		defer mu.Unlock()
		if r.code != 0 {
			killed++
			found[after]++
			if at == half {
				found[half]++
			}
		}
	})
	t.Logf("%d points, %d killed there: %d undone, %d done; %d stood halfway until the next command", len(points), killed, found[undone], found[did], found[half])
	if killed < len(points)*3/4 {
		t.Errorf("only %d of %d points were reached", killed, len(points))
	}
}

// errnos are the errors that the calls are made to fail with, and their words.
var errnos = map[string]string{
	"EIO":    "input/output error",
	"ENOSPC": "no space left on device",
	"EROFS":  "read-only file system",
	"EMFILE": "too many open files",
	"EACCES": "permission denied",
}

// failing are the calls that are made to fail, and the errors that each does
// with; where all is not set, each point gets one of them in turn.
var failing = []struct {
	call   string
	all    bool
	errnos []string
}{
	{"fsync", true, []string{"EIO", "ENOSPC"}},
	{"renameat2", true, []string{"EIO", "ENOSPC", "EROFS", "EACCES"}},
	{"write", false, []string{"EIO", "ENOSPC"}},
	{"pwrite64", false, []string{"EIO", "ENOSPC"}},
	{"openat2", false, []string{"EIO", "EMFILE", "EACCES", "ENOSPC", "EROFS"}},
	{"openat", false, []string{"EACCES", "EIO", "EMFILE"}},
	{"mkdirat", false, []string{"ENOSPC", "EROFS", "EACCES"}},
	{"unlinkat", false, []string{"EIO", "EROFS", "EACCES"}},
	{"fchmod", false, []string{"EIO", "EROFS"}},
	{"ftruncate", false, []string{"EIO"}},
}

// Whatever system call fails, the documents are old or new, all of them; what
// was done is acknowledged, and what was not is not; the message says what
// failed and why.
func TestErrorFromEverySystemCall(t *testing.T) {
	needs(t, "strace")
	failCalls(t, rehearsals(t, disturbed), 1000)
}

// A sample of TestErrorFromEverySystemCall that takes seconds.
func TestSampleOfErrors(t *testing.T) {
	needs(t, "strace")
	failAt(t, everyFifth(failPoints(t, rehearsals(t, sampleCommands), 1000)))
}

// failCalls makes system calls of each command fail; see failPoints for most.
func failCalls(t *testing.T, trials []*trial, most int) {
	t.Helper()
	failAt(t, failPoints(t, trials, most))
}

// failPoints returns the system calls of each command that are made to fail, each with
// an error. If a command makes a call more than most times, these are about most of
// them, with the last.
func failPoints(t *testing.T, trials []*trial, most int) (points []point) {
	t.Helper()
	var names []string
	for _, f := range failing {
		names = append(names, f.call)
	}
	for _, tr := range trials {
		times := tr.count(t, names)
		for _, f := range failing {
			step := (times[f.call] + most - 1) / most
			if f.call == "openat" {
				step = max(step, 3) // most are the Go runtime's
			}
			nth := 0
			for k := times[f.call]; k > 0; k -= step {
				for i, errno := range f.errnos {
					if f.all || nth%len(f.errnos) == i {
						points = append(points, point{tr, f.call, k, errno})
					}
				}
				nth++
			}
		}
	}
	return points
}

// failAt makes the system calls at points fail, and checks what each command leaves.
func failAt(t *testing.T, points []point) {
	t.Helper()
	var mu sync.Mutex
	failed, tolerated, found := 0, 0, map[string]int{}
	inTwo(points, func(p point) {
		dir := copyTree(t, p.base)
		defer os.RemoveAll(filepath.Dir(dir))
		log := filepath.Join(filepath.Dir(dir), "log")
		r := traced(t, dir, log, p.call, fmt.Sprintf("error=%s:when=%d", p.errno, p.k), p.args...)
		hits := injected(t, log)
		how := fmt.Sprintf("%v\n  %s\n  exit %d: %s", p, strings.Join(hits, "\n  "), r.code, strings.TrimSpace(r.err))
		if r.code == 0 && strings.Contains(r.out, ": failed: ") && strings.Contains(r.out, errnos[p.errno]) {
			p.withoutAction(t, dir, how)
			return
		}
		at, after := p.judge(t, dir, how, false)
		if len(hits) == 0 || slices.ContainsFunc(hits, func(h string) bool { return !strings.Contains(h, dir) }) {
			return // it hit the Go runtime, or standard output
		}
		mu.Lock()
		defer mu.Unlock()
		found[after]++
		if r.code == 0 {
			tolerated++
			p.tolerable(t, how, hits, at)
			return
		}
		failed++
		says := strings.Contains(r.err, ".forgemind") || strings.Contains(r.err, ".quaid") || strings.Contains(r.err, dir) ||
			slices.ContainsFunc(p.args, func(file string) bool {
				return strings.Contains(hits[0], `"`+file+`"`) && strings.Contains(r.err, file+":")
			})
		if r.code != 3 || !says || !strings.Contains(r.err, errnos[p.errno]) {
			t.Errorf("%s\nnot exit 3 with the path and the cause", how)
		}
	})
	t.Logf("%d points; in the tree: %d exit 3, %d exit 0 with the change done; after the next command %d undone, %d done", len(points), failed, tolerated, found[undone], found[did])
	if hit := failed + tolerated; failed < hit/3 || hit < len(points)/2 { // the others hit the Go runtime
		t.Errorf("only %d of %d points failed, of which %d were hit", failed, len(points), hit)
	}
}

// lesser are the places whose loss costs no document and no acknowledged change.
var lesser = regexp.MustCompile(`\.local/(last|displaced|holder|stage/|txn/[0-9a-f]+/|recovered|watch)`)

// tolerable checks a command that says that it is done although a call failed:
// so it is, and what was not synced is nothing that has to stay.
func (p point) tolerable(t *testing.T, how string, hits []string, at string) {
	t.Helper()
	if bare := p.withoutLogs(); unlogged(how) && slices.Equal(bare.old, bare.done) {
		return // it said that what is missing is missing
	}
	if at != did {
		t.Errorf("%s\nacknowledged, but it is %s", how, at)
	}
	for _, hit := range hits {
		if p.call == "fsync" && !lesser.MatchString(hit) {
			t.Errorf("%s\nacknowledged, but not on the disk", how)
		}
	}
}

// withoutAction checks a command that says that it is done, and of an action that it
// fired that this failed: what fired it stands, for nobody's words are dropped because
// something else could not be read, and nothing of the action does. Where it fires
// several, a document that some of them change holds lines of the old and of the new.
func (p point) withoutAction(t *testing.T, dir, how string) {
	t.Helper()
	now := look(t, dir, p.sight)
	strange := picture(slices.DeleteFunc(now.madeOf(p.old, p.done), p.begun))
	if len(p.stood) > 0 { // what is said fires several
		strange = slices.DeleteFunc(strange, p.mixed)
	}
	if len(strange) > 0 {
		t.Errorf("%s: neither old nor new\nagainst new:\n%s", how, strange.without(p.done))
	}
	p.saidOnce(t, dir, how)
	p.stillThere(t, dir, how)
	if slices.Equal(now, p.old) {
		t.Errorf("%s\nacknowledged, but it is %s", how, undone)
	}
	succeed(t, dir, "validate")
	if !noLitter(t, dir) {
		t.Errorf("%s: litter stays", how)
	}
}

// mixed says whether each line of doc stands in the old or the new one; of JSON,
// whether or not a member follows. What remembers the firings tells of those that
// there were.
func (tr *trial) mixed(doc string) bool {
	name, lines, _ := strings.Cut(doc, "\n")
	if strings.Contains(name, "/.local/acted.json ") {
		return true
	}
	known := map[string]bool{}
	for _, of := range []picture{tr.old, tr.done} {
		for line := range strings.Lines(of.named(name)) {
			known[strings.TrimRight(line, ",\n")] = true
		}
	}
	for line := range strings.Lines(lines) {
		if !known[strings.TrimRight(line, ",\n")] {
			return false
		}
	}
	return true
}

// injected lists the calls of a log that were made to fail.
func injected(t *testing.T, log string) (hits []string) {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "(INJECTED)") {
			hits = append(hits, strings.TrimSpace(line))
		}
	}
	return hits
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
