package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The Copilot CLI names its transcript when the agent stops, and writes the end of the turn
// afterwards: it is read when the session ends, or when it begins again.
func TestTheEndOfATurnIsWrittenLate(t *testing.T) {
	t.Parallel()
	event := func(kind, id, data string) string {
		return fmt.Sprintf(`{"type":%q,"data":%s,"id":%q,"timestamp":%q}`+"\n", kind, data, id, morning.Format("2006-01-02T15:04:05.000Z"))
	}
	begin := event("session.start", "c1", `{"sessionId":"s-1"}`) + event("user.message", "c2", `{"content":"Lay the south wall."}`) +
		event("assistant.message", "c3", `{"content":"I look at the stones first."}`)
	end := event("assistant.message", "c4", `{"content":"The south wall is laid, of granite."}`)
	const whole = "user: Lay the south wall.\nassistant: I look at the stones first.\nassistant: The south wall is laid, of granite.\n"
	for name, atStop := range map[string]string{"half of it": begin, "nothing yet": ""} {
		for _, last := range [][2]string{{"sessionEnd", `"reason":"complete"`}, {"sessionStart", `"source":"resume"`}, {"sessionEnd", ""}} {
			t.Run(name+", "+last[0]+last[1], func(t *testing.T) {
				root, file := plant(t, orchard()), filepath.Join(t.TempDir(), "events.jsonl")
				put := func(text string) {
					if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if atStop != "" {
					put(atStop)
				}
				run(t, root, "copilot", "sessionStart", `{"sessionId":"s-1","source":"new"}`)
				run(t, root, "copilot", "userPromptSubmitted", `{"sessionId":"s-1","prompt":"Lay the south wall."}`)
				run(t, root, "copilot", "agentStop", `{"sessionId":"s-1","transcriptPath":"`+filepath.ToSlash(file)+`"}`)
				if last[1] == "" { // it is written when the session has ended: the next session reads it
					run(t, root, "copilot", last[0], `{"sessionId":"s-1"}`)
					put(begin + end)
					run(t, root, "claude", "SessionStart", `{"session_id":"s-2","source":"startup"}`)
				} else {
					put(begin + end)
					run(t, root, "copilot", last[0], `{"sessionId":"s-1",`+last[1]+`}`)
				}
				if got := said(t, root); got != whole {
					t.Errorf("said %q; faults: %s", got, faults(t, root))
				}
				if m := remembered(t, root).recalled(t, "s-1"); len(m.Turns) != 1 || m.Turns[0].Open || strings.Join(m.Turns[0].Said, "|") != "The south wall is laid, of granite." {
					t.Errorf("it remembers %+v", m.Turns)
				}
			})
		}
	}
}

// A resumed session has the brief already, unless it changed. Codex reports "resume" and
// "compact" at once if it compacts a session that it resumes: one of them gets the lost text.
func TestTheBriefIsToldOnce(t *testing.T) {
	t.Parallel()
	root, now, session := plant(t, orchard()), morning, "s-1"
	event := func(name, more string) string {
		t.Helper()
		now = now.Add(30 * time.Millisecond)
		later := edge()
		later.Now = func() time.Time { return now }
		return contextOf(t, string(Run(t.Context(), Call{
			Agent: "codex", Event: name, Payload: strings.NewReader(`{"session_id":"` + session + `",` + more + `}`), Dir: root, State: stateBeside(root), Edge: later, Within: leisure,
		})))
	}
	tells := func(what, begin, told string) {
		t.Helper()
		if begin == "" && told != "" || !strings.HasPrefix(told, begin) {
			t.Errorf("%s: %q", what, told)
		}
	}
	tells("a start", "# Brief of", event("SessionStart", `"source":"startup"`))
	event("UserPromptSubmit", `"prompt":"Lay the south wall."`)
	event("PostToolUse", `"tool_name":"Edit","tool_input":{"file_path":"walls/north.md"}`)
	event("Stop", `"last_assistant_message":"It is laid, of granite and lime."`)
	now = now.Add(time.Hour)
	tells("resumed", "", event("SessionStart", `"source":"resume"`))
	now = now.Add(time.Hour)
	write(t, root, ".forgemind/decisions/DEC-9.json", `{"id": "DEC-9", "timestamp": "2026-03-01T11:00:00Z", "decision": "No cement", "immutable": true}`)
	tells("resumed after a change", "# Brief of", event("SessionStart", `"source":"resume"`))
	for range 2 {
		tells("resumed with the same", "", event("SessionStart", `"source":"resume"`))
		now = now.Add(time.Minute)
		event("PreCompact", `"trigger":"auto"`)
		event("PostCompact", `"trigger":"auto"`)
		tells("resumed and compacted", "# After the compaction", event("SessionStart", `"source":"resume"`))
		tells("and once more", "", event("SessionStart", `"source":"compact"`))
	}
	now = now.Add(time.Minute)
	tells("resumed with the same", "", event("SessionStart", `"source":"resume"`))
	event("PreCompact", `"trigger":"manual"`)
	tells("compacted at once, before it is reported", "# After the compaction", event("SessionStart", `"source":"compact"`))
	session = "s-2"
	tells("another", "# ", event("SessionStart", `"source":"resume"`))
	event("PreCompact", `"trigger":"manual"`)
	event("PostCompact", `"trigger":"manual"`)
	tells("compacted with nothing said", "# Brief of", event("SessionStart", `"source":"compact"`))
}
