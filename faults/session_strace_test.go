//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A said command changes the short-term context of a session that has so many
// messages.
type said struct {
	messages int
	args     []string
}

// conversing are the commands that change a session; SESSION stands for one that
// is not the active one. Of those that fail too, errors come from every call.
var conversing = []struct {
	said
	fails bool
}{
	{said{14, []string{"goal", "add", "Roof the shed", "--priority", "high"}}, true},
	{said{14, []string{"goal", "complete", "Lay the wall"}}, false},
	{said{14, []string{"constraint", "add", "No work on Sundays"}}, false},
	{said{14, []string{"remember", "The kiln is cold"}}, false},
	{said{14, []string{"file", "add", "src/roof.go"}}, false},
	{said{13, []string{"message", "add", "One more word", "--agent", "Boss"}}, true},
	{said{14, []string{"message", "add", "The fifteenth: see src/wall.go. Next: point the joints"}}, false},
	{said{20, []string{"message", "add", "The twenty-first"}}, true},
	{said{49, []string{"message", "add", "The fiftieth"}}, true},
	{said{99, []string{"message", "add", "The hundredth"}}, true},
	{said{20, []string{"sessions", "new", "--title", "Another"}}, false},
	{said{20, []string{"sessions", "restore", "SESSION"}}, false},
	{said{20, []string{"sessions", "archive", "--title", "The wall"}}, true},
	{said{20, []string{"sessions", "clear"}}, false},
	{said{13, []string{"sessions", "summary"}}, false},
	{said{14, []string{"slash", "/log_decision Use lime because it breathes"}}, true},
}

// conversations rehearses the commands, each on a tree whose session has as many
// messages as it asks for.
func conversations(t *testing.T, commands []said) (all []*trial) {
	t.Helper()
	bases, earlier := map[int]string{}, ""
	dir := newDir(t)
	succeed(t, dir, "init", "--layout", "quaid")
	if text, err := os.ReadFile(filepath.Join(dir, active)); err != nil {
		t.Fatal(err)
	} else {
		earlier = strings.TrimSpace(string(text))
	}
	for _, args := range [][]string{
		{"message", "add", "Something else entirely"}, {"sessions", "new"}, {"goal", "add", "Lay the wall"}, {"constraint", "add", "No mortar in frost"},
		{"remember", "Sand comes on Mondays"}, {"file", "add", "src/wall.go"}, {"slash", "/log_decision Use bricks because they are there"},
	} {
		succeed(t, dir, args...)
	}
	lines := strings.SplitAfter(talkOfWalls(99), "\n")
	at := 0
	for _, n := range []int{13, 14, 20, 49, 99} {
		if err := os.WriteFile(filepath.Join(dir, "more.jsonl"), []byte(strings.Join(lines[at:n], "")), 0o644); err != nil {
			t.Fatal(err)
		}
		succeed(t, dir, "message", "import", "more.jsonl")
		at, bases[n] = n, copyTree(t, dir)
		for _, kept := range []string{"displaced", "last"} { // forgotten by and by, at some command or other
			os.RemoveAll(filepath.Join(bases[n], ".quaid/.local", kept))
		}
	}
	for _, c := range commands {
		args := append([]string{}, c.args...)
		for i, arg := range args {
			if arg == "SESSION" {
				args[i] = earlier
			}
		}
		tr := rehearse(t, bases[c.messages], args...)
		tr.said = contents(t, bases[c.messages])
		all = append(all, tr)
	}
	return all
}

// active names the session that is the active one.
const active = ".quaid/context/active_session.txt"

// talkOfWalls is a conversation of n messages as JSONL, in which similar things
// are said again and again.
func talkOfWalls(n int) string {
	var b strings.Builder
	words := strings.Fields("mortar stones frost lime sand gravel trowel bucket plumb kiln pear orchard south north gate hinge oak nail saw")
	for i := range n {
		content := fmt.Sprintf("Step %d: mixed the mortar, laid the stones of the wall.", i)
		if i%3 == 0 {
			content = fmt.Sprintf("Item %d: the %s and the %s came on cart %d.", i, words[i%len(words)], words[(i*7+3)%len(words)], i)
		}
		fmt.Fprintf(&b, `{"msg_id": "talk-%03d", "timestamp": "2026-03-02T09:%02d:%02dZ", "role": "assistant", "content": %q}`+"\n", i, i/60, i%60, content)
	}
	return b.String()
}

// contents says how often each content was said, over the windows and archives
// of all sessions of dir. What gathers messages comes on top, and is not counted.
func contents(t *testing.T, dir string) map[string]int {
	t.Helper()
	often := map[string]int{}
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		if strings.Contains(name, "/.local/") || !strings.HasPrefix(name, ".quaid/context/sessions/") || !strings.HasSuffix(name, ".jsonl") {
			return
		}
		for line := range strings.Lines(text) {
			var m struct {
				Content  string
				Kind     string
				Metadata map[string]any
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Errorf("%s: %v: %.200q", name, err, line)
			}
			if m.Kind != "summary" || m.Metadata["cluster"] == nil {
				often[m.Content]++
			}
		}
	})
	return often
}

// saidOnce checks that what was said before the command is there, once.
func (tr *trial) saidOnce(t *testing.T, dir, how string) {
	t.Helper()
	often := contents(t, dir)
	for content := range tr.said {
		if often[content] != 1 {
			t.Errorf("%s: %q stands %d times", how, content, often[content])
		}
	}
	for content, n := range often {
		if n != 1 {
			t.Errorf("%s: %q stands %d times", how, content, n)
		}
	}
}

// Killed at each of its system calls, a command leaves a session as it was, or as
// it is to be; the next command sees to it, and what was said stands once.
func TestSessionKilledAtEverySystemCall(t *testing.T) {
	needs(t, "strace")
	var commands []said
	for _, c := range conversing {
		commands = append(commands, c.said)
	}
	killAtCalls(t, conversations(t, commands), atLength(1000, 16))
}

// Whatever call fails, the documents of a session are old or new, all of them.
func TestSessionErrorFromEverySystemCall(t *testing.T) {
	needs(t, "strace")
	var commands []said
	for _, c := range conversing {
		if c.fails {
			commands = append(commands, c.said)
		}
	}
	failCalls(t, conversations(t, commands), atLength(1000, 10))
}
