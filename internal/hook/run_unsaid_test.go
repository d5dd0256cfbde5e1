package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Many sessions go on at once: none overwrites what another has not said yet.
func TestManySessionsAtOnce(t *testing.T) {
	root := plant(t, orchard())
	const many = 40
	for _, event := range []string{"beforeSubmitPrompt", "afterAgentResponse"} {
		for i := range many {
			run(t, root, "cursor", event, fmt.Sprintf(`{"conversation_id":"chat-%d","prompt":"Question %d.","text":"Answer %d."}`, 143*i, i, i))
		}
	}
	got := everSaid(t, root)
	for i := range many {
		if strings.Count(got, fmt.Sprintf(`"Question %d."`, i)) != 1 || strings.Count(got, fmt.Sprintf(`"Answer %d."`, i)) != 1 {
			t.Errorf("of session %d something is lost in\n%s", i, got)
		}
	}
}

// What a session left unsaid is said when another begins.
func TestWhatASessionLeftUnsaid(t *testing.T) {
	root := plant(t, orchard())
	at := func(when time.Time, event, payload string) {
		e := edge()
		e.Now = func() time.Time { return when }
		Run(t.Context(), Call{Agent: "cursor", Event: event, Payload: strings.NewReader(payload), Dir: root, State: stateBeside(root), Edge: e, Within: leisure})
	}
	at(morning, "beforeSubmitPrompt", `{"conversation_id":"left","prompt":"We use lime."}`)
	for after := range 2 {
		at(morning.Add(time.Duration(after)*time.Minute), "sessionStart", `{"conversation_id":"later"}`)
		if got := everSaid(t, root); strings.Count(got, `"We use lime."`) != 1 || !strings.Contains(got, `"session":"left"`) {
			t.Errorf("it holds %s", got)
		}
	}
	if m := remembered(t, root).recalled(t, "left"); len(m.Unsaid) != 0 {
		t.Errorf("it is still to be said: %v", m.Unsaid)
	}
}

// What the user answers to questions of an agent without a transcript is recorded, however many
// there are and though two plugins tell them, and decides.
func TestAnswersToQuestions(t *testing.T) {
	root := plant(t, orchard())
	l := &later{root: root, agent: "opencode"}
	l.event(t, "UserPromptSubmit", `{"session_id":"s-1","prompt":"Plant the garden."}`)
	said := []string{"Plant the garden."}
	for i := range mostUnsaid + 5 {
		l.after += time.Second
		answer := fmt.Sprintf(`Q: Which pear stands in row %d?\nA: Comice`, i)
		for range 2 {
			l.event(t, "PostToolUse", `{"session_id":"s-1","tool_name":"question","tool_response":"`+answer+`"}`)
		}
		said = append(said, strings.ReplaceAll(answer, `\n`, "\n"))
	}
	l.event(t, "Stop", `{"session_id":"s-1","last_assistant_message":"The garden is planted."}`)
	saidOnce(t, root, append(said, "The garden is planted.")...)
	l.event(t, "PostCompact", `{"session_id":"s-1"}`)
	if told := l.event(t, "SessionStart", `{"session_id":"s-1","source":"compact"}`); !strings.Contains(told, "row 54? A: Comice") {
		t.Errorf("what the user answered is not told: %s", told)
	}
}

