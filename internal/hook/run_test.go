package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// morning is when the tests' hooks run.
var morning = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

const hives = "The apiary by the lime trees has nine hives, whose queens were marked with yellow paint before they swarmed."

// orchard is a tree with a decision, a question, a project, a session and a chunk in
// cold storage.
func orchard() map[string]string {
	return map[string]string{
		fs.State:                                 stateOf,
		".forgemind/decisions/DEC-1.json":        `{"id": "DEC-1", "timestamp": "2026-03-01T10:00:00Z", "decision": "Lime mortar only in walls/south.md", "rationale": "the wall breathes", "immutable": true}`,
		".forgemind/projects/south/project.json": `{"id": "project-1", "name": "South", "created": "2026-02-01T10:00:00Z", "phase": "Build"}`,
		".forgemind/projects/south/CONTEXT.md":   "# South\n\nThe south wall is being built.\n\x1b[2J\n## Phase\nBuild\n",
		".forgemind/cold-storage/s/compaction-1.jsonl": `{"chunk_id":"chunk-bees","session_id":"s","timestamp":"2026-02-01T10:00:00Z","content":"` + hives +
			`","tokens":25,"relevance_score":0.1,"recoverable_until":"2036-01-01T00:00:00Z","line":0}` + "\n",
		".quaid/context/active_session.txt": "conv-1\n",
		".quaid/context/sessions/conv-1/hot_context.json": `{"version": 1, "active_goals": [{"id": "goal-1", "goal": "Plant the south wall", "status": "in-progress", "created": "2026-03-01T08:00:00Z"}],
  "key_decisions": [], "important_constraints": [], "pending_actions": []}` + "\n",
		".quaid/context/sessions/conv-1/metadata.json": `{"session_id": "conv-1", "started": "2026-03-01T08:00:00Z", "status": "active"}` + "\n",
		"walls/south.md": "stone\n",
	}
}

// stateOf is a State as a project has it.
const stateOf = `{
  "metadata": {"version": "1.0", "timestamp": "2026-03-02T08:00:00Z", "session_id": "session-1", "last_updated_by": "facilitator"},
  "project": {"name": "Orchard", "current_layer": 2, "layer_name": "DOMAIN", "clarity": 62.5, "status": "in_progress"},
  "role": {"agent": "Facilitator Agent", "agent_id": "facilitator", "mode": "build"},
  "context_window": {"used_tokens": 0, "total_tokens": 200000, "usage_percent": 0, "strategy": "lazy-load"},
  "recent_decisions": [],
  "pending_actions": [],
  "open_questions": [{"id": "Q-1", "question": "Which pears?", "asked_at": "2026-03-01T10:00:00Z", "asked_by": "ann"}]
}`

func write(t testing.TB, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// plant makes a tree of files.
func plant(t testing.TB, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, root, name, text)
	}
	return root
}

func edge() engine.Edge {
	return engine.Edge{Now: func() time.Time { return morning }, Random: rand.NewChaCha8([32]byte{7})}
}

// leisure is how long a hook may take where time is not what is tested.
const leisure = time.Minute

// run is one event in a tree.
func run(t testing.TB, root, agent, event, payload string) string {
	t.Helper()
	return string(Run(t.Context(), Call{Agent: agent, Event: event, Payload: strings.NewReader(payload), Dir: root, State: stateBeside(root), Edge: edge(), Within: leisure}))
}

func open(t testing.TB, root string) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// said are the messages of a tree, one a line.
func said(t testing.TB, root string) string {
	t.Helper()
	tree := open(t, root)
	name, err := session.LiveName(tree)
	if err != nil {
		t.Fatal(err)
	}
	src, _ := tree.Read(name)
	var all strings.Builder
	for _, m := range session.Messages(session.Read(src)) {
		fmt.Fprintf(&all, "%s: %s\n", m.Role, m.Content)
	}
	return all.String()
}

