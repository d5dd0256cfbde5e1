//go:build linux

package faults_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A holding counts how often each line of a conversation stands somewhere, byte for byte.
type holding struct{ talk, cold, trash map[string]int }

// holdings returns where the lines are that were said in dir, in which anything may stand, and
// the names of the files of cold storage that are broken.
func holdings(dir string) (h holding, broken []string) {
	h = holding{map[string]int{}, map[string]int{}, map[string]int{}}
	for path, info := range below(dir, ignore) {
		name, _ := filepath.Rel(dir, path)
		var into map[string]int
		cold := strings.Contains(name, "/cold-storage/")
		switch {
		case name == talk:
			into = h.talk
		case cold:
			into = h.cold
		case strings.Contains(name, "/.local/trash/"):
			into = h.trash
		}
		if into == nil || !info.Mode().IsRegular() || info.Size() > 64<<20 {
			continue
		}
		text, _ := os.ReadFile(path)
		if bad := h.take(into, string(text)); bad != "" && cold {
			broken = append(broken, name)
		}
	}
	return h, broken
}

// soundHoldings returns what holdings does. It reports files of cold storage and logs that are broken.
func soundHoldings(t *testing.T, dir string) holding {
	t.Helper()
	h, broken := holdings(dir)
	for _, name := range glob(dir, ".*/logs/context/*") {
		if !strings.HasSuffix(read(t, dir, name), "\n") {
			broken = append(broken, name)
		}
	}
	if len(broken) > 0 {
		t.Errorf("broken: %q", broken)
	}
	return h
}

func (h holding) all(line string) int { return h.talk[line] + h.cold[line] + h.trash[line] }

// take counts the lines of a text, and what its chunks keep. It returns a line that is not
// JSON, "" if there is none.
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
	for name, text := range documents(t, dir) {
		if name != talk && (!strings.HasPrefix(name, ".quaid/context/sessions/") || !strings.HasSuffix(name, ".jsonl")) || strings.Contains(name, "/.local/") {
			continue
		}
		for line := range strings.Lines(text) {
			var m message
			if err := json.Unmarshal([]byte(line), &m); err != nil {
				t.Errorf("%s: %v: %.200q", name, err, line)
			}
			do(name, m)
		}
	}
}

// contents returns how often each content was said, over the windows and archives of all
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
	now := soundHoldings(t, b.dir)
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
	if old := read(t, tr.dir, talk); !strings.HasPrefix(read(t, b.dir, talk), old) {
		t.Errorf("%v: it does not come back byte for byte", b)
	}
}

// Everything that left can be listed, shown, and had again by its id; a message
// that left in parts as well.
func TestWhatLeftIsThere(t *testing.T) {
	dir := compacted(t)
	var list struct {
		Chunks []struct {
			ID          string
			Content     string
			Part, Parts int
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, dir, "cold-storage", "list", "--format", "json").out), &list); err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, c := range list.Chunks {
		parts += min(1, c.Part)
		for _, args := range [][]string{{"cold-storage", "show", c.ID, "--format", "json"}, {"recover", "--chunk-id", c.ID, "--format", "json"}} {
			var quoted strings.Builder
			json.NewEncoder(&quoted).Encode(c.Content)
			if r := succeed(t, dir, args...); !strings.Contains(r.out, strings.TrimSpace(quoted.String())) {
				t.Errorf("%v\nhas not %s", r, cut(c.Content))
			}
		}
	}
	t.Logf("%d chunks, %d of them parts of a message", len(list.Chunks), parts)
	if len(list.Chunks) < 10 || parts < 4 {
		t.Errorf("%d chunks, %d of them parts", len(list.Chunks), parts)
	}
}
