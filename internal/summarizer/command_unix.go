//go:build unix

package summarizer

import (
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, so that what it started
// ends with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
