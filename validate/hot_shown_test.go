package validate_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/validate"
)

// TestWhatAPromptShowsIsWhatIsCounted: what the rule says of a hot context is what
// a prompt gets of it, by the same measure, whatever it consists of.
func TestWhatAPromptShowsIsWhatIsCounted(t *testing.T) {
	const by = `"agent": "user", "created": "2026-11-21T09:00:00Z"`
	for name, c := range map[string]struct{ list, item string }{
		"short notes":           {"notes", `{"id": "note-p2gx%02d", "note": "Redis", ` + by + `}`},
		"notes that are texts":  {"notes", `"remember %d"`},
		"goals":                 {"active_goals", `{"id": "goal-%d", "goal": "Ship", "status": "in-progress", "priority": "high", "parent_goal_id": "goal-1", ` + by + `}`},
		"goals, other spelling": {"active_goals", `{"goal_id": "goal-%d", "description": "Ship it", "status": null}`},
		"actions":               {"pending_actions", `{"id": "ACT-%d", "action": "Test", "priority": "P0", "assigned_to": "alice", "blocked_by": ["ACT-1", "ACT-2"], "due": "2026-11-21T09:00:00Z", "created_by": "bob", "created": "2026-11-21T09:00:00+01:00"}`},
		"actions that are text": {"pending_actions", `"test %d"`},
		"decisions":             {"key_decisions", `{"id": "DEC-%d", "decision": "RS256", "rationale": "public keys", "agent": "user", "timestamp": "2026-11-21T09:00:00.123456Z"}`},
		"a time that is none":   {"key_decisions", `{"decision_id": "DEC-%d", "description": "RS256", "timestamp": "2026-11-21 09:00"}`},
		"constraints":           {"important_constraints", `{"id": "con-%d", "constraint": "1 hour", ` + by + `}`},
		"constraints of text":   {"important_constraints", `"at most %d hours"`},
		"questions":             {"open_questions", `{"id": "Q-%d", "question": "Which?", "context": "keys", "asked_by": "user", "asked_at": "2026-11-21T09:00:00Z", "priority": "P1"}`},
		"as Python escapes":     {"notes", `{"id": "note-%d", "note": "\u00e9\u00e8\u20ac\n\n  two", "agent": "` + strings.Repeat("a", 200) + `"}`},
	} {
		items := make([]string, 300)
		for i := range items {
			items[i] = strings.ReplaceAll(c.item, "%d", strconv.Itoa(i))
			items[i] = strings.ReplaceAll(items[i], "%02d", fmt.Sprintf("%02d", i))
		}
		agrees(t, name, `"`+c.list+`": [`+strings.Join(items, ", ")+"]")
	}
	names := strings.Repeat(`"auth/jwt.py", "a name", `, 200) + `"é"`
	agrees(t, "files", `"current_file_context": {"files": [`+names+`], "last_edited": "a", "current_function": "b", "agent": "c", "updated": "2026-11-21T09:00:00Z"}`)
	agrees(t, "entities", `"key_entities": {"files": [`+names+`], "people": [], "concepts": [`+names+`]}`)
}

var said = regexp.MustCompile(`about ([0-9,]+) tokens of it`)

func agrees(t *testing.T, name, members string) {
	t.Helper()
	src := []byte("{" + members + "}")
	var in assemble.Input
	if err := jsonedit.Decode(src, &in.Hot); err != nil {
		t.Fatal(name, err)
	}
	in.Session, in.Files.Hot = "conv-2026-11-21-001", "hot_context.json"
	made, err := assemble.Make(in, assemble.Options{MaxTokens: 1 << 20, Count: func(s string) int { return utf8.RuneCountInString(s) / 4 }})
	if err != nil {
		t.Fatal(name, err)
	}
	for _, f := range validate.Bytes(fs.Sessions+"/conv-2026-11-21-001/hot_context.json", src, validate.Options{}) {
		if m := said.FindStringSubmatch(f.Message); m != nil {
			n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
			if diff := n - made.Tokens; diff*50 > made.Tokens || -diff*50 > made.Tokens {
				t.Errorf("%s: a prompt is given %d tokens, but the rule says %d", name, made.Tokens, n)
			}
			return
		}
	}
	t.Errorf("%s: %d tokens are not reported", name, made.Tokens)
}
