package extract_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

func score(m schema.Message) (float64, string) {
	ratio, reasons := extract.Importance(m, schema.DefaultBosses(), schema.DefaultDecisionPhrases())
	return ratio, strings.Join(reasons, ", ")
}

func TestImportance(t *testing.T) {
	user := func(text string) schema.Message { return schema.Message{Agent: "user", Content: text} }
	agent := func(text string) schema.Message { return schema.Message{Agent: "quaid", Content: text} }
	tool := func(text string) schema.Message { return schema.Message{Role: "tool", Content: text} }
	for _, c := range []struct {
		m       schema.Message
		ratio   float64
		reasons string
	}{
		// The three messages of the Quaid document.
		{user("Let's implement JWT auth"), 0.8, "user message that asks for work 0.8"},
		{agent("I'll help with that..."), 0.6, "agent message 0.6"},
		{user("Use RS256"), 0.9, "user message 0.7, contains a decision +0.2"},

		{user("hm"), 0.7, "user message 0.7"},
		{schema.Message{Role: "user", Agent: "caroline", Content: "Hey Mel!"}, 0.7, "user message 0.7"},
		{schema.Message{Agent: "BOSS", Content: "Hey!"}, 0.7, "user message 0.7"},
		{user("Token TTL must be exactly 1 hour"), 0.9, "user message that sets a goal or a rule 0.9"},
		{user("You must be tired"), 0.7, "user message 0.7"},
		{user("It's a must-have. Must be awesome! Never saw this coming."), 0.7, "user message 0.7"},
		{user("Never commit to main."), 0.9, "user message that sets a goal or a rule 0.9"},
		{user("The login is failing"), 0.85, "user message 0.7, contains an error or a warning +0.15"},
		{agent("Let me see what `printAgentError` does"), 0.7, "agent message 0.6, references code +0.1"},
		{user("Can you fix auth/jwt.py?"), 0.9, "user message that asks for work 0.8, references code +0.1"},
		{user("There is a warning in the log"), 0.85, "user message 0.7, contains an error or a warning +0.15"},
		{user("No errors, 0 warnings, error handling is fine"), 0.7, "user message 0.7"},
		{user("Remember this: it rains"), 1, "user message 0.7, asks to remember this +0.3"},
		{user("I remember this. Do you remember that?"), 0.7, "user message 0.7"},
		{user("Please remember that the API must use `RS256`."), 1, "user message that sets a goal or a rule 0.9, references code +0.1, asks to remember this +0.3, capped at 1.0"},
		{agent("Remember this: it rains"), 0.6, "agent message 0.6"},

		{agent("You're welcome!"), 0.4, "agent's courtesy message 0.4"},
		{agent("Use RS256"), 0.6, "agent message 0.6"},
		{agent("We decided on RS256"), 0.9, "agent message that reports work 0.7, contains a decision +0.2"},
		{agent("Implemented token generation."), 0.7, "agent message that reports work 0.7"},
		{agent("Implemented token generation. Next: add tests"), 0.8, "agent message that summarizes work 0.8"},
		{schema.Message{Role: "assistant", ToolName: "Read", Content: "a"}, 0.4, "agent's tool call 0.4"},
		{schema.Message{Agent: "quaid", Kind: "decision", Content: "RS256"}, 0.8, "agent message 0.6, contains a decision +0.2"},

		{tool("ok"), 0.3, "short tool output 0.3"},
		{tool("Traceback (most recent call last):\n  in auth/jwt.py\nValueError: x"), 0.65, "tool output 0.4, references code +0.1, contains an error or a warning +0.15"},
		{schema.Message{Role: "system", Content: "The session began"}, 0.5, "system event 0.5"},
		{schema.Message{Role: "system", Kind: "summary", Content: "All"}, 0.6, "summary 0.6"},
	} {
		if ratio, reasons := score(c.m); ratio != c.ratio || reasons != c.reasons {
			t.Errorf("%q:\n got %v %s\nwant %v %s", c.m.Content, ratio, reasons, c.ratio, c.reasons)
		}
	}
}
