package transcript

import (
	"fmt"
	"testing"
)

// The times of what Cursor's agent writes down stand beside the user's words, and hold for
// the answers; where the model thought, and how a turn ended, nobody spoke.
func TestWhatCursorsAgentWritesDown(t *testing.T) {
	line := func(role, text string) string {
		return fmt.Sprintf(`{"role":%q,"message":{"content":[{"type":"text","text":%q}]}}`, role, text) + "\n"
	}
	got, err := Read([]byte(line("user", "<timestamp>Tuesday, Jul 21, 2026, 1:11 PM (UTC+3)</timestamp>\n<user_query>\nHemp rope.\n</user_query>") +
		line("assistant", "Hemp.\n\n[REDACTED]") + line("assistant", "[REDACTED]") + `{"type":"turn_ended","status":"success"}` + "\n" +
		line("user", "<timestamp>Tuesday, Jul 21, 2026, 11:59 PM (UTC-4:30)</timestamp>\n<user_query>\nWhat is [REDACTED]?\n</user_query>") + line("assistant", "A mark.") +
		line("user", "<timestamp>soon</timestamp>\n<user_query>\nGo:\n[REDACTED]\n</user_query>")))
	if err != nil || got.Tool != "cursor" || got.Untimed > 0 || got.Unread > 0 || len(got.Unknown) > 0 {
		t.Fatalf("%s, %d untimed, %d unread, unknown %v: %v", got.Tool, got.Untimed, got.Unread, got.Unknown, err)
	}
	said := ""
	for _, m := range got.Messages {
		said += fmt.Sprintf("%s %s %s\n", m.Timestamp, m.Agent, m.Content)
	}
	const want = `2026-07-21T10:11:00.000Z user Hemp rope.
2026-07-21T10:11:00.000Z cursor Hemp.
2026-07-22T04:29:00.000Z user What is [REDACTED]?
2026-07-22T04:29:00.000Z cursor A mark.
2026-07-22T04:29:00.000Z user Go:
[REDACTED]
`
	if said != want {
		t.Errorf("%s", said)
	}
}
