//go:build unix

package summarizer

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What a program started ends with it: nobody holds the pipe any more.
func TestAProgramEndsWithAllItStarted(t *testing.T) {
	t.Parallel() // it waits
	for what, c := range map[string]struct{ then, says string }{
		"at the timeout":         {"wait", "no answer within"},
		"where it stays behind":  {"echo done", "what it started goes on"},
		"where it says too much": {"while :; do echo flood; done", "of output"},
	} {
		t.Run(what, func(t *testing.T) {
			pipe := filepath.Join(t.TempDir(), "pipe")
			if err := syscall.Mkfifo(pipe, 0o600); err != nil {
				t.Skip(err)
			}
			s := read(t, "x", fmt.Sprintf(`{"summarizer": {"kind": "command", "command": ["sh", "-c", "exec 3>%s; sleep 60 & %s"], "timeout_seconds": 1.5}}`, pipe, c.then), nil)
			alone := make(chan error, 1)
			go func() {
				held, err := os.Open(pipe)
				if err == nil {
					_, err = io.ReadAll(held) // ends when the last writer does
					held.Close()
				}
				alone <- err
			}()
			if _, err := s.Ask(t.Context(), talk); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v; want %s", err, c.says)
			}
			select {
			case err := <-alone:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Fatal("what the program started is still there")
			}
		})
	}
}
