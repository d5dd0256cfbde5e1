//go:build linux

package faults_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// An agentEvent is one event of an agent's session: what the agent wrote into its
// transcript since the one before, and what it says to the hook.
type agentEvent struct {
	agent, event string
	lines        []string
	payload      map[string]any // but for where things are
	says         string         // what is said there, by the payload or the transcript
	touches      string         // the file that a tool changed
}

// own returns what nobody but the payload says.
func (h agentEvent) own() string {
	if h.agent == "claude" || h.agent == "codex" {
		return ""
	}
	return h.says
}

// named are the agents' names for the start of a session, a prompt, a tool, an
// answer, what comes before and after a compaction, and the end; "" is none.
var named = map[string][7]string{
	"claude":  {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"},
	"codex":   {"SessionStart", "UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "PostCompact", "SessionEnd"},
	"cursor":  {"sessionStart", "beforeSubmitPrompt", "afterFileEdit", "afterAgentResponse", "preCompact", "", "sessionEnd"},
	"gemini":  {"SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "PreCompress", "", "SessionEnd"},
	"copilot": {"sessionStart", "userPromptSubmitted", "postToolUse", "agentStop", "preCompact", "", "sessionEnd"},
	"memfas":  {"", "message-received", "", "post-response", "", "", "session-end"},
}

// A dialogue is what happens in a session of so many turns, with a compaction after
// the first of them; every word of it is its own.
func dialogue(agent, session string, turns int) (all []agentEvent) {
	var lines []string
	add := func(which int, more map[string]any, says string) {
		event := named[agent][which]
		if event == "" {
			return
		}
		payload := map[string]any{"hook_event_name": event, "session_id": session, "transcript_path": "TRANSCRIPT", "cwd": "ROOT"}
		switch agent {
		case "cursor":
			payload["conversation_id"], payload["workspace_roots"] = session, []string{"ROOT"}
			delete(payload, "cwd")
		case "copilot":
			payload = map[string]any{"sessionId": session, "cwd": "ROOT", "timestamp": 1772442000000}
		}
		maps.Copy(payload, more)
		all = append(all, agentEvent{agent, event, lines, payload, says, ""})
		lines = nil
	}
	write := func(role, id, text string) {
		switch agent {
		case "claude":
			content := any(text)
			if role == "assistant" {
				content = []any{map[string]any{"type": "text", "text": text}}
			}
			lines = append(lines, asJSON(map[string]any{"type": role, "uuid": session + "-" + id, "sessionId": session, "timestamp": "2026-03-02T08:00:00.000Z",
				"message": map[string]any{"role": role, "content": content, "usage": map[string]any{"input_tokens": 100 * len(all), "output_tokens": 10}}}))
		case "codex":
			kind := map[string]string{"user": "input_text", "assistant": "output_text"}[role]
			lines = append(lines, asJSON(map[string]any{"timestamp": fmt.Sprintf("2026-03-02T08:%02d:00.000Z", len(all)), "type": "response_item",
				"payload": map[string]any{"type": "message", "role": role, "content": []any{map[string]any{"type": kind, "text": text}}}}))
		}
	}
	if agent == "codex" {
		lines = []string{asJSON(map[string]any{"timestamp": "2026-03-02T08:00:00.000Z", "type": "session_meta", "payload": map[string]any{"id": session, "originator": "codex_cli_rs"}})}
	}
	add(0, map[string]any{"source": "startup"}, "")
	for i := range turns {
		id := fmt.Sprintf("%s-%d", session, i)
		prompt := fmt.Sprintf("Prompt %s: how is walls/%s.md to be laid? Decision: wall %[1]s is laid in lime mortar, because it breathes.", id, id)
		add(1, map[string]any{"prompt": prompt, "message": prompt, "generation_id": id, "turn_id": id}, prompt)
		write("user", id+"-u", prompt)
		name := "walls/" + id + ".md"
		path := "ROOT/" + name
		args := asJSON(map[string]any{"path": path})
		add(2, map[string]any{"tool_name": "Write", "toolName": "create", "tool_input": map[string]any{"file_path": path}, "toolArgs": args, "file_path": path}, "")
		if last := &all[len(all)-1]; last.event == named[agent][2] {
			last.touches = name
			if agent == "cursor" {
				delete(last.payload, "tool_name")
			}
		}
		answer := fmt.Sprintf("Answer %s: stone upon stone.", id)
		write("assistant", id+"-a", answer)
		said := map[string]any{"prompt": prompt, "prompt_response": answer, "text": answer, "response": answer, "generation_id": id, "turn_id": id}
		if agent == "copilot" { // which does not say what it answered
			said, answer = map[string]any{"stopReason": "end_turn"}, ""
		}
		add(3, said, answer)
		if i == 0 {
			add(4, map[string]any{"trigger": "manual"}, "")
			add(5, map[string]any{"trigger": "manual", "compact_summary": "stones"}, "")
			add(0, map[string]any{"source": "compact"}, "")
		}
	}
	add(6, map[string]any{"reason": "other"}, "")
	return all
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// transcriptOf returns the path at which an agent beside dir writes a session down.
func transcriptOf(dir, session string) string {
	return filepath.Join(homeOf(dir), "transcripts", session+".jsonl")
}

// command writes the transcript of the agent, and returns the hook that the agent runs.
func (h agentEvent) command(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	session, _ := h.payload["session_id"].(string)
	if session == "" {
		session, _ = h.payload["sessionId"].(string)
	}
	transcript := transcriptOf(dir, session)
	if len(h.lines) > 0 {
		if err := os.MkdirAll(filepath.Dir(transcript), 0o755); err != nil {
			t.Error(err)
		}
		f, err := os.OpenFile(transcript, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err != nil {
			t.Error(err)
			return nil
		}
		fmt.Fprintln(f, strings.Join(h.lines, "\n"))
		f.Close()
	}
	cmd := atHome(dir, "hook", "run", h.event, "--agent", h.agent)
	cmd.Stdin = strings.NewReader(strings.NewReplacer("ROOT", dir, "TRANSCRIPT", transcript).Replace(asJSON(h.payload)))
	return cmd
}

// silent checks that a hook keeps no agent from its work: exit code 0, no error,
// and nothing but what the agent reads.
func silent(t *testing.T, how, agent string, r run) {
	t.Helper()
	if r.code != 0 || r.err != "" {
		t.Errorf("%s: %v\nis not exit 0 without a word", how, r)
	}
	if r.out == "" {
		return
	}
	var answer struct {
		Output *struct {
			Event string `json:"hookEventName"`
			Text  string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
		Continue *bool  `json:"continue"`
		Snake    string `json:"additional_context"`
		Camel    string `json:"additionalContext"`
	}
	strict := json.NewDecoder(strings.NewReader(r.out))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&answer); err != nil || strict.More() || control.MatchString(r.out) {
		t.Errorf("%s: %v: %.300q", how, err, r.out)
		return
	}
	text := answer.Snake
	switch {
	case agent == "copilot":
		text = answer.Camel
	case answer.Output != nil:
		text = answer.Output.Text
	}
	if text == "" || len(text) > 40_000 || control.MatchString(strings.NewReplacer("\n", "", "\t", "").Replace(text)) || strings.Contains(text, outside) {
		t.Errorf("%s: it tells %d bytes: %.300q", how, len(text), text)
	}
}

// spoken returns how often each message stands in the conversations of a tree; and
// each decision in its Ledger.
func spoken(t *testing.T, dir string) (messages, decisions map[string]int) {
	t.Helper()
	messages, decisions = map[string]int{}, map[string]int{}
	for name, text := range ledger(t, dir) {
		var d struct{ Decision string }
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		decisions[d.Decision]++
	}
	eachMessage(t, dir, func(_ string, m message) {
		if m.Kind != "summary" {
			messages[m.Content]++
		}
	})
	return messages, decisions
}

// touched returns which files tools changed, by the hot context and by what hooks
// remember.
func touched(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for name, text := range documents(t, dir) {
		var kept struct {
			Files   []string
			Current struct{ Files []string } `json:"current_file_context"`
		}
		if strings.HasSuffix(name, "/hot_context.json") || strings.Contains(name, "/.local/hook-") {
			if err := json.Unmarshal([]byte(text), &kept); err != nil && !strings.Contains(name, "faults") {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, file := range append(kept.Files, kept.Current.Files...) {
			all[file] = true
		}
	}
	return all
}
