//go:build unix

package summarizer

import (
	"os/exec"
	"syscall"
)

// apart puts a program into its own process group, so that its children end with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
