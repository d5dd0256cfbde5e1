package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/transcript"
)

// claudeTurn is an answer in a Claude Code transcript with a usage.
func claudeTurn(uuid, more, usage string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":%q,"sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z"%s,"message":{"role":"assistant","content":"Yes, %s.","usage":%s}}`,
		uuid, more, uuid, usage)
}

// codexEvent is an event of a Codex rollout.
func codexEvent(payload string) string {
	return `{"timestamp":"2026-03-02T09:00:00.000Z","type":"event_msg","payload":` + payload + `}`
}

const (
	claudeUser = `{"type":"user","uuid":"u","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"user","content":"Well?"}}`
	codexUser  = `{"timestamp":"2026-03-02T09:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"Well?"}}`
	full       = `{"input_tokens":3,"cache_creation_input_tokens":100,"cache_read_input_tokens":4000,"output_tokens":20,"service_tier":"standard"}`
)

func TestATranscriptStatesItsLastUsage(t *testing.T) {
	count := func(info string) string { return codexEvent(`{"type":"token_count","info":` + info + `}`) }
	for _, c := range []struct {
		what   string
		lines  []string
		want   string // tokens of limit, as of so many messages
		agents string
	}{
		{"no usage", []string{claudeUser}, "none", ""},
		{"everything that was sent, and the answer", []string{claudeUser, claudeTurn("a", "", full)}, "4123 of 0 at 2", "claude"},
		{"the last", []string{claudeTurn("a", "", full), claudeUser, claudeTurn("b", "", `{"input_tokens":7}`), claudeUser}, "7 of 0 at 3", "claude"},
		{"none in the last", []string{claudeTurn("a", "", full), claudeTurn("b", "", `null`), claudeTurn("c", "", `{"input_tokens":0}`)}, "4123 of 0 at 1", "claude"},
		{"a subagent's is its own", []string{claudeTurn("a", "", full), claudeTurn("b", `,"isSidechain":true`, `{"input_tokens":7}`)}, "4123 of 0 at 1", "claude"},
		{"of a message that failed", []string{claudeTurn("a", "", full), claudeTurn("b", `,"isApiErrorMessage":true`, `{"input_tokens":7}`)}, "4123 of 0 at 1", "claude"},
		{"before the agent shortened its window", []string{claudeTurn("a", "", full),
			`{"type":"user","uuid":"c","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"So far: pears."}}`}, "none", ""},
		{"what is no usage", []string{claudeTurn("a", "", `"many"`), claudeTurn("b", "", `[1]`), claudeTurn("c", "", `{"input_tokens":-5}`),
			claudeTurn("d", "", `{"input_tokens":1e300}`), claudeTurn("e", "", `{"input_tokens":9000000000}`), claudeTurn("f", "", `{"input_tokens":"7"}`)}, "none", ""},

		{"Codex's last request, not their sum", []string{codexUser,
			count(`{"total_token_usage":{"total_tokens":90000},"last_token_usage":{"input_tokens":300,"cached_input_tokens":200,"output_tokens":50,"total_tokens":350},"model_context_window":272000}`)},
			"350 of 272000 at 1", "codex"},
		{"without a total", []string{codexUser, count(`{"last_token_usage":{"input_tokens":300,"cached_input_tokens":200,"output_tokens":50}}`)}, "350 of 0 at 1", "codex"},
		{"without a request yet", []string{codexUser, count(`null`), count(`{"model_context_window":272000}`), codexEvent(`{"type":"token_count"}`)}, "none", ""},
		{"a subagent of Codex's", []string{
			`{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"c","source":{"subagent":{"thread_spawn":{"parent_thread_id":"p"}}}}}`,
			codexUser, count(`{"last_token_usage":{"total_tokens":350}}`)}, "none", ""},
		{"a subagent's own transcript", []string{claudeTurn("a", `,"isSidechain":true`, full)}, "none", ""},
		{"before Codex shortened its window", []string{count(`{"last_token_usage":{"total_tokens":350}}`),
			`{"timestamp":"2026-03-02T09:00:00.000Z","type":"compacted","payload":{"message":"So far: pears."}}`}, "none", ""},
		{"a window that is none", []string{codexUser, count(`{"last_token_usage":{"total_tokens":350},"model_context_window":-1}`)}, "350 of 0 at 1", "codex"},
	} {
		rd, err := transcript.Read([]byte(strings.Join(c.lines, "\n")))
		if err != nil || len(rd.Faults) > 0 {
			t.Errorf("%s: %v, %v", c.what, err, rd.Faults)
		}
		got := "none"
		if u := rd.Usage; u != nil {
			got = fmt.Sprintf("%d of %d at %d", u.Tokens, u.Limit, rd.Stated)
			if u.Agent != c.agents || u.At != "2026-03-02T09:00:00.000Z" {
				t.Errorf("%s: %+v", c.what, *u)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

// A usage that cannot be read costs no message.
func TestAStrangeUsageHidesNoMessage(t *testing.T) {
	rd, err := transcript.Read([]byte(claudeTurn("a", "", `{"input_tokens":{"a":[1]}}`)))
	if err != nil || len(rd.Messages) != 1 || len(rd.Faults) > 0 {
		t.Errorf("%v, %+v", err, rd)
	}
}
