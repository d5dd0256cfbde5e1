package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A later is an agent's hooks, some time after the morning.
type later struct {
	root, agent string
	after       time.Duration
}

func (l *later) event(t *testing.T, event, payload string) (told string) {
	t.Helper()
	e := edge()
	e.Now = func() time.Time { return morning.Add(l.after) }
	return contextOf(t, string(Run(t.Context(), Call{
		Agent: l.agent, Event: event, Payload: strings.NewReader(payload), Dir: l.root, State: stateBeside(l.root), Edge: e, Within: leisure,
	})))
}

// saidOnce checks that the tree holds each of these words as one message.
func saidOnce(t *testing.T, root string, all ...string) {
	t.Helper()
	held := everSaid(t, root)
	for _, words := range all {
		if n := strings.Count(held, fmt.Sprintf(`"content":%q`, words)); n != 1 {
			t.Errorf("%q is there %d times in\n%s", words, n, held)
		}
	}
}

// copilotTalk is what Copilot writes down of one turn, with times of the morning.
func copilotTalk(root string) string {
	at := func(second int) string {
		return morning.Add(time.Duration(second) * time.Second).UTC().Format(time.RFC3339Nano)
	}
	return fmt.Sprintf(`{"type":"session.start","data":{"sessionId":"s-1","producer":"copilot-agent","startTime":%q,"context":{"cwd":%q}},"id":"e1","timestamp":%[1]q}
{"type":"user.message","data":{"content":"How is the wall laid?"},"id":"e2","timestamp":%q}
{"type":"assistant.message","data":{"messageId":"m1","content":"Decision: it is laid with lime."},"id":"e3","timestamp":%q}
`, at(0), root, at(1), at(2))
}

// TestATranscriptThatIsWrittenLate: Copilot names a transcript that is not there yet, and
// nothing at the session's end. It is read then if it is there, and else when another
// session begins, before that is told anything.
func TestATranscriptThatIsWrittenLate(t *testing.T) {
	for _, when := range []string{"before the session's end", "after it", "in the middle of it"} {
		t.Run(when, func(t *testing.T) {
			root := plant(t, orchard())
			file, talk := filepath.Join(t.TempDir(), "s-1", "events.jsonl"), copilotTalk(root)
			l := &later{root: root, agent: "copilot"}
			l.event(t, "sessionStart", `{"sessionId":"s-1","source":"new"}`)
			l.event(t, "userPromptSubmitted", `{"sessionId":"s-1","prompt":"How is the wall laid?"}`)
			l.event(t, "agentStop", fmt.Sprintf(`{"sessionId":"s-1","transcriptPath":%q,"stopReason":"end_turn"}`, file))
			switch when {
			case "before the session's end":
				write(t, filepath.Dir(file), "events.jsonl", talk)
			case "in the middle of it":
				write(t, filepath.Dir(file), "events.jsonl", talk[:len(talk)-40])
			}
			l.event(t, "sessionEnd", `{"sessionId":"s-1","reason":"complete"}`)
			if held := everSaid(t, root); strings.Contains(held, "laid with lime") != (when == "before the session's end") {
				t.Errorf("at the session's end the tree holds\n%s", held)
			}
			write(t, filepath.Dir(file), "events.jsonl", talk)
			l.after = time.Minute
			told := l.event(t, "sessionStart", `{"sessionId":"s-2","source":"new"}`)
			if !strings.Contains(told, "it is laid with lime") || !strings.Contains(told, "How is the wall laid?") {
				t.Errorf("the next session is told\n%s", told)
			}
			l.event(t, "sessionStart", `{"sessionId":"s-3","source":"new"}`)
			saidOnce(t, root, "How is the wall laid?", "Decision: it is laid with lime.")
			if turns := remembered(t, root).recalled(t, "s-1").Turns; len(turns) != 1 || turns[0].Open || len(turns[0].Said) != 1 {
				t.Errorf("the turn is %+v", turns)
			}
			if f := faults(t, root); f != "" {
				t.Errorf("faults: %s", f)
			}
		})
	}
}

// TestAClientThatWasKilled: what a session had written down when its client was killed is
// taken in when the next one begins, also the same session again, in either order.
func TestAClientThatWasKilled(t *testing.T) {
	for _, next := range [][]string{{"s-1", "s-2"}, {"s-2", "s-1"}} {
		root := plant(t, orchard())
		p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
		p.event("SessionStart", `,"source":"startup"`)
		p.turn("Lay the south wall.", "It is laid.", "")
		p.event("UserPromptSubmit", `,"prompt":"And the plum terrace."`)
		p.line("user", "And the plum terrace.")
		p.line("assistant", "Decision: the terrace gets three steps of granite, each a foot high.")
		l := &later{root: root, agent: "claude", after: time.Minute}
		for i, session := range next {
			file := p.transcript
			if session != "s-1" {
				file = filepath.Join(filepath.Dir(file), session+".jsonl")
			}
			told := l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":%q,"transcript_path":%q,"cwd":%q,"source":"startup"}`, session, file, root))
			if session == "s-2" && (!strings.Contains(told, "> And the plum terrace.") || !strings.Contains(told, "three steps of granite")) {
				t.Errorf("%v: it is told\n%s", next, told)
			}
			saidOnce(t, root, "Lay the south wall.", "It is laid.", "And the plum terrace.", "Decision: the terrace gets three steps of granite, each a foot high.")
			if i == 0 {
				p.line("assistant", "The steps are laid.")
			}
		}
		saidOnce(t, root, "The steps are laid.")
	}
}

