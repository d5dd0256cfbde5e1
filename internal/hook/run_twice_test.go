package hook

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/transcript"
)

// What hooks remember is changed by one of them at a time: who comes in while
// another changes it waits, and loses nothing of the other's.
func TestRememberedOneByOne(t *testing.T) {
	root := plant(t, orchard())
	one, other := remembered(t, root), remembered(t, root)
	inside := make(chan struct{})
	var second sync.WaitGroup
	err := one.remember(t.Context(), "s-1", func(m *memory) {
		second.Go(func() {
			if err := other.remember(t.Context(), "s-1", func(m *memory) { close(inside); m.Files = append(m.Files, "b.md") }); err != nil {
				t.Error(err)
			}
		})
		queue := filepath.Join(one.tree.Root(), fs.LocalName(fs.Forgemind, "queue"))
		for {
			if waiting, _ := os.ReadDir(queue); len(waiting) > 0 {
				break
			}
			select {
			case <-inside:
				t.Error("two change it at once")
				return
			case <-time.After(time.Millisecond):
			}
		}
		m.Files = append(m.Files, "a.md")
	})
	second.Wait()
	if m, e := one.recall("s-1"); err != nil || e != nil || fmt.Sprint(m.Files) != "[a.md b.md]" {
		t.Errorf("%v: it remembers %q", err, m.Files)
	}
}

// The Copilot CLI, and Cursor, run the hooks of .claude/settings.json besides their
// own: what comes in twice is told once and recorded once, one after the other or at
// once.
func TestTheHooksOfAnotherAgent(t *testing.T) {
	for _, atOnce := range []bool{false, true} {
		root := plant(t, orchard())
		var clock atomic.Int64
		both := func(event, snake, theirs, camel string) (told []string) {
			var all sync.WaitGroup
			var mu sync.Mutex
			for _, call := range [][3]string{{"claude", event, snake}, {"copilot", theirs, camel}} {
				once := func() {
					later := edge()
					later.Now = func() time.Time { return morning.Add(time.Duration(clock.Add(1)) * time.Millisecond) }
					answer := contextOf(t, string(Run(t.Context(), Call{
						Agent: call[0], Event: call[1], Payload: strings.NewReader(call[2]), Dir: root, State: stateBeside(root), Edge: later, Within: leisure,
					})))
					mu.Lock()
					defer mu.Unlock()
					if answer != "" {
						told = append(told, answer)
					}
				}
				if all.Go(once); !atOnce {
					all.Wait()
				}
			}
			all.Wait()
			return told
		}
		if told := both("SessionStart", `{"session_id":"cop-1","source":"resume"}`, "sessionStart", `{"sessionId":"cop-1","source":"resume"}`); len(told) != 1 {
			t.Errorf("it begins with %q", told)
		}
		for range 2 { // the second time it is another event, for something was between
			both("UserPromptSubmit", `{"session_id":"cop-1","prompt":"What of walls/south.md?"}`, "userPromptSubmitted", `{"sessionId":"cop-1","prompt":"What of walls/south.md?"}`)
			both("Stop", `{"session_id":"cop-1","last_assistant_message":"It stands."}`, "agentStop", `{"sessionId":"cop-1","last_assistant_message":"It stands."}`)
		}
		if got := said(t, root); got != strings.Repeat("user: What of walls/south.md?\nassistant: It stands.\n", 2) {
			t.Errorf("at once %v: said %q", atOnce, got)
		}
		if f := faults(t, root); f != "" {
			t.Errorf("faults: %s", f)
		}
	}
}

// What a compaction lost is told once, though the Copilot CLI runs the hooks of a session's start
// and of its prompt at once; and again if that was not delivered.
func TestACompactionBesideTheStart(t *testing.T) {
	root := plant(t, orchard())
	event := func(event, more string, out io.Writer) string {
		return contextOf(t, string(Run(t.Context(), Call{
			Agent: "copilot", Event: event, Payload: strings.NewReader(`{"sessionId":"cop-1"` + more + `}`), Dir: root, State: stateBeside(root), Edge: edge(), Within: leisure, Out: out,
		})))
	}
	for round := range 20 {
		event("userPromptSubmitted", fmt.Sprintf(`,"prompt":"Lay course %d."`, round), nil)
		event("preCompact", "", nil)
		var told [2]string
		var both sync.WaitGroup
		both.Go(func() { told[0] = event("sessionStart", `,"source":"resume"`, nil) })
		both.Go(func() {
			told[1] = event("userPromptSubmitted", fmt.Sprintf(`,"prompt":"Go on with course %d."`, round), nil)
		})
		both.Wait()
		if all := told[0] + told[1]; strings.Count(all, "# After the compaction") != 1 {
			t.Fatalf("round %d: told %q", round, told)
		}
	}
	event("preCompact", "", nil)
	reader, away := io.Pipe()
	reader.Close()
	if event("userPromptSubmitted", `,"prompt":"Go on."`, away) == "" {
		t.Fatal("nothing is told")
	}
	if told := event("userPromptSubmitted", `,"prompt":"Go on, please."`, nil); !strings.Contains(told, "# After the compaction") {
		t.Errorf("what was not delivered is not told again: %q", told)
	}
}

