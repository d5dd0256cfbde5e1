package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// runHere runs a hook on this thread, which may have another user.
func runHere(t *testing.T, root, agent, event, payload string) {
	t.Helper()
	call := Call{Agent: agent, Event: event, Payload: strings.NewReader(payload), Dir: root, Tree: root, State: stateBeside(root), Edge: edge(), Within: leisure}
	r := &hookCall{call: call, at: momentOf(event)}
	r.run(t.Context())
	r.close()
}

// shutBelow keeps everybody from a file of the tree at root; see shut.
func shutBelow(t *testing.T, root, name string) (open func()) {
	t.Helper()
	beside := filepath.Dir(root) // what the user keeps stands there
	if err := os.Chmod(beside, 0o755); err != nil {
		t.Fatal(err)
	}
	return shut(t, beside, filepath.Join(filepath.Base(root), name))
}

// TestMemoriesThatMayNotBeRead: an unreadable memory of a session is not overwritten, because
// it may have messages that are nowhere else. New messages are stored at once, and doctor
// reports it.
func TestMemoriesThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	root := plant(t, orchard())
	runHere(t, root, "cursor", "beforeSubmitPrompt", `{"conversation_id":"chat","prompt":"We use lime."}`)
	k := remembered(t, root)
	if m := k.recalled(t, "chat"); len(m.Unsaid) != 1 {
		t.Fatalf("it remembers %+v", m)
	}
	open := shutBelow(t, root, k.slot("chat"))
	runHere(t, root, "cursor", "beforeSubmitPrompt", `{"conversation_id":"chat","prompt":"And sand."}`)
	told := false
	for _, f := range RunFaults(k.tree) {
		told = told || strings.Contains(f.Text, "permission denied")
	}
	if !told {
		t.Errorf("doctor knows of %+v", RunFaults(k.tree))
	}
	open()
	runHere(t, root, "cursor", "afterAgentResponse", `{"conversation_id":"chat","text":"Right."}`)
	said := everSaid(t, root)
	for _, words := range []string{"We use lime.", "And sand.", "Right."} {
		if strings.Count(said, fmt.Sprintf("%q", words)) != 1 {
			t.Errorf("%q is not said once in\n%s", words, said)
		}
	}
}

// TestAMemoryThatMayNotBeReadIsNotForgotten: what there is too much of goes, but for
// what may hold words that were not said yet.
func TestAMemoryThatMayNotBeReadIsNotForgotten(t *testing.T) {
	t.Parallel()
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
	shutBelow(t, root, k.slot("s-0"))
	runHere(t, root, "cursor", "sessionStart", `{"conversation_id":"anew"}`)
	for session, stays := range map[string]bool{"s-0": true, "s-1": false, "s-40": true} {
		if _, err := os.Lstat(filepath.Join(root, k.slot(session))); (err == nil) != stays {
			t.Errorf("%s: %v", session, err)
		}
	}
}

// TestATranscriptThatMayNotBeRead: what an agent writes down is not said twice because
// its transcript could not be read in between.
func TestATranscriptThatMayNotBeRead(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"claude", "copilot"} {
		t.Run(agent, func(t *testing.T) {
			root := plant(t, orchard())
			p := &player{t: t, root: root, agent: agent, transcript: filepath.Join(root, "s-1.jsonl")}
			hear := func(event, more string) {
				runHere(t, root, agent, event, fmt.Sprintf(`{"session_id":"s-1","transcript_path":%q,"cwd":%q%s}`, p.transcript, root, more))
			}
			p.line("user", "We use lime.")
			open := shutBelow(t, root, "s-1.jsonl")
			hear("UserPromptSubmit", `,"prompt":"And sand."`)
			open()
			p.line("user", "And sand.")
			hear("Stop", "")
			said := everSaid(t, root)
			for _, words := range []string{"We use lime.", "And sand."} {
				if strings.Count(said, fmt.Sprintf("%q", words)) != 1 {
					t.Errorf("%q is not said once in\n%s", words, said)
				}
			}
		})
	}
}
