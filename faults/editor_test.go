//go:build linux

package faults_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// An editor saves a file again and again.
type editor struct {
	way, name string
	pause     func()                                       // between saves
	change    func(n int, old string) (token, text string) // returns the text of the n-th save, with a token in it
}

// A saving is one save of an editor.
type saving struct {
	token      string
	read, done time.Time
}

// mostSaves is the largest number of saves of an editor. Each makes a file larger, which makes
// commands slower: without a limit a slow machine would become ever slower.
const mostSaves = 1000

// start has the editor save its file of dir until the function that it returns is called. That
// returns what was saved.
func (e editor) start(t *testing.T, dir string) (stop func() []saving) {
	stopped, ended, saves := make(chan bool), make(chan bool), []saving(nil)
	path := filepath.Join(dir, e.name)
	go func() {
		defer close(ended)
		for len(saves) < mostSaves {
			e.pause()
			select {
			case <-stopped:
				return
			default:
			}
			begun := time.Now()
			old, err := os.ReadFile(path)
			if err != nil {
				t.Errorf("%s: %v", e.way, err)
				return
			}
			whole := strings.HasSuffix(string(old), "\n")
			if strings.HasSuffix(path, ".json") {
				whole = json.Valid(old)
			}
			if !whole {
				continue // people save what they see
			}
			token, text := e.change(len(saves), string(old))
			if err := save(e.way, path, text); err != nil {
				t.Errorf("%s: %v", e.way, err)
				return
			}
			saves = append(saves, saving{token, begun, time.Now()})
		}
	}()
	return func() []saving {
		close(stopped)
		<-ended
		return saves
	}
}

// upTo returns a function that waits for some of the milliseconds.
func upTo(most int) func() {
	return func() { time.Sleep(time.Duration(rand.IntN(most)) * time.Millisecond) }
}

// save saves a file in the way of an editor: "rename", "moved", "removed", or "inplace".
func save(way, path, text string) error {
	if way == "rename" {
		if err := os.WriteFile(path+"~", []byte(text), 0o644); err != nil {
			return err
		}
		return os.Rename(path+"~", path)
	}
	switch way {
	case "moved": // as vim does
		if err := os.Rename(path, path+"~"); err != nil {
			return err
		}
		return errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Remove(path+"~"))
	case "removed": // as "rm; cp" does
		return errors.Join(os.Remove(path), os.WriteFile(path, []byte(text), 0o644))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	half := len(text) / 2
	if _, err := f.WriteString(text[:half]); err != nil {
		return err
	}
	time.Sleep(time.Duration(rand.IntN(2)) * time.Millisecond)
	if _, err := f.WriteString(text[half:]); err != nil {
		return err
	}
	return f.Close()
}

// Commands that read find a whole document, in whatever way an editor saves it.
func TestReadersWhileAnEditorSaves(t *testing.T) {
	for _, way := range []string{"rename", "inplace", "moved", "removed"} {
		for _, what := range []string{state, ".quaid/context/sessions/*/hot_context.json"} {
			t.Run(way+"/"+filepath.Base(what), func(t *testing.T) { readWhileSaved(t, way, what) })
		}
	}
}

func readWhileSaved(t *testing.T, way, what string) {
	dir := newDir(t)
	perform(t, dir, `init --layout both; goal add "Ship the API"; decision add "Tokens live for an hour"`)
	name := oneOf(t, dir, what)
	text := read(t, dir, name)
	stop := editor{way: way, name: name, pause: upTo(30), change: func(int, string) (string, string) { return "", text }}.start(t, dir)
	defer stop()
	for range atLength(20, 5) {
		for _, c := range []struct{ command, says string }{
			{"status", ""}, {"brief", "Ship the API"}, {"context", ""}, {"goal list", "Ship the API"},
			{"decision list", "Tokens live"}, {"validate --strict", ""},
		} {
			if r := succeed(t, dir, strings.Fields(c.command)...); !strings.Contains(r.out, c.says) {
				t.Errorf("it does not say %q: %v", c.says, r)
			}
		}
		if t.Failed() {
			return
		}
	}
}

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
