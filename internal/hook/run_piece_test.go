package hook

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// What is heard line by line is what is heard at once: a subagent's lines by
// themselves are no conversation, what stands there twice is said once, and an answer
// is known by its question.
func TestHeardLineByLine(t *testing.T) {
	talks := map[string]string{
		"claude": `{"type":"user","uuid":"u1","sessionId":"s-1","timestamp":"2026-03-02T09:00:00Z","cwd":"$ROOT","message":{"role":"user","content":"Begin the wall."}}
{"type":"assistant","uuid":"a1","sessionId":"s-1","isSidechain":true,"timestamp":"2026-03-02T09:00:01Z","message":{"role":"assistant","content":"Inner talk."}}
{"type":"user","uuid":"u2","sessionId":"s-1","isSidechain":true,"timestamp":"2026-03-02T09:00:02Z","message":{"role":"user","content":"Inner too."}}
{"type":"assistant","uuid":"a2","sessionId":"s-1","timestamp":"2026-03-02T09:00:03Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"DB?"}]}}]}}
{"type":"user","uuid":"u3","sessionId":"s-1","timestamp":"2026-03-02T09:00:04Z","toolUseResult":{"questions":[{"question":"DB?"}],"answers":{"DB?":"PostgreSQL, never MySQL"}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"User has answered"}]}}
`,
		"codex": `{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"s-1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"$ROOT"}}
{"timestamp":"2026-03-02T09:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"Lay the wall."}}
{"timestamp":"2026-03-02T09:00:01.002Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Lay the wall."}]}}
{"timestamp":"2026-03-02T09:00:02.000Z","type":"event_msg","payload":{"type":"agent_message","message":"It is laid."}}
{"timestamp":"2026-03-02T09:00:02.004Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"It is laid."}]}}
`,
	}
	for agent, talk := range talks {
		root := plant(t, orchard())
		talk = strings.ReplaceAll(talk, "$ROOT", filepath.ToSlash(root))
		p := &player{t: t, root: root, agent: agent, transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
		sofar := ""
		for line := range strings.Lines(talk) {
			sofar += line
			write(t, filepath.Dir(p.transcript), "s-1.jsonl", sofar)
			p.event("Stop", "")
		}
		whole, err := transcript.Read([]byte(talk))
		if err != nil || len(whole.Messages) == 0 {
			t.Fatal(err)
		}
		want := ""
		for _, m := range whole.Messages {
			want += fmt.Sprintf("%s: %s\n", m.Role, m.Content)
		}
		if got := said(t, root); got != want {
			t.Errorf("%s: it is\n%s\nnot\n%s", agent, got, want)
		}
	}
}

// before is whole lines, and the first of the file.
func TestWhatStandsBefore(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t")
	text := []byte(`{"first":"` + strings.Repeat("x", headSize) + `"}` + "\n" + strings.Repeat(`{"more":"line"}`+"\n", 100))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	tr, ok, err := openTranscript(file)
	if !ok || err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	first := text[:bytes.IndexByte(text, '\n')+1]
	for most, want := range map[int]string{40: string(first) + strings.Repeat(`{"more":"line"}`+"\n", 2), 5: string(first), 1 << 20: string(text), 0: string(first)} {
		if got, err := tr.before(tr.size, most); err != nil || string(got) != want {
			t.Errorf("%d: %d bytes, not %d: %v", most, len(got), len(want), err)
		}
	}
	if got, err := tr.before(0, 40); len(got) > 0 || err != nil {
		t.Errorf("before the beginning stands %q: %v", got, err)
	}
}

// What the machine refuses is tried again; what the message is refused for is not.
func TestPassing(t *testing.T) {
	if !passing(fmt.Errorf("x: %w", syscall.ENOSPC)) || !passing(&os.PathError{Err: syscall.EIO}) || passing(errors.New("the id is taken")) {
		t.Error("a full disk is not the message's")
	}
}

// What the tree never takes in, for whatever reason, does not keep a session where it
// is for ever: here its id is another's.
func TestWhatIsNeverTakenIn(t *testing.T) {
	files := orchard()
	files[".quaid/context/sessions/conv-1/recent_history.jsonl"] = `{"id":"` + schema.DerivedID("msg-", []byte("msg-u1 part 1")) + `","timestamp":"2026-03-02T08:00:00Z","agent":"user","role":"user","content":"Taken."}` + "\n"
	p := &player{t: t, root: plant(t, files), agent: "claude", transcript: filepath.Join(t.TempDir(), "s.jsonl")}
	p.line("user", "Lay the wall.")
	for range mostTries - 1 {
		p.event("Stop", "")
	}
	p.line("user", "And the roof.")
	for range 2 {
		p.event("Stop", "")
	}
	got, f := said(t, p.root), faults(t, p.root)
	if strings.Contains(got, "Lay the wall") || !strings.Contains(got, "And the roof") || !strings.Contains(f, "were left out: ") {
		t.Errorf("it holds %s; faults: %s", got, f)
	}
}
