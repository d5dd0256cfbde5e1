package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// binary is the path of the program under test.
var binary string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

// testMain builds the program and runs the tests.
func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "browser")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "forgemind")
	if !chromiumIsHere() {
		return m.Run() // every test is skipped
	}
	build := exec.Command("go", "build", "-o", binary, "./cmd/forgemind")
	build.Dir = ".." // in the module of the program
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %s", err, out)
		return 1
	}
	return m.Run()
}

// command returns a process of forgemind in the test's tree, with nothing of the
// user's in its environment. When ctx ends it is interrupted.
func (b *pageTest) command(ctx context.Context, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	cmd = exec.CommandContext(ctx, binary, args...)
	cmd.Dir = b.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.home, "GIT_CONFIG_NOSYSTEM=1"}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	return cmd, stderr
}

// forgemind runs one command to its end.
func (b *pageTest) forgemind(args ...string) {
	b.Helper()
	cmd, stderr := b.command(context.Background(), args...)
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v: %s", args, err, stderr)
	}
}

// memory returns the lines of /proc that say how much memory the dashboard has.
func (b *pageTest) memory() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", b.server))
	if err != nil {
		return err.Error()
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "VmRSS:") || strings.HasPrefix(line, "VmHWM:") {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(lines, ", ")
}
