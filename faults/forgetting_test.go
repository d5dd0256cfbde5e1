//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A forgetful command is one by which something leaves a conversation, comes
// back, or is noted about that.
type forgetful struct {
	base  func(t *testing.T) string
	args  []string
	undo  bool   // what it did can be taken back by `uncompact`
	fails bool   // errors come from each of its calls too
	shows string // stands in a document once it is done
}

// asking is a prompt that answers of cold storage come back for.
const asking = "Which cart brought the plumb and the kiln, and where were they put beside the orchard?"

// forgetting are the commands of that kind.
var forgetting = []forgetful{
	{longTalk, []string{"compact", "--now", "--strategy", "relevance", "--prompt", "the hinge of the oak gate"}, true, true, `"event":"chunk_dropped"`},
	{longTalk, []string{"compact", "--now", "--strategy", "relevance", "--budget", "900"}, true, true, `"part":2`},
	{compacted, []string{"uncompact"}, false, false, ""},
	{compacted, []string{"recover", "--query", "the plumb and the kiln"}, false, true, `"event":"chunk_recovered"`},
	{past, []string{"cold-storage", "expire"}, false, true, ""},
	{compacted, []string{"reset", "--name", "tree"}, false, true, ""},
	{longTalk, []string{"config", "set", "RELEVANCE_CUTOFF", "0.25"}, false, false, "RELEVANCE_CUTOFF: 0.25"},
	{compacted, []string{"health"}, false, false, `"pct_used"`},
	{compacted, []string{"health", "--report", "120000", "--limit", "200000", "--agent", "claude"}, false, false, "120000"},
	{nearlyFull, []string{"message", "add", "What does the beekeeper tell of his queens?" + strings.Repeat(" Honey was sold at market, and swarms flew.", 40), "--agent", "user"}, true, true, `"event":"memfas_curation"`},
	{answering, []string{"message", "add", asking, "--agent", "user"}, false, true, "Recovered from cold storage (chunk-"},
}