// The Copilot CLI does not wait for the hooks of a session's start before it runs those of the
// prompt that the session begins with. A prompt that is repeated behind another is another.
func TestAPromptBesideTheStart(t *testing.T) {
	root := plant(t, orchard())
	start, prompt := `{"sessionId":"cop-1","source":"new","initialPrompt":"Lay the wall."}`, `{"sessionId":"cop-1","prompt":"Lay the wall."}`
	var told []string
	for i, call := range [][3]string{
		{"copilot", "userPromptSubmitted", prompt},
		{"copilot", "sessionStart", start},
		{"claude", "UserPromptSubmit", `{"session_id":"cop-1","prompt":"Lay the wall."}`},
		{"claude", "SessionStart", `{"session_id":"cop-1","source":"new","initial_prompt":"Lay the wall."}`},
		{"copilot", "userPromptSubmitted", `{"sessionId":"cop-1","prompt":"Stop."}`},
		{"copilot", "userPromptSubmitted", prompt},
		{"copilot", "agentStop", `{"sessionId":"cop-1","last_assistant_message":"It stands."}`},
		{"copilot", "userPromptSubmitted", `{"sessionId":"cop-1","prompt":"Go on."}`},
		{"copilot", "sessionEnd", `{"sessionId":"cop-1","reason":"error"}`}, // behind it all is another event
		{"copilot", "sessionStart", `{"sessionId":"cop-1","source":"resume"}`},
		{"copilot", "userPromptSubmitted", `{"sessionId":"cop-1","prompt":"Go on."}`},
		{"copilot", "agentStop", `{"sessionId":"cop-1","last_assistant_message":"It is done."}`},
	} {
		later := edge()
		later.Now = func() time.Time { return morning.Add(time.Duration(i) * time.Millisecond) }
		if text := contextOf(t, string(Run(t.Context(), Call{
			Agent: call[0], Event: call[1], Payload: strings.NewReader(call[2]), Dir: root, State: stateBeside(root), Edge: later, Within: leisure,
		}))); text != "" {
			told = append(told, call[1])
		}
	}
	if got := said(t, root); got != "user: Lay the wall.\nuser: Stop.\nuser: Lay the wall.\nassistant: It stands.\nuser: Go on.\nuser: Go on.\nassistant: It is done.\n" || len(told) != 2 {
		t.Errorf("said %q; told %q", got, told)
	}
}

// A skill that the user calls in the Copilot CLI comes in as its text. The call is the user's
// message, once; words that the text took in are told by the transcript alone.
func TestASkillOfTheCopilotCLI(t *testing.T) {
	root := plant(t, orchard())
	file := filepath.Join(t.TempDir(), "events.jsonl")
	skill := func(name, text string) string {
		return fmt.Sprintf("The user explicitly invoked the \"/%s\" skill. Follow its instructions now.\n\n<skill-context name=%[1]q>\nBase directory for this skill: /r/.github/skills/%[1]s\n\n%s\n</skill-context>", name, text)
	}
	at := morning.Add(time.Second).Format("2006-01-02T15:04:05.000Z")
	written := `{"type":"session.start","data":{"sessionId":"s-1"},"id":"c1","timestamp":"` + at + `"}` + "\n"
	for i, turn := range [][2]string{
		{"/wall the south one", skill("wall", "Lay it.\n\n\nARGUMENTS: the south one")},
		{"/gate the $5 one", skill("gate", "Hang the $5 one.")},
		{"/rest", skill("rest", "Rest.")},
	} {
		run(t, root, "claude", "UserPromptSubmit", fmt.Sprintf(`{"session_id":"s-1","prompt":%q}`, turn[1]))
		run(t, root, "copilot", "userPromptSubmitted", fmt.Sprintf(`{"sessionId":"s-1","prompt":%q}`, turn[1]))
		written += fmt.Sprintf(`{"type":"user.message","data":{"content":%q},"id":"u%d","timestamp":%q}`+"\n"+`{"type":"assistant.message","data":{"content":"Done."},"id":"a%d","timestamp":%q}`+"\n", turn[0], i, at, i, at)
		if err := os.WriteFile(file, []byte(written), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, root, "copilot", "agentStop", `{"sessionId":"s-1","transcriptPath":"`+filepath.ToSlash(file)+`"}`)
		run(t, root, "copilot", "agentStop", `{"sessionId":"s-1","transcriptPath":"`+filepath.ToSlash(file)+`"}`)
	}
	const once = "user: /wall the south one\nassistant: Done.\nuser: /gate the $5 one\nassistant: Done.\nuser: /rest\nassistant: Done.\n"
	if got, f := said(t, root), faults(t, root); got != once || f != "" {
		t.Errorf("said %q; faults: %s", got, f)
	}
}

