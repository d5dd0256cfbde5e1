package transcript

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// shown is what of messages must be the same, whoever read them.
func shown(messages []schema.Message) string {
	var all strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&all, "%s %s %s %s %s %s %q\n", m.ID, m.Timestamp, m.Session, m.Agent, m.Role, m.ToolName, m.Content)
	}
	return all.String()
}

// Talks of agents as they write them down, line by line. What is in doubt without
// what stands before: a subagent's lines by themselves, what an event and an item
// say, an answer by its question.
var talks = map[string]string{
	"claude-code": `{"type":"summary","summary":"A wall","leafUuid":"l1"}
{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-03-02T09:00:00Z","cwd":"/r","message":{"role":"user","content":"Begin."}}
{"type":"assistant","uuid":"a1","sessionId":"s","isSidechain":true,"timestamp":"2026-03-02T09:00:01Z","message":{"role":"assistant","content":"Inner. ` + strings.Repeat("Stone. ", 10_000) + `"}}
{"type":"user","uuid":"u2","sessionId":"s","isSidechain":true,"timestamp":"2026-03-02T09:00:02Z","message":{"role":"user","content":"Inner too."}}
{"type":"assistant","uuid":"a2","sessionId":"s","timestamp":"2026-03-02T09:00:03Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"DB?"}]}}]}}
{"type":"user","uuid":"u3","sessionId":"s","timestamp":"2026-03-02T09:00:04Z","toolUseResult":{"questions":[{"question":"DB?"}],"answers":{"DB?":"PostgreSQL, never MySQL"}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"User has answered"}]}}
{"type":"queue-operation","operation":"remove","reason":"absorbed_mid_turn","sessionId":"s","timestamp":"2026-03-02T09:00:05Z","content":"Faster."}
{"type":"attachment","uuid":"q1","sessionId":"s","timestamp":"2026-03-02T09:00:05Z","attachment":{"type":"queued_command","prompt":"Faster."}}
`,
	"codex": `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"0199","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/r"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"Lay it."}}
{"timestamp":"2026-03-02T09:00:01.002Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Lay it."}]}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Laid."}}
{"timestamp":"2026-03-02T09:00:02.004Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Laid."}]}}
{"timestamp":"2026-03-02T09:00:03.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Lay it."}]}}
{"timestamp":"2026-03-02T09:00:03.001Z","type":"event_msg","payload":{"type":"user_message","message":"Lay it."}}
{"timestamp":"2026-03-02T09:00:04.000Z","type":"event_msg","payload":{"type":"user_message","message":"Faster."}}
{"timestamp":"2026-03-02T09:00:05.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}
{"timestamp":"2026-03-02T09:00:06.000Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"ok"}}
`,
}

// A transcript that is read part by part, wherever it is cut, gives the same
// messages as when it is read at once.
func TestPartsGiveTheWhole(t *testing.T) {
	for name, file := range map[string]string{
		"claude-code": "testdata/claude-code.jsonl", "codex": "testdata/codex.jsonl", "codex, old": "testdata/codex-old.jsonl",
		"copilot": "testdata/copilot.jsonl", "claude-code, played": "../hook/testdata/played/claude.jsonl",
	} {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		tool, _, _ := strings.Cut(name, ",")
		partsGive(t, name, tool, src)
	}
	for tool, text := range talks {
		if whole := partsGive(t, "talk of "+tool, tool, []byte(text)); len(whole) != map[string]int{"claude-code": 4, "codex": 6}[tool] {
			t.Errorf("%s: %d messages:\n%s", tool, len(whole), shown(whole))
		}
	}
}

// partsGive reads a transcript line by line, by tens of lines, and at once.
func partsGive(t *testing.T, name, tool string, src []byte) []schema.Message {
	t.Helper()
	whole, err := ReadOf(tool, src)
	if err != nil || len(whole.Messages) == 0 {
		t.Fatalf("%s: %d messages: %v", name, len(whole.Messages), err)
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	const overlap = 64 << 10
	for _, many := range []int{1, 10} {
		var got []schema.Message
		at := 0
		for i := 0; i < len(lines); i += many {
			part := bytes.Join(lines[i:min(i+many, len(lines))], nil)
			if len(part) == 0 {
				break
			}
			before := src[:at]
			if at > overlap { // the first line, and the end of the rest by whole lines
				tail := src[at-overlap : at]
				before = append(bytes.Clone(lines[0]), tail[bytes.IndexByte(tail, '\n')+1:]...)
			}
			rd, err := ReadPart(tool, before, part)
			if err != nil {
				t.Fatalf("%s: the part of line %d: %v", name, i+1, err)
			}
			got, at = append(got, rd.Messages...), at+len(part)
		}
		if a, b := shown(got), shown(whole.Messages); a != b {
			x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
			for n := range min(len(x), len(y)) {
				if x[n] != y[n] {
					t.Errorf("%s by %d: message %d is\n%.300s\nnot\n%.300s", name, many, n, x[n], y[n])
					break
				}
			}
			t.Errorf("%s by %d: %d messages, not %d", name, many, len(got), len(whole.Messages))
		}
	}
	return whole.Messages
}
