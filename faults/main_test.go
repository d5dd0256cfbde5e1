//go:build linux

package faults_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// program is the path of the binary under test.
var program string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755) // for those that run as nobody
	program = filepath.Join(dir, "forgemind")
	build := exec.Command("go", "build", "-o", program, "./cmd/forgemind")
	build.Dir = ".." // in the module of the program
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s", err, out)
		return 1
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"} {
		os.Setenv(name, dir)
	}
	os.Setenv("GIT_AUTHOR_NAME", "Ann Example") // else git and the system are asked who runs the suites
	return m.Run()
}

// A run is a process that ended.
type run struct {
	args     []string
	code     int    // -1: killed by a signal
	out, err string // as far as anybody would read
	said     int    // bytes, all of it
	rss      int    // the most memory it had, in MiB
	took     time.Duration
	cpu      time.Duration // of all processors
}

func (r run) String() string {
	return fmt.Sprintf("%q: exit %d\n%s%s", r.args, r.code, cut(r.out), cut(r.err))
}

func cut(s string) string {
	if len(s) > 1500 {
		return s[:1500] + "…\n"
	}
	return s
}

// mostSaid is the largest number of bytes that a command may say: more than the largest of the
// documents that it could be asked to show.
const mostSaid = 64 << 20

// A transcript keeps the first bytes of what a process says, mostSaid of them. It embeds no buffer: that has a
// ReadFrom, which would be called in place of Write.
type transcript struct {
	text  bytes.Buffer
	said  int
	lines atomic.Int64
}

func (t *transcript) Write(p []byte) (int, error) {
	t.said += len(p)
	t.lines.Add(int64(bytes.Count(p, []byte("\n"))))
	if room := mostSaid - t.text.Len(); room > 0 {
		t.text.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *transcript) String() string { return t.text.String() }

// hang is how long a command may take before it counts as hanging.
const hang = time.Minute

// eventually waits until cond holds, two minutes at most.
func eventually(t *testing.T, what string, cond func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !cond(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after two minutes it still does not hold: %s", what)
		}
	}
}

// forgemind runs the program in dir.
func forgemind(t *testing.T, dir string, args ...string) run {
	t.Helper()
	return execute(t, command(dir, args...), hang)
}

func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	return cmd
}

// execute runs cmd to its end. One that hangs is killed, and fails the test. It takes the
// transcript that cmd has for its standard output, if there is one.
func execute(t *testing.T, cmd *exec.Cmd, within time.Duration) run {
	t.Helper()
	out, ok := cmd.Stdout.(*transcript)
	if !ok {
		out = &transcript{}
	}
	errs := &transcript{}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Errorf("%q: %v", cmd.Args, err)
		return run{args: cmd.Args, code: -2}
	}
	start := time.Now()
	timer := time.AfterFunc(within, func() {
		t.Errorf("%q hangs in %s: killed after %v", cmd.Args, cmd.Dir, within)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	cmd.Wait()
	timer.Stop()
	r := run{args: cmd.Args[1:], took: time.Since(start), code: cmd.ProcessState.ExitCode(), out: out.String(), err: errs.String(), said: out.said + errs.said}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.rss = int(usage.Maxrss >> 10)
		r.cpu = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	}
	if strings.Contains(r.err, "runtime: netpollBreak write failed") {
		return r // strace broke the Go runtime's own wake-up, which no disk does: it ended as if killed
	}
	for _, fault := range []string{"a fault in forgemind itself", "panic:", "goroutine ", "runtime error", "fatal error"} {
		if strings.Contains(r.err+r.out, fault) {
			t.Errorf("it panicked: %v", r)
		}
	}
	return r
}

// atHome returns a command of a user whose home is beside the project directory dir, and
// who has no folder of an agent anywhere else.
func atHome(dir string, args ...string) *exec.Cmd {
	cmd := command(dir, args...)
	home := homeOf(dir)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home+"/.config", "XDG_STATE_HOME="+home+"/.local/state", "XDG_CACHE_HOME="+home+"/.cache",
		"CLAUDE_CONFIG_DIR=", "CODEX_HOME=", "GEMINI_CLI_HOME=", "COPILOT_HOME=")
	return cmd
}

// watching runs a watcher until the function that it returns is called. It returns once the
// watcher is ready.
func watching(t *testing.T, watcher *exec.Cmd) (stop func()) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "watch.log"))
	if err != nil {
		t.Fatal(err)
	}
	watcher.Stdout, watcher.Stderr = log, log
	if err := watcher.Start(); err != nil {
		t.Fatal(err)
	}
	said := func() string { return read(t, "/", log.Name()) }
	stop = sync.OnceFunc(func() {
		watcher.Process.Signal(syscall.SIGTERM)
		watcher.Wait()
		if strings.Contains(said(), "panic") {
			t.Errorf("it panicked: %s", cut(said()))
		}
		log.Close()
	})
	t.Cleanup(stop)
	eventually(t, "it watches", func() bool { return strings.Contains(said(), " ready ") })
	return stop
}

// becomesQuiet waits until nothing in a folder has changed for two seconds.
func becomesQuiet(t *testing.T, dir string) {
	t.Helper()
	before := ""
	eventually(t, "for two seconds nothing is written", func() bool {
		now := inventory(t, dir)
		same := now == before
		if before = now; !same {
			time.Sleep(2 * time.Second)
		}
		return same
	})
}

// succeed runs the program in dir. It has to exit with 0.
func succeed(t *testing.T, dir string, args ...string) run {
	t.Helper()
	r := forgemind(t, dir, args...)
	if r.code != 0 {
		t.Errorf("%v", r)
	}
	return r
}

var argument = regexp.MustCompile(`"[^"]*"|\S+`)

// parse returns the arguments of commands that stand one in a line, or several with
// semicolons between them; oldnew are words and what they stand for.
func parse(commands string, oldnew ...string) (all [][]string) {
	words := strings.NewReplacer(append(oldnew, `"`, "")...)
	for line := range strings.Lines(commands) {
		for command := range strings.SplitSeq(line, ";") {
			var args []string
			for _, arg := range argument.FindAllString(command, -1) {
				args = append(args, words.Replace(arg))
			}
			if len(args) > 0 {
				all = append(all, args)
			}
		}
	}
	return all
}

// perform runs commands that parse parses. They have to exit with 0.
func perform(t *testing.T, dir, commands string, oldnew ...string) {
	t.Helper()
	for _, args := range parse(commands, oldnew...) {
		succeed(t, dir, args...)
	}
}

// inTwo calls do for all cases, two at a time.
func inTwo[T any](cases []T, do func(T)) {
	feed := make(chan T)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for c := range feed {
				do(c)
			}
		})
	}
	for _, c := range cases {
		feed <- c
	}
	close(feed)
	both.Wait()
}

// needs skips a test where a program that it is about is missing.
func needs(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("SKIPPED: %s is not installed", name)
	}
}

// atLength returns how much of something is done: all of it with FAULTS_ALL=1, else some.
func atLength(all, some int) int {
	if os.Getenv("FAULTS_ALL") != "" {
		return all
	}
	return some
}
