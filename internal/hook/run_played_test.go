package hook

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// A theatre plays a transcript of Claude Code line by line, and runs the hooks that
// it would run, at the times that the transcript tells.
type theatre struct {
	t          *testing.T
	root       string
	transcript string
	now        time.Time

	said    string // last by the agent
	asking  bool   // a turn is under way
	stopped bool   // by the user: then no Stop is told
	calls   map[string]call
	told    []telling
}

// own is the id of the transcript's session.
const own = "5f1c2a9e-7d34-4b6a-9c11-0d2e8f4a6b73"

// A telling is what an event told the agent.
type telling struct{ event, prompt, text string }

// A call is one of a tool.
type call struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// A scene is a line of a transcript.
type scene struct {
	Type, Subtype, Timestamp              string
	IsMeta, IsSidechain, IsCompactSummary bool
	Message                               struct {
		Role    string
		Content json.RawMessage
	}
}

func (p *theatre) hook(event string, more map[string]any) string {
	p.t.Helper()
	payload := map[string]any{
		"session_id": own, "transcript_path": p.transcript, "cwd": p.root, "permission_mode": "default", "hook_event_name": event,
	}
	prompt := ""
	for name, value := range more {
		payload[name] = value
		if name == "prompt" {
			prompt = value.(string)
		}
	}
	src, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	p.now = p.now.Add(time.Second)
	now := p.now
	text := contextOf(p.t, string(Run(p.t.Context(), Call{
		Agent: "claude", Event: event, Payload: strings.NewReader(string(src)), Dir: p.root, State: stateBeside(p.root), Within: leisure,
		Edge: engine.Edge{Now: func() time.Time { return now }, Random: rand.NewChaCha8([32]byte{9})},
	})))
	if n := len(utf16.Encode([]rune(text))); n > mostContext {
		p.t.Errorf("%s %q tells %d characters", event, prompt, n)
	}
	if text != "" {
		p.told = append(p.told, telling{event, prompt, text})
	}
	return text
}

func (p *theatre) stop() {
	if p.asking && !p.stopped {
		p.hook("Stop", map[string]any{"stop_hook_active": false, "last_assistant_message": p.said})
	}
	p.asking, p.stopped = false, false
}