// TestAnAgentThatWasKilledInItsSecondTurn: what the events said and the transcript says
// again is one message, however soon the next session begins.
func TestAnAgentThatWasKilledInItsSecondTurn(t *testing.T) {
	root := plant(t, orchard())
	file, talk := filepath.Join(t.TempDir(), "events.jsonl"), copilotTalk(root)
	l := &later{root: root, agent: "copilot"}
	l.event(t, "userPromptSubmitted", `{"sessionId":"s-1","prompt":"How is the wall laid?"}`)
	l.event(t, "agentStop", fmt.Sprintf(`{"sessionId":"s-1","transcriptPath":%q}`, file))
	l.after = 10 * time.Second
	l.event(t, "userPromptSubmitted", `{"sessionId":"s-1","prompt":"And the terrace?"}`)
	write(t, filepath.Dir(file), "events.jsonl", talk+fmt.Sprintf(`{"type":"user.message","data":{"content":"And the terrace?"},"id":"e4","timestamp":%q}`+"\n",
		morning.Add(l.after).UTC().Format(time.RFC3339Nano)))
	l.after += time.Second
	if told := l.event(t, "sessionStart", `{"sessionId":"s-2","source":"new"}`); !strings.Contains(told, "> And the terrace?") {
		t.Errorf("it is told\n%s", told)
	}
	saidOnce(t, root, "How is the wall laid?", "Decision: it is laid with lime.", "And the terrace?")
}

// TestWhatAnEarlierSessionUsed: what an earlier session's window held is no news of this one's.
func TestWhatAnEarlierSessionUsed(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.event("UserPromptSubmit", `,"prompt":"Lay the south wall."`)
	p.line("user", "Lay the south wall.")
	p.line("assistant", "It is laid.")
	l := &later{root: root, agent: "claude", after: time.Minute}
	l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`)
	saidOnce(t, root, "It is laid.")
	if s := outcome(t, root, ""); strings.Contains(s, "said claude") {
		t.Errorf("the window is told: %s", s)
	}
}

// TestTranscriptsAreNotReadForEver: a day after a session wrote last its transcript is not
// looked at any more. One that was never there still is: it may be on another disk.
func TestTranscriptsAreNotReadForEver(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.turn("Lay the south wall.", "It is laid.", "")
	run(t, root, "claude", "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-0","transcript_path":%q,"prompt":"And on."}`, filepath.Join(t.TempDir(), "gone.jsonl")))
	l := &later{root: root, agent: "claude"}
	for _, step := range []struct {
		after   time.Duration
		waits   bool
		written string
	}{{time.Hour, true, ""}, {25 * time.Hour, true, "Written late."}, {26 * time.Hour, false, ""}} {
		if step.written != "" {
			p.line("assistant", step.written)
		}
		l.after = step.after
		l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":"later-%d","source":"startup"}`, step.after/time.Hour))
		k := remembered(t, root)
		if m := k.recalled(t, "s-1"); (m.Pending != "") != step.waits || m.Transcript == "" {
			t.Errorf("after %s it is at %+v", step.after, m.progress)
		}
		if k.recalled(t, "s-0").Pending == "" {
			t.Errorf("after %s what was not there is not expected any more", step.after)
		}
	}
	saidOnce(t, root, "Lay the south wall.", "It is laid.", "Written late.")
	p.event("UserPromptSubmit", `,"prompt":"Go on."`)
	p.line("user", "Go on.")
	l.after = 27 * time.Hour
	l.event(t, "SessionStart", `{"session_id":"later-27","source":"startup"}`)
	saidOnce(t, root, "Go on.")
}

// TestAPendingFileThatIsNoTranscript: what is read of files that a payload names is
// conversation, or nothing.
func TestAPendingFileThatIsNoTranscript(t *testing.T) {
	root := plant(t, orchard())
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, []byte(strings.Repeat("Decision: nothing of this.\n", 40)), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &later{root: root, agent: "claude"}
	l.event(t, "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"prompt":"Lay the wall."}`, file))
	l.after = time.Minute
	if told := l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`); strings.Contains(told+everSaid(t, root), "nothing of this") {
		t.Errorf("it is told %q, and the tree holds %s", told, everSaid(t, root))
	}
	if m := remembered(t, root).recalled(t, "s-1"); m.Transcript != "" {
		t.Errorf("it is still to be read: %+v", m.progress)
	}
}