// longTalk makes a tree whose conversation has messages of some hundred words
// among short ones.
func longTalk(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	var b strings.Builder
	words := strings.Fields("mortar stones frost lime sand gravel trowel bucket plumb kiln pear orchard south north gate hinge oak nail saw")
	for i := range 30 {
		role, content := "assistant", fmt.Sprintf("Step %d: mixed the mortar %s and laid the stones of the %s.", i, words[i%19], words[(i*7)%19])
		switch {
		case i == 3:
			role, content = "user", "Decision: pears along the south wall."
		case i%5 == 1:
			var long []string
			for k := range 60 {
				long = append(long, fmt.Sprintf("Paragraph %d of %d: the %s and the %s came on cart %d, and were put beside the %s.", k, i, words[(i+k)%19], words[(i*k+3)%19], k, words[(k*5+i)%19]))
			}
			content = strings.Join(long, "\n\n")
		}
		fmt.Fprintf(&b, `{"msg_id": "talk-%03d", "timestamp": "2026-03-02T09:%02d:00Z", "role": %q, "content": %q}`+"\n", i, i, role, content)
	}
	if err := os.WriteFile(filepath.Join(dir, "talk.jsonl"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, dir, "message", "import", "talk.jsonl")
	return settled(dir)
}

// settled forgets what is forgotten by and by, at some command or other.
func settled(dir string) string {
	for _, kept := range []string{"displaced", "last"} {
		os.RemoveAll(filepath.Join(dir, local, kept))
	}
	return dir
}

// compacted is a longTalk most of which is in cold storage, in parts.
func compacted(t *testing.T) string {
	t.Helper()
	dir := longTalk(t)
	succeed(t, dir, "compact", "--now", "--strategy", "relevance", "--budget", "900")
	return settled(dir)
}

// past is compacted long ago.
func past(t *testing.T) string {
	t.Helper()
	dir := compacted(t)
	replaceIn(t, dir, ".forgemind/cold-storage/*/*.jsonl", `("session_id":"[^"]*"),"timestamp":"[^"]*"`, `$1,"timestamp":"2026-03-03T09:00:00.000Z"`)
	replaceIn(t, dir, ".forgemind/cold-storage/*/*.jsonl", `"recoverable_until":"[^"]*"`, `"recoverable_until":"2026-04-02T09:00:00.000Z"`)
	return dir
}

// answering is compacted, and by its policy brings back what a prompt needs.
func answering(t *testing.T) string {
	t.Helper()
	dir := compacted(t)
	replaceIn(t, dir, ".forgemind/context-config.yaml", `(?m)^KEEP_THRESHOLD: .*`, `KEEP_THRESHOLD: 0.4`)
	succeed(t, dir, "config", "set", "compaction.policy", "memfas")
	return settled(dir)
}

// nearlyFull is a longTalk in a window that is to be curated after one more
// message.
func nearlyFull(t *testing.T) string {
	t.Helper()
	dir := longTalk(t)
	replaceIn(t, dir, state, `"(total|available)_tokens": 200000`, `"${1}_tokens": 24200`)
	succeed(t, dir, "config", "set", "compaction.policy", "memfas")
	succeed(t, dir, "set", "/notes/first", "0")
	return settled(dir)
}

// replaceIn replaces a pattern everywhere in the files of a pattern.
func replaceIn(t *testing.T, dir, names, pattern, by string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, names))
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: nothing there: %v", names, err)
	}
	for _, name := range found {
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := regexp.MustCompile(pattern).ReplaceAllString(string(old), by)
		if text == string(old) {
			t.Fatalf("%s: no %s in it", name, pattern)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

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

// stillThere checks that each line that stood in the conversation or in cold
// storage stands in one of them once, or in the trash.
func (tr *trial) stillThere(t *testing.T, dir, how string) {
	t.Helper()
	if len(tr.stood) == 0 {
		return
	}
	now := holdings(t, dir)
	for line := range tr.stood {
		switch n := now.talk[line] + now.cold[line]; {
		case n == 0 && now.trash[line] == 0:
			t.Errorf("%s: lost: %.200s", how, line)
		case n > 1:
			t.Errorf("%s: it stands %d times: %.200s", how, n, line)
		}
	}
}

// back checks that what a compaction took out is whole, and that it comes back
// byte for byte.
func (tr *trial) back(t *testing.T, dir, how string) {
	t.Helper()
	if !tr.undo {
		return
	}
	if r := forgemind(t, dir, "cold-storage", "verify"); r.code != 0 || r.out != "" {
		t.Errorf("%s: %v", how, r)
	}
	succeed(t, dir, "uncompact")
	old, err := os.ReadFile(filepath.Join(tr.base, talk))
	if err != nil {
		t.Fatal(err)
	}
	if now, err := os.ReadFile(filepath.Join(dir, talk)); err != nil || !strings.HasPrefix(string(now), string(old)) {
		t.Errorf("%s: it does not come back byte for byte: %v", how, err)
	}
}

// forgettings rehearses the commands, or those that fail too.
func forgettings(t *testing.T, failing bool) (all []*trial) {
	t.Helper()
	for _, c := range forgetting {
		if failing && !c.fails {
			continue
		}
		tr := rehearse(t, c.base(t), c.args...)
		before := holdings(t, tr.base)
		tr.undo, tr.stood = c.undo, map[string]bool{}
		for _, in := range []map[string]int{before.talk, before.cold} {
			for line := range in { // the line that stands for what left goes with it
				if c.args[0] != "uncompact" || !strings.Contains(line, `"kind":"summary"`) {
					tr.stood[line] = true
				}
			}
		}
		if !strings.Contains(strings.Join(tr.done, ""), c.shows) {
			t.Fatalf("%q: no %s afterwards", c.args, c.shows)
		}
		if len(tr.stood) < 30 {
			t.Fatalf("%q: only %d lines were said", c.args, len(tr.stood))
		}
		all = append(all, tr)
	}
	return all
}

// Killed at each of its system calls, a command that forgets or remembers is
// done or undone by the next one; what was said stands in the conversation or in
// cold storage, once, and comes back byte for byte.
func TestForgettingKilledAtEverySystemCall(t *testing.T) {
	needs(t, "strace")
	killAtCalls(t, forgettings(t, false), atLength(1000, 4))
}

// Whatever call of it fails, it says so, and nothing that was said is lost.
func TestForgettingErrorFromEverySystemCall(t *testing.T) {
	needs(t, "strace")
	failCalls(t, forgettings(t, true), atLength(1000, 3))
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
