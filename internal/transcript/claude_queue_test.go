package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// What the user types while the agent works is the user's message once, wherever the
// client notes that it was delivered; what was not delivered, or others put there, is none.
func TestWhatWasTypedWhileClaudeCodeWorked(t *testing.T) {
	row := func(operation, content, more string) string {
		return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":"2026-03-02T09:00:0%d.000Z","sessionId":"s","content":%q%s}`, operation, len(operation)%10, content, more)
	}
	enqueued, absorbed := row("enqueue", "Faster.", ""), row("remove", "Faster.", `,"reason":"absorbed_mid_turn"`)
	attached := `{"type":"attachment","uuid":"q1","sessionId":"s","timestamp":"2026-03-02T09:00:09Z","attachment":{"type":"queued_command","prompt":"Faster.","origin":{"kind":"human"}}}`
	own := `{"type":"user","uuid":"q2","sessionId":"s","timestamp":"2026-03-02T09:00:09Z","promptSource":"queued","message":{"role":"user","content":"Faster."}}`
	typed := strings.Replace(own, "queued", "typed", 1)
	result := `{"type":"user","uuid":"q3","sessionId":"s","timestamp":"2026-03-02T09:00:09Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok\n<system-reminder>\nThe user sent:\nFaster.\n</system-reminder>"}]}}`
	answer := `{"type":"assistant","uuid":"a1","sessionId":"s","timestamp":"2026-03-02T09:00:09Z","message":{"role":"assistant","content":"Yes."}}`
	for name, test := range map[string]struct {
		rows []string
		want int // times that the user said it
	}{
		"in the queue alone":            {[]string{enqueued, absorbed}, 1},
		"and attached after":            {[]string{enqueued, absorbed, attached}, 1},
		"and attached before":           {[]string{enqueued, attached, absorbed}, 1},
		"attached alone":                {[]string{enqueued, attached}, 1},
		"and in a record of its own":    {[]string{enqueued, absorbed, own}, 1},
		"in a record of its own":        {[]string{enqueued, row("dequeue", "", ""), own}, 1},
		"and typed once more":           {[]string{enqueued, absorbed, typed}, 2},
		"twice":                         {[]string{enqueued, absorbed, strings.Replace(enqueued, ":0", ":1", 1), strings.Replace(absorbed, "09:00:0", "09:01:0", 1)}, 2},
		"twice, and attached":           {[]string{enqueued, absorbed, attached, enqueued, strings.Replace(absorbed, "09:00:0", "09:01:0", 1), strings.Replace(attached, "q1", "q9", 1)}, 2},
		"at the end of a tool's result": {[]string{enqueued, row("remove", "Faster.", ""), result}, 1},
		"there, and attached":           {[]string{enqueued, row("remove", "Faster.", ""), result, attached}, 1},
		"removed, and attached":         {[]string{enqueued, row("remove", "Faster.", ""), attached, result}, 1},
		"and said again":                {[]string{enqueued, absorbed, answer, enqueued, row("dequeue", "", ""), own}, 2},
		"and handed again":              {[]string{enqueued, row("remove", "Faster.", ""), result, enqueued, row("remove", "Faster.", ""), attached}, 2},
		"with a space and a picture":    {[]string{enqueued, strings.Replace(absorbed, "Faster.", "Faster. ", 1), strings.Replace(attached, `"Faster."`, `[{"type":"text","text":"Faster."},{"type":"image"}]`, 1)}, 1},
		"in a word of a reminder":       {[]string{enqueued, row("remove", "Fast", ""), strings.Replace(result, "Faster.", "Faster than that", 1)}, 0},
		"removed":                       {[]string{enqueued, row("remove", "Faster.", "")}, 0},
		"all popped":                    {[]string{enqueued, row("popAll", "Faster.", "")}, 0},
		"not delivered yet":             {[]string{enqueued}, 0},
	} {
		head := `{"type":"user","uuid":"u1","sessionId":"s","timestamp":"2026-03-02T09:00:00Z","message":{"role":"user","content":"Begin."}}`
		got, err := Read([]byte(head + "\n" + strings.Join(test.rows, "\n") + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for _, m := range got.Messages {
			if m.Role == "user" && strings.HasPrefix(m.Content, "Fast") {
				said++
			}
		}
		if said != test.want {
			t.Errorf("%s: the user said it %d times:\n%s", name, said, shown(got.Messages))
		}
	}
	note := "<task-notification>done</task-notification>"
	got, err := Read([]byte(strings.Join([]string{typed, row("enqueue", note, ""), row("remove", note, `,"reason":"absorbed_mid_turn"`)}, "\n")))
	if err != nil || len(got.Messages) != 2 || got.Messages[1].Role != "tool" {
		t.Errorf("a task that is done: %v\n%s", err, shown(got.Messages))
	}
}
