//go:build linux

package faults_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A holding is how often each line of a conversation stands somewhere, byte for
// byte.
type holding struct{ talk, cold, trash map[string]int }

// holdings looks for the lines that were said in dir.
func holdings(t *testing.T, dir string) holding {
	t.Helper()
	all := holding{map[string]int{}, map[string]int{}, map[string]int{}}
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		switch {
		case name == talk:
			all.take(all.talk, text)
		case strings.Contains(name, "/cold-storage/"):
			if bad := all.take(all.cold, text); bad != "" {
				t.Errorf("%s is broken: %.200q", name, bad)
			}
		case strings.Contains(name, "/.local/trash/"):
			all.take(all.trash, text)
		case strings.Contains(name, "/logs/context/") && !strings.HasSuffix(text, "\n"):
			t.Errorf("%s does not end with a line: %.200q", name, text[max(0, len(text)-200):])
		}
	})
	return all
}

// take counts the lines of a text, and what its chunks keep; it gives a line that
// is none.
func (holding) take(in map[string]int, text string) (bad string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		var c struct {
			ID      string `json:"chunk_id"`
			Message json.RawMessage
		}
		switch err := json.Unmarshal([]byte(line), &c); {
		case err != nil:
			bad = line
		case c.ID == "":
			in[line]++
		case strings.HasPrefix(string(c.Message), `"`):
			var raw string
			json.Unmarshal(c.Message, &raw)
			in[raw]++
		case len(c.Message) > 0:
			in[string(c.Message)]++
		}
	}
	return bad
}

// A message is one of a conversation.
type message struct {
	Content  string
	Kind     string
	Metadata map[string]any
}

// eachMessage calls do for every message of the conversations of dir, with the name of the file.
func eachMessage(t *testing.T, dir string, do func(name string, m message)) {
	t.Helper()
	each(t, dir, func(name string, _ fs.FileMode, text string) {
		if name != talk && (!strings.HasPrefix(name, ".quaid/context/sessions/") || !strings.HasSuffix(name, ".jsonl")) || strings.Contains(name, "/.local/") {
			return
		}
		for line := range strings.Lines(text) {
			var m message
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Errorf("%s: %v: %.200q", name, err, line)
			}
			do(name, m)
		}
	})
}

// contents says how often each content was said, over the windows and archives of all
// sessions of dir. What gathers messages comes on top, and is not counted.
func contents(t *testing.T, dir string) map[string]int {
	t.Helper()
	often := map[string]int{}
	eachMessage(t, dir, func(name string, m message) {
		if name != talk && (m.Kind != "summary" || m.Metadata["cluster"] == nil) {
			often[m.Content]++
		}
	})
	return often
}

// saidOnce checks that what was said in sessions before the command is there, and that what
// is there stands once.
func (tr *trial) saidOnce(t *testing.T, b *broken) {
	t.Helper()
	often := contents(t, b.dir)
	for content := range tr.said {
		often[content] += 0 // which makes it 0 where it is lost
	}
	for content, n := range often {
		if n != 1 {
			t.Errorf("%v: %q stands %d times", b, content, n)
		}
	}
}

// stillThere checks that each line that stood in the conversation or in cold storage stands
// in one of them once, or in the trash.
func (tr *trial) stillThere(t *testing.T, b *broken) {
	t.Helper()
	if len(tr.stood) == 0 {
		return
	}
	now := holdings(t, b.dir)
	for line := range tr.stood {
		if n := now.talk[line] + now.cold[line]; n > 1 || n == 0 && now.trash[line] == 0 {
			t.Errorf("%v: it stands %d times: %.200s", b, n, line)
		}
	}
}

// comesBack checks that what a compaction took out is whole, and that it comes back byte for
// byte.
func (tr *trial) comesBack(t *testing.T, b *broken) {
	t.Helper()
	if r := forgemind(t, b.dir, "cold-storage", "verify"); r.code != 0 || r.out != "" {
		t.Errorf("%v: %v", b, r)
	}
	succeed(t, b.dir, "uncompact")
	old, err := os.ReadFile(filepath.Join(tr.dir, talk))
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(filepath.Join(b.dir, talk)); err != nil || !strings.HasPrefix(string(now), string(old)) {
		t.Errorf("%v: it does not come back byte for byte: %v", b, err)
	}
}
