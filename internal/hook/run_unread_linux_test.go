package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMemoriesThatMayNotBeRead: what hooks remember of a session and cannot read is
// not written over: it holds words that stand nowhere else. What is said meanwhile is
// taken in at once, and doctor is told.
func TestMemoriesThatMayNotBeRead(t *testing.T) {
	root := plant(t, orchard())
	hear := func(event, payload string) { // on this thread, which may be somebody else
		call := Call{Agent: "cursor", Event: event, Payload: strings.NewReader(payload), Dir: root, Tree: root, State: stateBeside(root), Edge: edge(), Within: leisure}
		r := &running{call: call, at: momentOf(event)}
		r.run(t.Context())
		r.close()
	}
	hear("beforeSubmitPrompt", `{"conversation_id":"chat","prompt":"We use lime."}`)
	k := remembered(t, root)
	if m := k.recalled(t, "chat"); len(m.Unsaid) != 1 {
		t.Fatalf("it remembers %+v", m)
	}
	if err := os.Chmod(filepath.Dir(root), 0o755); err != nil {
		t.Fatal(err)
	}
	open := shut(t, filepath.Dir(root), filepath.Join(filepath.Base(root), k.slot("chat")))
	hear("beforeSubmitPrompt", `{"conversation_id":"chat","prompt":"And sand."}`)
	told := false
	for _, f := range RunFaults(k.tree) {
		told = told || strings.Contains(f.Text, "permission denied")
	}
	if !told {
		t.Errorf("doctor knows of %+v", RunFaults(k.tree))
	}
	open()
	hear("afterAgentResponse", `{"conversation_id":"chat","text":"Right."}`)
	said := everSaid(t, root)
	for _, words := range []string{"We use lime.", "And sand.", "Right."} {
		quoted, _ := json.Marshal(words)
		if strings.Count(said, string(quoted)) != 1 {
			t.Errorf("%q is not said once in\n%s", words, said)
		}
	}
}
