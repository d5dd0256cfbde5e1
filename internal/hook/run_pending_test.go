package hook

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// A later is an agent's hooks, some time after the morning.
type later struct {
	root, agent   string
	after, within time.Duration // 0: as long as it takes
}

func (l *later) event(t *testing.T, event, payload string) (told string) {
	t.Helper()
	e := edge()
	e.Now = func() time.Time { return morning.Add(l.after) }
	return contextOf(t, string(Run(t.Context(), Call{
		Agent: l.agent, Event: event, Payload: strings.NewReader(payload), Dir: l.root, State: stateBeside(l.root), Edge: e, Within: cmp.Or(l.within, leisure),
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

// copilotTalk holds what Copilot writes down of one turn, with times of the morning.
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
	for _, when := range []string{"before the session's end", "after it", "in the middle of it", "in the middle of its first line"} {
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
			case "in the middle of its first line":
				talk = strings.Replace(talk, `"context":{`, `"context":{"gitRoot":"`+strings.Repeat("/long", headSize)+`",`, 1)
				write(t, filepath.Dir(file), "events.jsonl", talk[:2*headSize])
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
	}{{time.Hour, true, ""}, {25 * time.Hour, false, "Written late."}} {
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

// TestALongTranscriptOfTheKilled: one of several pieces is read to its end, and each answer
// stands beside its question, once.
func TestALongTranscriptOfTheKilled(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	for i := range 3 {
		prompt := fmt.Sprintf("Course %d, please.", i)
		p.event("UserPromptSubmit", fmt.Sprintf(`,"prompt":%q`, prompt))
		p.line("user", prompt)
		for j := range 20 {
			p.line("assistant", fmt.Sprintf("Stone %d of course %d is laid. %s", j, i, strings.Repeat("x ", tailPiece/60)))
		}
		write(t, filepath.Dir(p.transcript), "s-1.jsonl", readAll(t, p.transcript)+"{torn\n")
	}
	size := int64(len(readAll(t, p.transcript)))
	l := &later{root: root, agent: "claude"}
	for n := range 3 {
		l.after += time.Minute
		l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":"later-%d","source":"startup"}`, n))
		m := remembered(t, root).recalled(t, "s-1")
		if size <= tailPiece || m.Offset != size || m.Tried != 0 {
			t.Errorf("start %d: it is at %d of %d, tried %d times", n, m.Offset, size, m.Tried)
		}
		for i, turn := range m.Turns {
			if i == 2 && len(turn.Said) == 0 || strings.Count(strings.Join(turn.Said, ""), fmt.Sprintf("of course %d", i)) != len(turn.Said) {
				t.Errorf("start %d: in turn %d is said %.80q", n, i, turn.Said)
			}
		}
	}
	torn := 0
	for _, f := range RunFaults(open(t, root)) {
		torn += f.Times
	}
	if torn > 3 {
		t.Errorf("3 lines are torn, and %d faults are noted", torn)
	}
}

func readAll(t *testing.T, file string) string {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// hold holds the lock of the tree at root.
func hold(t *testing.T, root string) (release func()) {
	t.Helper()
	held, over, gone := make(chan bool), make(chan bool), make(chan error)
	tree := open(t, root)
	go func() {
		_, err := tree.Transaction(t.Context(), func(*fs.Tx) error { close(held); <-over; return nil })
		gone <- err
	}()
	<-held
	return func() {
		close(over)
		if err := <-gone; err != nil {
			t.Error(err)
		}
	}
}

// TestATreeThatIsBusy: what cannot be taken in, or noted, because another program holds the
// tree is taken in when the next session begins, however late that is. The memory of another
// session is not touched meanwhile.
func TestATreeThatIsBusy(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.turn("Lay the south wall.", "It is laid.", "")
	p.line("assistant", "The terrace is laid, too.")
	memory := filepath.Join(root, remembered(t, root).slot("s-1"))
	before := readAll(t, memory)
	l := &later{root: root, agent: "claude", after: 2 * longAbsence, within: Limit}
	release := hold(t, root)
	l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`)
	if readAll(t, memory) != before {
		t.Error("the memory of a session was written without the lock")
	}
	release()
	l.after, l.within = l.after+time.Minute, leisure
	l.event(t, "SessionStart", `{"session_id":"s-3","source":"startup"}`)
	saidOnce(t, root, "The terrace is laid, too.")
}

// TestATranscriptIsNamedToABusyTree: the path is kept though nothing can be taken in.
func TestATranscriptIsNamedToABusyTree(t *testing.T) {
	root := plant(t, orchard())
	file := filepath.Join(t.TempDir(), "events.jsonl")
	l := &later{root: root, agent: "copilot", within: Limit}
	l.event(t, "userPromptSubmitted", `{"sessionId":"s-1","prompt":"How is the wall laid?"}`)
	release := hold(t, root)
	l.event(t, "agentStop", fmt.Sprintf(`{"sessionId":"s-1","transcriptPath":%q}`, file))
	release()
	write(t, filepath.Dir(file), "events.jsonl", copilotTalk(root))
	l.within = leisure
	l.event(t, "sessionEnd", `{"sessionId":"s-1","reason":"complete"}`)
	saidOnce(t, root, "How is the wall laid?", "Decision: it is laid with lime.")
}

// TestADiskThatIsAway: a transcript that cannot be found a day later may be found again.
func TestADiskThatIsAway(t *testing.T) {
	root, disk := plant(t, orchard()), filepath.Join(t.TempDir(), "disk")
	write(t, disk, "mounted", "")
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(disk, "s-1.jsonl")}
	p.turn("Lay the south wall.", "It is laid.", "")
	p.line("assistant", "Written late.")
	l := &later{root: root, agent: "claude", after: 2 * longAbsence}
	rename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	rename(disk, disk+".away")
	l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`)
	rename(disk+".away", disk)
	l.event(t, "SessionStart", `{"session_id":"s-3","source":"startup"}`)
	saidOnce(t, root, "Written late.")
}

// TestReadByTwoHooksAtOnce: where a session goes on while another one's start reads its
// transcript, what both read is no answer to what is asked then.
func TestReadByTwoHooksAtOnce(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.event("UserPromptSubmit", `,"prompt":"Course 0, please."`)
	p.line("user", "Course 0, please.")
	p.line("assistant", "Course 0 is laid.")
	tree, err := engine.Open(root, edge())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	r := &running{call: Call{Edge: edge()}, memories: remembered(t, root), payload: payload{session: "s-2"}}
	m := r.memories.recalled(t, "s-1")
	r.call.Edge.Now = func() time.Time { // it asks for the time once it has read
		r.call.Edge = edge()
		p.event("Stop", "")
		p.event("UserPromptSubmit", `,"prompt":"Course 1, please."`)
		return morning.Add(time.Minute)
	}
	r.readFor(t.Context(), tree, &m, time.Now().Add(leisure))
	turns := r.memories.recalled(t, "s-1").Turns
	if len(turns) != 2 || turns[0].Said[0] != "Course 0 is laid." || len(turns[1].Said) > 0 || turns[1].Heard {
		t.Errorf("the turns are %+v", turns)
	}
	saidOnce(t, root, "Course 0, please.", "Course 0 is laid.")
}

// TestAnAnswerThatAnotherSessionRead: the last that was said is the answer, however short it
// is, whoever reads it; and is told if nobody says that it is one.
func TestAnAnswerThatAnotherSessionRead(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.event("UserPromptSubmit", `,"prompt":"How many stones does the terrace need?"`)
	p.line("user", "How many stones does the terrace need?")
	p.line("assistant", "I look at the plan.")
	p.line("assistant", "It says first how long the terrace is, and then how wide.")
	p.line("assistant", "300 stones.")
	l := &later{root: root, agent: "claude", after: time.Second}
	told := l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`)
	if !strings.Contains(told, "- 300 stones.\n- It says first") || strings.Contains(told, "I look at the plan.") {
		t.Errorf("it is told\n%s", told)
	}
	p.event("Stop", "")
	if turns := remembered(t, root).recalled(t, "s-1").Turns; len(turns) != 1 || len(turns[0].Said) != 1 || turns[0].Said[0] != "300 stones." {
		t.Errorf("the turn is %+v", turns)
	}
}

// TestWhoNamedTheTree: whether a session's hooks were run with the name of the tree says
// what of its transcript belongs here, whoever reads it.
func TestWhoNamedTheTree(t *testing.T) {
	for _, named := range []bool{true, false} {
		root, elsewhere := plant(t, orchard()), t.TempDir()
		p := &player{t: t, root: elsewhere, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
		event := func(session, event, more string, named bool) {
			call := Call{Agent: "claude", Event: event, Dir: root, State: stateBeside(root), Edge: edge(), Within: leisure}
			if named {
				call.Tree = root
			}
			call.Payload = strings.NewReader(fmt.Sprintf(`{"session_id":%q%s}`, session, more))
			Run(t.Context(), call)
		}
		event("s-1", "UserPromptSubmit", fmt.Sprintf(`,"transcript_path":%q,"prompt":"Lay the terrace."`, p.transcript), named)
		p.line("user", "Lay the terrace.")
		event("s-2", "SessionStart", `,"source":"startup"`, !named)
		if strings.Contains(everSaid(t, root), "Lay the terrace.") != named {
			t.Errorf("named %v: it holds %s", named, everSaid(t, root))
		}
	}
}

// TestUnsaidOfALiveSession: what another session said of one that goes on is not said again.
func TestUnsaidOfALiveSession(t *testing.T) {
	root := plant(t, orchard())
	l := &later{root: root, agent: "cursor"}
	l.event(t, "beforeSubmitPrompt", fmt.Sprintf(`{"conversation_id":"left","transcript_path":%q,"prompt":"We use lime."}`, filepath.Join(t.TempDir(), "left.jsonl")))
	l.event(t, "sessionStart", `{"conversation_id":"soon"}`)
	saidOnce(t, root, "We use lime.")
	l.event(t, "afterAgentResponse", `{"conversation_id":"left","text":"It breathes."}`)
	l.event(t, "beforeSubmitPrompt", `{"conversation_id":"left","prompt":"And sand."}`)
	l.event(t, "stop", `{"conversation_id":"left"}`)
	saidOnce(t, root, "We use lime.", "It breathes.", "And sand.")
}

// TestManyPendingTranscripts: what may not be read is a fault of its own session's alone, and
// memories of what was read to its end go where there are too many.
func TestManyPendingTranscripts(t *testing.T) {
	root, dir := plant(t, orchard()), t.TempDir()
	l := &later{root: root, agent: "claude"}
	l.event(t, "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-0","transcript_path":%q,"prompt":"Lay the wall."}`, dir)) // no file
	k := remembered(t, root)
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(dir, "talk.jsonl")}
	p.line("user", "x")
	file, ok, err := openTranscript(p.transcript)
	if !ok {
		t.Fatal(err)
	}
	file.close()
	for i := range mostMemories + 20 {
		m := memory{Version: 1, Session: fmt.Sprint("read-", i)}
		m.progress = progress{Transcript: p.transcript, Pending: schema.FormatTime(morning), Head: file.head, Offset: file.size}
		if err := k.keep(m); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 3 {
		l.after += time.Hour
		l.event(t, "SessionStart", fmt.Sprintf(`{"session_id":"later-%d","source":"startup"}`, n))
	}
	if left, _ := filepath.Glob(filepath.Join(root, ".forgemind/.local", slotPrefix+"*")); len(left) > mostMemories+3 {
		t.Errorf("%d memories are left", len(left))
	}
	if f := faults(t, root); f != "" {
		t.Errorf("faults: %s", f)
	}
}

// TestTheTranscriptOfASubagent: what a tool's event names takes not the place of the session's
// own transcript.
func TestTheTranscriptOfASubagent(t *testing.T) {
	root := plant(t, orchard())
	p := &player{t: t, root: root, agent: "claude", transcript: filepath.Join(t.TempDir(), "s-1.jsonl")}
	p.event("UserPromptSubmit", `,"prompt":"Lay the terrace."`)
	p.line("user", "Lay the terrace.")
	l := &later{root: root, agent: "claude", after: time.Minute}
	l.event(t, "PostToolUse", fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"tool_name":"Edit"}`, filepath.Join(t.TempDir(), "agent-7.jsonl")))
	l.event(t, "SessionStart", `{"session_id":"s-2","source":"startup"}`)
	saidOnce(t, root, "Lay the terrace.")
}
