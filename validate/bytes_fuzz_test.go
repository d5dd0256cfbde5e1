package validate

import (
	"strings"
	"testing"
)

// FuzzBytes judges anything as anything: no panic, no hang, and places that
// exist.
func FuzzBytes(f *testing.F) {
	for _, name := range []string{"current-context.json", "messages.jsonl", ".forgemind/config.json", "hot_context.json", "a.md", "active_session.txt"} {
		f.Add(name, []byte(state))
		f.Add(name, []byte("\ufeff"+record+"\r\n"+record))
		f.Add(name, []byte("<<<<<<< a\n=======\n>>>>>>> b\n\x00\xff"))
		f.Add(name, []byte(`{"refresh_triggers": [{"condition": "NOT (a AND 'x\u0041')", "actions": [1, "y"]}], "active_goals": [{"parent_goal_id": "g"}]}`))
	}
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		lines := strings.Count(string(src), "\n") + 1
		for _, found := range Bytes(name, src, Options{}) {
			if found.Line < 1 || found.Line > lines || found.Column < 1 || found.Column > len(src)+1 || found.Message == "" {
				t.Errorf("%+v", found)
			}
		}
		fixed, _ := Fix(name, src)
		again, did := Fix(name, fixed)
		if string(again) != string(fixed) || len(did) > 0 {
			t.Errorf("mending twice differs: %q %q", fixed, again)
		}
	})
}
