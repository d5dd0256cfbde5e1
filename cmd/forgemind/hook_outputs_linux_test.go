package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/hook"
)

// TestHooksWithOutputsThatFail: whatever the outputs and the input of a hook or of the
// status line are, it ends with 0 and says nothing on standard error.
func TestHooksWithOutputsThatFail(t *testing.T) {
	dir, home := aTree(t), t.TempDir()
	commands := append(agentCommands(t), []string{"statusline"})
	outputs := map[string]func(t *testing.T) *os.File{"full": fullDevice, "closed": noFile, "broken pipe": brokenPipe, "full pipe": fullPipe}
	for i, argv := range commands {
		for name, open := range outputs {
			t.Run(strings.Join(argv, " ")+" to a "+name, func(t *testing.T) {
				t.Parallel()
				h := agentCall{dir: dir, home: home, argv: argv, input: payloadOf(fmt.Sprint(i, name))}
				h.stdout = open(t)
				if said := h.run(t); said != "" {
					t.Errorf("standard error: %s", said)
				}
				h.input, h.stdout, h.stderr = payloadOf(fmt.Sprint(i, name, " both")), open(t), open(t)
				h.run(t)
			})
		}
		t.Run(strings.Join(argv, " ")+" with an input without end", func(t *testing.T) {
			t.Parallel()
			h := agentCall{dir: dir, home: home, argv: argv, input: payloadOf("endless")[:20], open: true, stdout: fullPipe(t)}
			h.run(t)
			h.input, h.open, h.noInput = "", false, true
			h.run(t)
		})
	}
}

// TestDoctorIsToldOfOutputsThatFail has a tree for each output: the faults of a tree are
// the last few, and many hooks at once push one another's out.
func TestDoctorIsToldOfOutputsThatFail(t *testing.T) {
	for _, out := range []struct {
		name, told string
		open       func(t *testing.T) *os.File
	}{
		{"full", "no space left on device", fullDevice},
		{"broken pipe", "broken pipe", brokenPipe},
		{"full pipe", "did not read it in time", fullPipe},
	} {
		t.Run(out.name, func(t *testing.T) {
			t.Parallel()
			h := agentCall{dir: aTree(t), home: t.TempDir(), argv: []string{"hook", "run", "SessionStart", "--agent", "claude"},
				input: payloadOf(out.name), stdout: out.open(t)}
			h.run(t)
			faults, err := os.ReadFile(filepath.Join(h.dir, ".forgemind", ".local", "hook-faults.json"))
			if err != nil || !bytes.Contains(faults, []byte(out.told)) {
				t.Errorf("doctor is not told of %q: %v\n%s", out.told, err, faults)
			}
		})
	}
}

// agentCommands are the arguments of all hooks that `hook install` gives to agents, and
// those of the events that any agent may use.
func agentCommands(t *testing.T) (all [][]string) {
	dir, home := aTree(t), t.TempDir()
	install := exec.Command("forgemind", "hook", "install", "--agent", "all", "--hooks-only")
	install.Dir, install.Env = dir, append(os.Environ(), "HOME="+home)
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	command := regexp.MustCompile(`forgemind (hook run \w+ --agent \w+)`)
	_ = filepath.WalkDir(dir, func(name string, _ os.DirEntry, _ error) error {
		src, _ := os.ReadFile(name)
		for _, found := range command.FindAllStringSubmatch(string(src), -1) {
			argv := strings.Fields(found[1])
			if !slices.ContainsFunc(all, func(other []string) bool { return slices.Equal(other, argv) }) {
				all = append(all, argv)
			}
		}
		return nil
	})
	if len(all) < 25 {
		t.Fatalf("only %d hooks: %v", len(all), all)
	}
	for _, event := range []string{"message-received", "pre-response", "post-response", "session-end", "Unknown"} {
		all = append(all, []string{"hook", "run", event, "--agent", "memfas"})
	}
	return all
}

func payloadOf(session string) string {
	return fmt.Sprintf(`{"session_id":%q,"source":"startup","prompt":"Which database do we use for the tokens?","last_assistant_message":"PostgreSQL, as before.","model":{"display_name":"M"}}`, session)
}

// A agentCall is one run of a command that an agent starts.
type agentCall struct {
	dir, home      string
	argv           []string
	input          string
	open, noInput  bool     // standard input has no end; is closed
	stdout, stderr *os.File // nil for standard output is closed, for standard error a buffer
}

// run runs it, fails the test unless it ends with 0, and returns what it says on
// standard error.
func (h *agentCall) run(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	script := `"$@"`
	if h.stdout == nil {
		script += " >&-"
	}
	if h.noInput {
		script += " <&-"
	}
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", "exec " + script, "sh", "forgemind"}, h.argv...)...)
	c.Dir, c.Env = h.dir, append(os.Environ(), "HOME="+h.home, "XDG_STATE_HOME=", hookLimitEnv+"="+hook.Limit.String())
	var said bytes.Buffer
	c.Stderr = &said
	if h.stdout != nil {
		c.Stdout = h.stdout
	}
	if h.stderr != nil {
		c.Stderr = h.stderr
	}
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	_, _ = in.Write([]byte(h.input))
	if !h.open {
		in.Close()
	}
	err = c.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) || ctx.Err() != nil {
		t.Errorf("%v: %v\n%s", h.argv, err, &said)
	}
	return said.String()
}

func noFile(*testing.T) *os.File { return nil }

func fullDevice(t *testing.T) *os.File {
	f, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// brokenPipe is a pipe whose reader has gone.
func brokenPipe(t *testing.T) *os.File {
	r, w := pipe(t)
	r.Close()
	return w
}

// fullPipe is a pipe that holds as much as it can, and that nobody reads.
func fullPipe(t *testing.T) *os.File {
	_, w := pipe(t)
	fd := int(w.Fd())
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{4096, 1} {
		for {
			if _, err := syscall.Write(fd, make([]byte, size)); err != nil {
				break
			}
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
	return w
}

// pipe is a pipe of which programs that are started get a blocking end.
func pipe(t *testing.T) (r, w *os.File) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
	r, w = os.NewFile(uintptr(ends[0]), "reader"), os.NewFile(uintptr(ends[1]), "writer")
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}
