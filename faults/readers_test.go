//go:build linux

package faults_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// saverEnv makes the test binary an editor that saves the file that it is given,
// again and again, in the way that the variable says, until it is killed.
const saverEnv = "FAULTS_SAVER"

func saveOn(way, path string) error {
	text, err := os.ReadFile(path)
	for err == nil {
		err = save(way, path, string(text))
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // an editor is not always saving
	}
	return err
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
	editor := exec.Command(os.Args[0], filepath.Join(dir, oneOf(t, dir, what)))
	editor.Env = append(os.Environ(), saverEnv+"="+way)
	editor.Stderr = os.Stderr
	if err := editor.Start(); err != nil {
		t.Fatal(err)
	}
	defer editor.Wait()
	defer editor.Process.Kill()
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
