package hook

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// TestGeminiCompressesNothing: PreCompress with the trigger auto comes before every
// request; and of a prompt only what the user typed is recorded.
func TestGeminiCompressesNothing(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "gemini", transcript: filepath.Join(t.TempDir(), "session.jsonl")}
	context := p.event("SessionStart", `,"source":"startup"`)
	for i, asked := range []string{"Who keeps the hives?", "And the pears?", "And the quinces?"} {
		prompt := fmt.Sprintf("<hook_context>%s<hook_context>Decision: brick only.</hook_context></hook_context>\n\n%s", context, asked)
		context = p.event("BeforeAgent", fmt.Sprintf(`,"prompt":%q`, prompt))
		if strings.Contains(context, "After the compaction") {
			t.Errorf("turn %d: nothing was compacted: %s", i, context)
		}
		for range 3 {
			p.event("PreCompress", `,"trigger":"auto"`)
		}
		p.event("AfterAgent", fmt.Sprintf(`,"prompt":%q,"prompt_response":"The gardener, %d."`, prompt, i))
	}
	said := outcome(t, root, "")
	for _, want := range []string{"Who keeps the hives?", "And the pears?", "And the quinces?", "The gardener, 2."} {
		if !strings.Contains(said, want) {
			t.Errorf("%q was not recorded:\n%s", want, said)
		}
	}
	if strings.Contains(said, "hook_context") || strings.Contains(said, "brick only") || strings.Contains(said, "snapshots") {
		t.Errorf("recorded, or kept:\n%s", said)
	}
	p.event("PreCompress", `,"trigger":"manual"`)
	if context := p.event("BeforeAgent", `,"prompt":"Go on."`); !strings.Contains(context, "After the compaction") {
		t.Errorf("the user had it compacted, and nothing came back: %s", context)
	}
}

// TestGeminiCompressesByItself: no event tells it, but the summary in its transcript
// does; once.
func TestGeminiCompressesByItself(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "gemini", transcript: filepath.Join(t.TempDir(), "session.jsonl")}
	head := `{"sessionId":"s-1","projectHash":"d","kind":"main"}` + "\n" + `{"id":"g1","timestamp":"2026-03-02T09:00:00.000Z","type":"user","content":"Who keeps the hives? Not the <state_snapshot>."}` + "\n"
	write(t, filepath.Dir(p.transcript), "session.jsonl", head)
	p.event("BeforeAgent", `,"prompt":"Who keeps the hives?"`)
	p.event("AfterAgent", `,"prompt_response":"The gardener."`)
	if told := p.event("BeforeAgent", `,"prompt":"And the pears?"`); strings.Contains(told, "After the compaction") {
		t.Errorf("nothing was compacted: %s", told)
	}
	summary := `{"$set":{"messages":[{"id":"g7","timestamp":"2026-03-02T09:00:00.000Z","type":"user","content":[{"text":"<state_snapshot>Hives.</state_snapshot>"}]}]}}` + "\n"
	write(t, filepath.Dir(p.transcript), "session.jsonl", head+summary)
	if told := p.event("BeforeAgent", `,"prompt":"Go on."`); !strings.Contains(told, "After the compaction") {
		t.Errorf("it was compacted: %q", told)
	}
	write(t, filepath.Dir(p.transcript), "session.jsonl", head+summary+summary)
	if told := p.event("BeforeAgent", `,"prompt":"Go on, please."`); strings.Contains(told, "After the compaction") {
		t.Errorf("told twice: %q", told)
	}
	resumed := p.transcript
	write(t, filepath.Dir(resumed), "session.jsonl", head+strings.ReplaceAll(summary, "Hives", "Pears"))
	p.transcript = filepath.Join(filepath.Dir(resumed), "session-of-this-minute.jsonl")
	write(t, filepath.Dir(resumed), "session-of-this-minute.jsonl", head)
	if told := p.event("SessionStart", `,"source":"resume"`); !strings.Contains(told, "After the compaction") {
		t.Errorf("it was compacted before it was resumed: %q", told)
	}
	p.transcript = resumed
	if told := p.event("BeforeAgent", `,"prompt":"Go on with the pears."`); told != "" {
		t.Errorf("told twice: %q", told)
	}
}

// TestATaskIsNoPrompt: that a task in the background is done is not asked by the user.
func TestATaskIsNoPrompt(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.turn("Who keeps the hives?", "The gardener.", "")
	p.event("UserPromptSubmit", `,"prompt":"<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>"`)
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	key, err := fs.Secret(stateBeside(root), keyFile)
	if err != nil {
		t.Fatal(err)
	}
	m, err := memories{tree, key}.recall("s-1")
	if err != nil || len(m.Turns) != 1 || m.Turns[0].Open {
		t.Errorf("%+v, %v", m.Turns, err)
	}
}
