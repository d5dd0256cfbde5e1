package session_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A conversation is lines of "who: text", a minute apart, with ids msg-1, msg-2 …
func conversation(lines ...string) (messages []schema.Message) {
	for i, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		role := "assistant"
		if who == "user" {
			role = "user"
		}
		messages = append(messages, schema.Message{
			ID: fmt.Sprintf("msg-%d", i+1), Timestamp: fmt.Sprintf("2025-11-09T04:%02d:00Z", 30+i), Agent: who, Role: role, Content: text,
		})
	}
	return messages
}

func jwt() (schema.HotContext, []schema.Message) {
	hot := schema.HotContext{
		ActiveGoals: []schema.Goal{{ID: "goal-1", Goal: "Implement JWT authentication", Status: "in-progress", Priority: "high", Created: "2025-11-09T04:30:00Z"}},
		CurrentFileContext: &schema.FileContext{
			Files: []string{"auth/jwt.py", "auth/validators.py"}, LastEdited: "auth/validators.py", CurrentFunction: "validate_jwt_token",
		},
		PendingActions: []schema.Action{{Action: "Test token refresh flow"}, {Action: "Update documentation"}},
		KeyDecisions: []schema.KeyDecision{
			{ID: "DEC-1", Decision: "RS256 over HS256", Rationale: "security in distributed systems", Timestamp: "2025-11-09T04:33:00Z"},
			{ID: "DEC-2", Decision: "1-hour token TTL with refresh tokens", Timestamp: "2025-11-09T04:36:00Z"},
			{ID: "DEC-3", Decision: "Store public keys in Redis", Timestamp: "2025-11-09T04:38:00Z"},
		},
		ImportantConstraints: []schema.Constraint{{Constraint: "Token TTL must be 1 hour"}, {Constraint: "Must support refresh tokens"}},
	}
	return hot, conversation(
		"user: Let's implement JWT auth.",
		"quaid: I'll help with that. We are implementing JWT authentication system with refresh tokens, so the service stays stateless.",
		"user: Which algorithm would you take, RS256 or HS256?",
		"quaid: RS256 over HS256: security in distributed systems. Decided on RS256 algorithm.",
		"user: Token TTL must be 1 hour, and it must support refresh tokens.",
		"quaid: Then it is a 1-hour token TTL with refresh tokens. Dependencies: PyJWT, cryptography",
		"quaid: Currently working on token generation in auth/jwt.py.",
		"user: Where do the public keys go? Store public keys in Redis.",
		"quaid: Implemented token generation.",
		"user: Great. What is left?",
		"quaid: Currently working on token validation. The checks are in auth/validators.py.\n\nPending: token refresh flow",
		"quaid: Next: test token refresh + update docs",
	)
}

// The session of the Quaid document ends with the summary that the document has.
func TestSummariseTellsTheDocumentsStory(t *testing.T) {
	hot, messages := jwt()
	const want = `# Session Summary (conv-2025-11-09-001)

## Objective
Implementing JWT authentication system with refresh tokens

## Progress
- ✅ Decided on RS256 algorithm
- ✅ Implemented token generation
- 🔄 Currently working on token validation
- ⏳ Pending: token refresh flow

## Key Decisions
1. RS256 over HS256 (security in distributed systems)
2. 1-hour token TTL with refresh tokens
3. Store public keys in Redis

## Critical Context
- Working files: auth/jwt.py, auth/validators.py
- Dependencies: PyJWT, cryptography
- Next: test token refresh + update docs
`
	got := session.Summarise("conv-2025-11-09-001", hot, schema.SessionMetadata{}, messages, schema.Standing{}).Markdown()
	if text := regexp.MustCompile(` \[[^]]+\]\n`).ReplaceAllString(string(got), "\n"); text != want {
		t.Errorf("it is\n%s\nwant\n%s", text, want)
	}
	for _, sourced := range []string{
		"refresh tokens [msg-2]\n", "RS256 algorithm [msg-4]\n", "token generation [msg-9]\n", "token validation [msg-11]\n", "refresh flow [msg-11]\n",
		"systems) [DEC-1]\n", "auth/validators.py [msg-7, msg-11]\n", "cryptography [msg-6]\n", "docs [msg-12]\n",
	} {
		if !strings.Contains(string(got), sourced) {
			t.Errorf("it lacks %q:\n%s", sourced, got)
		}
	}
	again := session.Summarise("conv-2025-11-09-001", hot, schema.SessionMetadata{}, messages, schema.Standing{}).Markdown()
	if !bytes.Equal(got, again) {
		t.Errorf("the same session gave\n%s\nand\n%s", got, again)
	}
}