// play plays one line.
func (p *theatre) play(line string) {
	p.t.Helper()
	var s scene
	if err := json.Unmarshal([]byte(line), &s); err != nil {
		p.t.Fatal(err)
	}
	if at, err := time.Parse(time.RFC3339, s.Timestamp); err == nil && at.After(p.now) {
		p.now = at
	}
	prompt := ""
	if s.Type == "user" && !s.IsMeta && !s.IsSidechain && !s.IsCompactSummary && json.Unmarshal(s.Message.Content, &prompt) == nil {
		switch {
		case strings.HasPrefix(prompt, "[Request interrupted"):
			p.stopped = true
		case !strings.HasPrefix(prompt, "<"):
			p.stop()
			p.hook("UserPromptSubmit", map[string]any{"prompt": prompt})
			p.asking = true
		}
	}
	if s.Subtype == "compact_boundary" {
		p.hook("PreCompact", map[string]any{"trigger": "auto", "custom_instructions": ""})
	}
	file, err := os.OpenFile(p.transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := file.WriteString(line); err != nil {
		p.t.Fatal(err)
	}
	file.Close()
	if s.IsCompactSummary {
		p.hook("PostCompact", map[string]any{"trigger": "auto", "compact_summary": prompt})
		p.hook("SessionStart", map[string]any{"source": "compact"})
	}
	p.blocks(s)
}

// blocks are what an agent says, the tools that it uses, and their results.
func (p *theatre) blocks(s scene) {
	var blocks []struct {
		Type, Text, ID string
		call
		ToolUseID string `json:"tool_use_id"`
		IsError   bool   `json:"is_error"`
	}
	if s.IsSidechain || json.Unmarshal(s.Message.Content, &blocks) != nil {
		return
	}
	for _, b := range blocks {
		switch b.Type {
		case "text":
			p.said = b.Text
		case "tool_use":
			p.calls[b.ID] = b.call
		case "tool_result":
			if c := p.calls[b.ToolUseID]; !b.IsError && (c.Name == "Edit" || c.Name == "Write") { // as the matcher has it
				p.hook("PostToolUse", map[string]any{"tool_name": c.Name, "tool_input": c.Input, "tool_use_id": b.ToolUseID})
			}
		}
	}
}

// between is the part of a text from a heading to the next one.
func between(text, heading string) string {
	_, rest, ok := strings.Cut(text, heading)
	if !ok {
		return ""
	}
	if end := strings.Index(rest, "\n#"); end >= 0 {
		rest = rest[:end+1]
	}
	return rest
}

// tideline is a tree with a decision that the conversation comes back to, an open
// question, a long CONTEXT.md that repeats the decision, and a chunk in cold storage
// that has the one word of a prompt.
func tideline() map[string]string {
	files := orchard()
	files[".forgemind/decisions/DEC-2.json"] = `{"id": "DEC-2", "timestamp": "2026-03-01T11:00:00Z", "decision": "All times are stored in UTC", "rationale": "harbours change their clocks", "immutable": true}`
	files[".forgemind/cold-storage/s/compaction-1.jsonl"] += `{"chunk_id":"chunk-tag","session_id":"s","timestamp":"2026-02-01T10:00:00Z","content":"We tag it when the harbour office agrees.","tokens":10,` +
		`"relevance_score":0.1,"recoverable_until":"2036-01-01T00:00:00Z","line":1}` + "\n"
	files[".forgemind/projects/south/CONTEXT.md"] = "# South\n\n## Key Decisions (most recent first)\n<!-- forgemind: key-decisions 1 2zzzw21g08qp -->\n" +
		"1. [2026-03-01] All times are stored in UTC (harbours change their clocks)\n\n## Water\n" + strings.Repeat("The water comes and goes. 🌊\n", 400)
	return files
}

// perform plays the fixture up to the end, and gives what it told.
func perform(t *testing.T) *theatre {
	t.Helper()
	src, err := os.ReadFile("testdata/played/claude.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	p := &theatre{t: t, root: plant(t, tideline()), now: time.Date(2026, 3, 2, 5, 59, 0, 0, time.UTC), calls: map[string]call{}}
	p.transcript = filepath.Join(t.TempDir(), "5f1c2a9e.jsonl")
	p.hook("SessionStart", map[string]any{"source": "startup"})
	for line := range strings.Lines(strings.ReplaceAll(string(src), "$ROOT", filepath.ToSlash(p.root))) {
		p.play(line)
	}
	p.stop()
	return p
}

// TestAPlayedTranscript: a long session as Claude Code writes it down, by hooks
// alone. After the agent's own compaction its context has again what was decided, the
// files, and what the user waits for; each told once, and within its limit.
func TestAPlayedTranscript(t *testing.T) {
	t.Parallel()
	p := perform(t)
	var after string
	for _, told := range p.told {
		switch {
		case told.event == "SessionStart" && after == "" && strings.HasPrefix(told.text, "# After the compaction"):
			after = told.text
		case told.event == "UserPromptSubmit" && !strings.Contains(told.prompt, "bracket"):
			t.Errorf("the prompt %q is told %q", told.prompt, told.text)
		}
	}
	t.Run("what the user waits for", func(t *testing.T) {
		open := between(after, "## Asked by the user, and not answered yet (quoted)\n")
		for _, line := range []string{
			"> Skippers complained that the warning comes too late in spring tides. Please do all of this, in this order 🌊:\n", "> 4. Write the test against the table of Wilhelmshaven",
			"> When it is done, tell me how many messages a day this makes for 140 harbours.\n",
			"- `TestSpring` still expects 60 minutes: the test is to change, not the code.\n", "- I'll keep the threshold in metres and not in feet",
		} {
			if strings.Count(open, line) != 1 || strings.Count(after, line) != 1 {
				t.Errorf("%q is told %d times in\n%s", line, strings.Count(after, line), after)
			}
		}
		asked := between(after, "## Asked before, and what was answered")
		for _, line := range []string{
			"- at first: We build Tideline, a service that tells the tides", "- Send them by SMS as well (broken off)\n", "- a message that arrives after the low water is worthless → True: a message now carries `useless_after`",
		} {
			if strings.Count(asked, line) != 1 {
				t.Errorf("no %q in\n%s", line, asked)
			}
		}
	})
	t.Run("decisions", func(t *testing.T) {
		for _, what := range []string{
			"We go with the BSH files — because they have all constituents in one place", "TOML, with every key documented", "no global map please, put the cache behind an interface in its own package",
			"Notifications go through a queue in SQLite, one row a message", "Lime mortar only in walls/south.md", "All times are stored in UTC", "Which pears?",
		} {
			if n := strings.Count(strings.ToLower(after), strings.ToLower(what)); n != 1 {
				t.Errorf("%q is told %d times in\n%s", what, n, after)
			}
		}
	})
	t.Run("files", func(t *testing.T) {
		want := "config/config.go notify/queue.go notify/mail.go notify/queue_test.go Dockerfile .gitattributes web/page_test.go web/style.css web/page.html cache/cache.go " +
			"cmd/tideline/main.go web/server.go source/bsh_test.go source/bsh.go tide/extremes.go tide/constituent.go tide/northsea.go"
		got := strings.Fields(strings.ReplaceAll(between(after, "## Files touched, newest first\n"), "- ", ""))
		if strings.Join(got, " ") != want {
			t.Errorf("they are %q", got)
		}
		if strings.Contains(after, "files in work") {
			t.Error("the brief tells them again")
		}
	})
	t.Run("what was said before", func(t *testing.T) {
		told := p.told[len(p.told)-1]
		if told.event != "UserPromptSubmit" || strings.Count(told.text, "Newton jumps out of the bracket") != 1 {
			t.Errorf("it is told %q", told)
		}
		if told := p.hook("UserPromptSubmit", map[string]any{"prompt": "Once more: which bracket argument did we have against newton near double high waters?"}); told != "" {
			t.Errorf("told again: %q", told)
		}
	})
	t.Run("a second compaction", func(t *testing.T) {
		p.hook("UserPromptSubmit", map[string]any{"prompt": "Rename the harbour of Büsum\nand tell the skippers."})
		p.hook("PreCompact", map[string]any{"trigger": "manual"})
		p.hook("PostCompact", map[string]any{"trigger": "manual"})
		told := p.hook("SessionStart", map[string]any{"source": "compact"})
		for _, what := range []string{"> Rename the harbour of Büsum\n> and tell the skippers.\n", "- CHANGELOG.md\n", "- We decided against a mobile app", "- at first: We build Tideline", "Lime mortar only in walls/south.md"} {
			if strings.Count(told, what) != 1 {
				t.Errorf("%q is told %d times in\n%s", what, strings.Count(told, what), told)
			}
		}
		p.hook("Stop", map[string]any{"last_assistant_message": "Done: it is called Büsum."})
		if told := p.hook("UserPromptSubmit", map[string]any{"prompt": "ok go on"}); told != "" {
			t.Errorf("told again: %q", told)
		}
		p.hook("Stop", nil)
	})
	t.Run("the tree", func(t *testing.T) {
		p.hook("SessionEnd", map[string]any{"reason": "other"})
		if f := faults(t, p.root); f != "" {
			t.Errorf("faults: %s", f)
		}
		report, err := validate.Tree(open(t, p.root), validate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if f.Severity == validate.Error {
				t.Errorf("%s:%d: %s", f.File, f.Line, f.Message)
			}
		}
	})
	t.Run("the next session", func(t *testing.T) { // is told what this one ended with, not all that it was
		p.hook("UserPromptSubmit", map[string]any{"prompt": "Now the SMS gateway after all."})
		p.hook("SessionEnd", map[string]any{"reason": "other"})
		p.now = p.now.Add(24 * time.Hour)
		for _, begin := range []struct {
			session, source string
			told            bool
		}{{"next", "startup", true}, {"next", "startup", false}, {"other", "clear", false}, {own, "resume", false}, {own, "startup", false}} {
			told := p.hook("SessionStart", map[string]any{"session_id": begin.session, "source": begin.source})
			if strings.Contains(told, "What the session before this left") != begin.told {
				t.Errorf("%s %s is told\n%s", begin.session, begin.source, told)
			}
			if !begin.told {
				continue
			}
			for _, what := range []string{
				"# What the session before this left (claude, 2026-03-02 ", "> Now the SMS gateway after all.\n", "- CHANGELOG.md\n", "- We decided against a mobile app — because the page works on every phone\n",
				"- at first: We build Tideline", "- Rename the harbour of Büsum and tell the skippers. → Done: it is called Büsum.\n", "Lime mortar only in walls/south.md",
			} {
				if strings.Count(told, what) != 1 {
					t.Errorf("%q is told %d times in\n%s", what, strings.Count(told, what), told)
				}
			}
			if strings.Contains(told, "it may still go on") || strings.Contains(told, "ok take those ten") {
				t.Errorf("it is told\n%s", told)
			}
		}
	})
	t.Run("nothing else", func(t *testing.T) {
		for _, noise := range []string{
			"SUBAGENT", "SUMMARY-OF-THE-AGENT", "the summary knows best", "Caveat:", "local-command", "FAIL: TestSpring", "A queue is needed", "ghp_", ".notes.md", "<!--", "You are welcome", "Nothing is recorded",
		} {
			for _, told := range p.told {
				if strings.Contains(told.text, noise) {
					t.Errorf("%q is told in\n%s", noise, told.text)
				}
			}
		}
		if n := strings.Count(after, "The water comes and goes."); n < 50 {
			t.Errorf("of CONTEXT.md %d lines are told", n)
		}
	})
}

// A prompt that says next to nothing brings nothing back.
func TestVague(t *testing.T) {
	for prompt, want := range map[string]bool{
		"": true, "ok go on": true, "commit this": true, "yes": true, "fix the tests": true, "继续": true, "?": true, "Thanks!": true,
		"why did we drop redis?": false, "which port does the server use": false, "TestCheck_SkipsHidden is failing": false,
	} {
		if vague(prompt) != want {
			t.Errorf("%q is vague: %t", prompt, !want)
		}
	}
}

// What a tool read can be read again; what it did or found elsewhere cannot.
func TestReadAgain(t *testing.T) {
	for tool, want := range map[string]bool{"Read": true, "Grep": true, "read_file": true, "LS": true, "list_directory": true, "Bash": false, "WebSearch": false, "Edit": false, "": false} {
		text := `{"msg_id":"msg-1","timestamp":"2026-02-01T10:00:00Z","agent":"x","role":"tool","tool_name":` + strconv.Quote(tool) + `,"content":"stone"}`
		f := cold.Found{Chunk: schema.Chunk{Content: "stone", Message: json.RawMessage(text)}}
		if readAgain(f) != want {
			t.Errorf("%q can be read again: %t", tool, !want)
		}
	}
}