// What hooks heard and the agent's transcript says again stands in the tree once: as
// the hook takes it in, and when somebody imports the transcript afterwards.
func TestWhatIsWrittenDownAsWell(t *testing.T) {
	at := morning.Add(time.Second).Format("2006-01-02T15:04:05.000Z")
	for agent, test := range map[string]struct {
		events     [][2]string
		transcript string
	}{
		"copilot": {[][2]string{
			{"userPromptSubmitted", `"prompt":"Lay the south wall."`}, {"agentStop", `"transcriptPath":"$FILE"`}, {"agentStop", `"transcriptPath":"$FILE"`},
		}, `{"type":"session.start","data":{"sessionId":"s-1"},"id":"c1","timestamp":"$AT"}
{"type":"user.message","data":{"content":"Lay the south wall."},"id":"c2","timestamp":"$AT"}
{"type":"assistant.message","data":{"content":"It is laid."},"id":"c3","timestamp":"$AT"}
`},
		"claude": {[][2]string{ // of whom the first prompt comes before there is a transcript, and one without its path
			{"UserPromptSubmit", `"prompt":"Lay the south wall."`}, {"Stop", `"transcript_path":"$FILE"`},
		}, `{"type":"user","uuid":"c2","sessionId":"s-1","timestamp":"$AT","message":{"role":"user","content":"Lay the south wall."}}
{"type":"assistant","uuid":"c3","sessionId":"s-1","timestamp":"$AT","message":{"role":"assistant","content":"It is laid."}}
`},
		"gemini": {[][2]string{
			{"BeforeAgent", `"prompt":"Lay the south wall."`}, {"AfterAgent", `"prompt":"Lay the south wall.","prompt_response":"It is laid.","transcript_path":"$FILE"`},
		}, `{"sessionId":"s-1","projectHash":"a3","startTime":"$AT","lastUpdated":"$AT","messages":[
{"id":"c2","timestamp":"$AT","type":"user","content":"Lay the south wall."},
{"id":"c3","timestamp":"$AT","type":"gemini","content":"It is laid."}]}
`},
		"cursor": {[][2]string{
			{"beforeSubmitPrompt", `"prompt":"Lay the south wall.","generation_id":"g-1"`}, {"afterAgentResponse", `"text":"It is laid.","generation_id":"g-1"`}, {"stop", `"status":"completed"`},
		}, `{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nLay the south wall.\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"text","text":"It is laid."}]}}
`},
	} {
		t.Run(agent, func(t *testing.T) {
			root := plant(t, orchard())
			file := filepath.Join(t.TempDir(), "transcript")
			text := strings.ReplaceAll(test.transcript, "$AT", at)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, e := range test.events {
				run(t, root, agent, e[0], `{"session_id":"s-1",`+strings.ReplaceAll(e[1], "$FILE", filepath.ToSlash(file))+`}`)
			}
			const once = "user: Lay the south wall.\nassistant: It is laid.\n"
			if got := said(t, root); got != once {
				t.Errorf("hooks took in %q; faults: %s", got, faults(t, root))
			}
			im, err := transcript.Read([]byte(text))
			if err != nil || len(im.Messages) != 2 {
				t.Fatal(err, im.Messages)
			}
			tree, err := engine.Open(root, edge())
			if err != nil {
				t.Fatal(err)
			}
			defer tree.Close()
			if added, _, err := tree.Import(t.Context(), im); err != nil || len(added.Added) != 0 {
				t.Errorf("%v: imported %+v", err, added)
			}
			if got := said(t, root); got != once {
				t.Errorf("then there is %q", got)
			}
		})
	}
}

// What is said twice is said twice: something else at once, or the same later on.
func TestWhatIsSaidTwice(t *testing.T) {
	root := plant(t, orchard())
	at := morning
	later := edge()
	later.Now = func() time.Time { return at }
	for _, e := range []struct {
		after        time.Duration
		event, asked string
	}{{0, "BeforeAgent", "Lay it."}, {time.Millisecond, "BeforeAgent", "Dig it."}, {atOnce, "BeforeAgent", "Dig it."}, {atOnce - time.Second, "BeforeAgent", "Dig it."}, {0, "SessionEnd", ""}} {
		at = at.Add(e.after)
		Run(t.Context(), Call{
			Agent: "gemini", Event: e.event, Payload: strings.NewReader(fmt.Sprintf(`{"session_id":"g-1","prompt":%q}`, e.asked)), Dir: root, State: stateBeside(root), Edge: later, Within: leisure,
		})
	}
	if got := said(t, root); got != "user: Lay it.\nuser: Dig it.\nuser: Dig it.\n" {
		t.Errorf("said %q; faults: %s", got, faults(t, root))
	}
}
