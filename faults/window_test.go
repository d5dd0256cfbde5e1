//go:build linux

package faults_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A save from old bytes comes in just before a rename of a command that is
// changing the same file, for each of its renames. It lacks what was set
// before, and what is being set: all three are live, or kept with a finding.
func TestSaveInTheWindow(t *testing.T) {
	needs(t, "strace")
	type window struct {
		way  string
		args []string
		k    int
	}
	var windows []window
	for _, way := range []string{"rename", "inplace"} {
		for k := 1; k <= 5; k++ {
			windows = append(windows, window{way, []string{"set", "/notes/ours", "1"}, k},
				window{way, []string{"decision", "add", "ours"}, k}, window{way, []string{"layer", "1"}, k})
		}
	}
	var hits atomic.Int32
	inTwo(windows, func(w window) {
		dir := newDir(t)
		defer os.RemoveAll(filepath.Dir(dir))
		perform(t, dir, "init; set /notes/first 0")
		path, log := filepath.Join(dir, state), filepath.Join(filepath.Dir(dir), "log")
		old := read(t, dir, state)
		succeed(t, dir, "set", "/notes/before", "1")
		cmd := strace(command(dir, w.args...), log, "-e", "trace=execve,renameat2", "-e", fmt.Sprintf("inject=renameat2:delay_enter=500000:when=%d", w.k))
		saved, ended := make(chan error), make(chan struct{})
		go func() {
			for came := 0; came < w.k; { // execve, and the renames before this one
				select {
				case <-ended: // it had fewer renames
					came = w.k
				case <-time.After(10 * time.Millisecond):
					text, _ := os.ReadFile(log)
					came = strings.Count(string(text), "execve(") + strings.Count(string(text), "renameat2(")
				}
			}
			time.Sleep(250 * time.Millisecond) // the rename is held up for twice as long
			saved <- save(w.way, path, strings.Replace(old, `"notes": {`, "\"notes\": {\n    \"theirs\": 1,", 1))
		}()
		r := execute(t, cmd, 2*hang)
		close(ended)
		if err := <-saved; err != nil {
			t.Error(err)
		}
		if text, _ := os.ReadFile(log); strings.Contains(string(text), "(DELAYED)") {
			hits.Add(1)
		}
		how := fmt.Sprintf("%s before rename %d of %v", w.way, w.k, r)
		tokens := []string{"first", "before", "theirs"}
		if r.code == 0 && w.args[0] == "set" {
			tokens = append(tokens, "ours")
		} else if r.code != 0 && r.code != 3 {
			t.Error(how)
		}
		for _, token := range lost(t, dir, func() []string { lost, _ := whereabouts(t, dir, tokens); return lost }) {
			t.Errorf("%s: %q is not live, and in no file that a finding names; it is in %v", how, token, holders(t, dir, token))
		}
		viewsAgree(t, dir)
	})
	t.Logf("%d saves, %d of them in a window", len(windows), hits.Load())
}