// Memories do not pile up: the oldest go, but for what is to be said.
func TestMemoriesDoNotPileUp(t *testing.T) {
	root := plant(t, orchard())
	k := remembered(t, root)
	for i := range mostMemories + 20 {
		m := memory{Version: 1, Session: fmt.Sprint("s-", i), Ended: true}
		if err := k.keep(m); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-1000) * time.Hour)
		if err := os.Chtimes(filepath.Join(root, k.slot(m.Session)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	run(t, root, "cursor", "sessionStart", `{"conversation_id":"anew"}`)
	left, err := filepath.Glob(filepath.Join(root, ".forgemind/.local/"+slotPrefix+"*"))
	if err != nil || len(left) != mostMemories || k.recalled(t, "s-0").Ended || !k.recalled(t, "s-40").Ended {
		t.Errorf("%d are left: %v", len(left), err)
	}
}

// Without a place of the user's own nothing is remembered, and nothing is lost.
func TestWithoutAStateOfTheUser(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, state := range []string{"", filepath.Join(blocked, "forgemind")} {
		root := plant(t, orchard())
		for _, event := range []string{"SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"} {
			answer := Run(t.Context(), Call{
				Agent: "gemini", Event: event, Payload: strings.NewReader(`{"session_id":"s","prompt":"How is the wall laid?","prompt_response":"With lime and sand."}`),
				Dir: root, State: state, Edge: edge(), Within: leisure,
			})
			if told := contextOf(t, string(answer)); event == "SessionStart" && !strings.Contains(told, "Lime mortar only") {
				t.Errorf("it is told %q", told)
			}
		}
		if got := everSaid(t, root); strings.Count(got, `"How is the wall laid?"`) != 1 || strings.Count(got, `"With lime and sand."`) != 1 {
			t.Errorf("%q: it holds\n%s", state, got)
		}
		if local, _ := filepath.Glob(filepath.Join(root, ".forgemind/.local/hook-[^f]*")); len(local) > 0 {
			t.Errorf("it is remembered: %q", local)
		}
	}
}

// Sessions that nobody names may be several: each is told how things stand, and what
// is said in one is said at once.
func TestSessionsWithoutAName(t *testing.T) {
	root := plant(t, orchard())
	for range 2 {
		if answer := run(t, root, "copilot", "sessionStart", `{}`); !strings.Contains(answer, "Lime mortar only") {
			t.Errorf("it is told %q", answer)
		}
	}
	run(t, root, "copilot", "userPromptSubmitted", `{"prompt":"How is the wall laid?"}`)
	if got := everSaid(t, root); strings.Count(got, `"How is the wall laid?"`) != 1 {
		t.Errorf("it holds\n%s", got)
	}
}

// A message that no conversation can hold keeps no other from being taken in.
func TestAMessageThatCannotBeHeld(t *testing.T) {
	root := plant(t, orchard())
	transcript := filepath.Join(t.TempDir(), "s-1.jsonl")
	var src strings.Builder
	for i, branch := range []string{"main", strings.Repeat("x", 70_000), "main"} {
		fmt.Fprintf(&src, `{"type":"user","uuid":"u%d","sessionId":"s-1","timestamp":"2026-03-02T09:0%d:00.000Z","cwd":%q,"gitBranch":%q,"message":{"role":"user","content":"Stone %d is laid."}}`+"\n", i, i, root, branch, i)
	}
	if err := os.WriteFile(transcript, []byte(src.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, root, "claude", "Stop", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"cwd":%q}`, transcript, root))
	if got := everSaid(t, root); strings.Count(got, `"Stone 0 is laid."`) != 1 || strings.Count(got, `"Stone 2 is laid."`) != 1 {
		t.Errorf("it holds\n%s", got)
	}
	if f := faults(t, root); !strings.Contains(f, "a message was left out") {
		t.Errorf("faults: %s", f)
	}
	if m := remembered(t, root).recalled(t, "s-1"); m.Offset != int64(src.Len()) || m.Tried != 0 {
		t.Errorf("it is at %d of %d", m.Offset, src.Len())
	}
}

// An agent that says only afterwards that it compacted its window is told everything
// once; and once more after the next time.
func TestACompactionThatIsToldLate(t *testing.T) {
	for _, order := range [][]string{{"SessionStart", "PostCompact"}, {"PostCompact", "SessionStart"}} {
		root := plant(t, orchard())
		event := func(name string) string {
			return contextOf(t, run(t, root, "claude", name, `{"session_id":"s-1","source":"compact"}`))
		}
		for n := range 2 {
			run(t, root, "claude", "PreCompact", `{"session_id":"s-1","trigger":"auto"}`)
			told := event(order[0]) + event(order[1])
			if strings.Count(told, "Lime mortar only") != 1 {
				t.Errorf("%v, %d: it is told %q", order, n, told)
			}
			if told := contextOf(t, run(t, root, "claude", "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-1","prompt":"Go on %d."}`, n))); told != "" {
				t.Errorf("%v, %d: and once more: %q", order, n, told)
			}
		}
		run(t, root, "claude", "PreCompact", `{"session_id":"s-1","trigger":"auto"}`)
		event("PostCompact")
		if told := contextOf(t, run(t, root, "claude", "UserPromptSubmit", `{"session_id":"s-1","prompt":"And now?"}`)); !strings.Contains(told, "Lime mortar only") {
			t.Errorf("%v: nothing is put back: %q", order, told)
		}
	}
}