// hot is the active session's hot context.
func hot(t testing.TB, root string) (h schema.HotContext) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(root, ".quaid/context/sessions/conv-1/hot_context.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// faults are what went wrong.
func faults(t testing.TB, root string) string {
	t.Helper()
	var all strings.Builder
	for _, f := range RunFaults(open(t, root)) {
		fmt.Fprintf(&all, "%s %s: %s\n", f.Agent, f.Event, f.Text)
	}
	return all.String()
}

// outcome is all that came of an event.
func outcome(t testing.TB, root, answer string) string {
	t.Helper()
	var text strings.Builder
	part := func(head, body string) {
		if body != "" {
			text.WriteString("-- " + head + " --\n" + strings.TrimRight(body, "\n") + "\n")
		}
	}
	told := contextOf(t, answer)
	quoted, err := jsonedit.Value(told)
	if err != nil {
		t.Fatal(err)
	}
	part("answer", strings.Replace(answer, string(quoted), `"$TOLD"`, 1))
	part("told", told)
	part("messages", said(t, root))
	if decisions, _ := filepath.Glob(filepath.Join(root, ".forgemind/decisions/*.json")); len(decisions) != 1 {
		part("decisions", fmt.Sprint(len(decisions)))
	}
	if files := hot(t, root).CurrentFileContext; files != nil {
		part("files", strings.Join(files.Files, "\n"))
	}
	if snapshots, _ := filepath.Glob(filepath.Join(root, ".forgemind/context/context-history/*.json")); len(snapshots) > 0 {
		part("snapshots", fmt.Sprint(len(snapshots)))
	}
	tree := open(t, root)
	if u := health.ReadReported(tree, health.Talk(tree)); u != nil {
		part("window", fmt.Sprintf("%d of %d, said %s", u.Tokens, u.Limit, u.Agent))
	}
	part("faults", faults(t, root))
	return text.String()
}

// contextOf is what an answer tells the agent, in whichever form.
func contextOf(t testing.TB, answer string) string {
	t.Helper()
	if answer == "" {
		return ""
	}
	var a struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		Snake string `json:"additional_context"`
		Camel string `json:"additionalContext"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatalf("%v in %q", err, answer)
	}
	return a.Output.Context + a.Snake + a.Camel
}

// TestPayloads: what every agent says by its documentation gets the answer that it
// reads, and is recorded.
func TestPayloads(t *testing.T) {
	files, err := filepath.Glob("testdata/payloads/*/*.json")
	if err != nil || len(files) < 70 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		agent := filepath.Base(filepath.Dir(file))
		event, _, _ := strings.Cut(filepath.Base(file), ".")
		t.Run(agent+"/"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && strings.Contains(file, "fifo") {
				t.Skip("it has no such files")
			}
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			root, transcripts := plant(t, orchard()), t.TempDir()
			for _, name := range []string{"claude.jsonl", "codex.jsonl", "events.jsonl"} {
				src, err := os.ReadFile(filepath.Join("testdata/payloads", name))
				if err != nil {
					t.Fatal(err)
				}
				write(t, transcripts, name, strings.ReplaceAll(string(src), "$ROOT", filepath.ToSlash(root)))
			}
			brief, err := query.Brief(t.Context(), open(t, root), query.BriefQuery{MaxTokens: mostContext, Count: units})
			if err != nil {
				t.Fatal(err)
			}
			payload := strings.NewReplacer("$ROOT", filepath.ToSlash(root), "$TRANSCRIPT", filepath.ToSlash(transcripts)).Replace(string(src))
			answer := run(t, root, agent, event, payload)
			if n := len(utf16.Encode([]rune(contextOf(t, answer)))); n > 10_000 {
				t.Errorf("it tells %d characters", n)
			}
			if strings.ContainsRune(answer, '\x1b') || strings.Contains(contextOf(t, answer), "\x1b") {
				t.Errorf("an escape in %q", answer)
			}
			got := strings.NewReplacer(root, "$ROOT", brief.Text(), "$BRIEF\n").Replace(outcome(t, root, answer))
			golden := strings.TrimSuffix(file, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
				t.Errorf("it is\n%s\nnot\n%s", got, want)
			}
		})
	}
}
