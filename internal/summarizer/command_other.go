//go:build !unix

package summarizer

import "os/exec"

// apart does nothing: only the program itself is ended here, and what it started
// loses its output.
func apart(*exec.Cmd) {}
