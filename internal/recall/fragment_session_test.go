package recall

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
)

func talked() (schema.SessionMetadata, schema.HotContext) {
	return schema.SessionMetadata{
			SessionID: "conv-2025-11-09-001", Title: "JWT Authentication Implementation", Started: "2025-11-09T04:30:00Z",
			LastActivity: "2025-11-09T06:30:00Z", MessageCount: 45, Agents: []string{"user", "quaid"},
			PrimaryFiles: []string{"auth/jwt.py"}, Tags: []string{"jwt", "authentication"}, Continues: "conv-2025-11-08-003",
			Completed: []schema.Done{{ID: "goal-1", Goal: "Implement token generation", CompletedBy: "quaid"}, {Action: "Update the docs"}},
		}, schema.HotContext{
			KeyDecisions: []schema.KeyDecision{
				{ID: "DEC-1", Decision: "Use HS256", Timestamp: "2025-11-09T04:40:00Z"},
				{ID: "DEC-2", Decision: "Use RS256 instead of HS256", Rationale: "Better security for distributed systems",
					Timestamp: "2025-11-09T04:45:00Z", Agent: "user", Supersedes: schema.IDs{"DEC-1"}},
			},
			ImportantConstraints: []schema.Constraint{{Constraint: "Token TTL must be 1 hour"}},
			Notes:                []schema.Note{{ID: "note-1", Note: "Keys live in Redis\n# not a heading", Agent: "agent-b"}},
			OpenQuestions:        []schema.Question{{ID: "Q-1", Question: "Which key size?"}},
			CurrentFileContext:   &schema.FileContext{Files: []string{"auth/jwt.py", "auth/validators.py"}, LastEdited: "auth/jwt.py"},
			KeyEntities:          map[string][]string{"technologies": {"Redis", "PyJWT"}, "people": {"Ada"}},
		}
}

const summary = `# Session Summary (conv-2025-11-09-001)

## Objective
Implementing JWT authentication

## Key Decisions
1. RS256 over HS256

## Critical Context
- Next: test token refresh
`

func TestAFragmentOfASession(t *testing.T) {
	about, hot := talked()
	f := FromSession(about, hot, []byte(summary), "")
	f.ID, f.Created = "frag-7f3k2q", "2025-11-09T07:00:00.000Z"
	text, err := f.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	want := `---
id: frag-7f3k2q
title: JWT Authentication Implementation
type: decision
tags: [jwt, authentication]
entities: [Ada, Redis, PyJWT]
importance: 0.9
created: 2025-11-09T07:00:00.000Z
session: conv-2025-11-09-001
---

# JWT Authentication Implementation

From session [conv-2025-11-09-001](../../context/sessions/conv-2025-11-09-001/), 2025-11-09T04:30:00Z to 2025-11-09T06:30:00Z, messages: 45, agents: user, quaid, continues conv-2025-11-08-003.

## Objective
Implementing JWT authentication

## Critical Context
- Next: test token refresh

## Decisions
- Use RS256 instead of HS256. Rationale: Better security for distributed systems (DEC-2, user, 2025-11-09T04:45:00Z)

## Completed
- Implement token generation (goal-1, quaid)

## Constraints
- Token TTL must be 1 hour

## Notes
- Keys live in Redis # not a heading (note-1, agent-b)

## Open Questions
- Which key size? (Q-1)

## Files
- auth/jwt.py
- auth/validators.py

## Entities
- people: Ada
- technologies: Redis, PyJWT
`
	if string(text) != want {
		t.Errorf("written\n%s\nwant\n%s", text, want)
	}
}

// What a session came to decides whether it becomes a fragment, of which type,
// and how much that matters.
func TestWorth(t *testing.T) {
	about, hot := talked()
	undecided := hot
	undecided.KeyDecisions = nil
	noted := schema.HotContext{Notes: hot.Notes}
	talk := schema.HotContext{ImportantConstraints: hot.ImportantConstraints, ActiveGoals: []schema.Goal{{Goal: "Test refresh"}}}
	for _, c := range []struct {
		what       string
		about      schema.SessionMetadata
		hot        schema.HotContext
		worth      bool
		reason     string
		kind       string
		importance float64
		title      string
	}{
		{"decisions", about, hot, true, "it has 1 decision that holds, 1 completed goal, 1 note", Decision, 0.9, about.Title},
		{"goals", about, undecided, true, "it has 1 completed goal, 1 note", Implementation, 0.7, about.Title},
		{"notes", schema.SessionMetadata{SessionID: "conv-1"}, noted, true, "it has 1 note", Reference, 0.5, "Session conv-1"},
		{"talk", schema.SessionMetadata{SessionID: "conv-1", Completed: about.Completed[1:]}, talk, false,
			"it has no decision that holds, no completed goal and no note of its own", Reference, 0.5, "Test refresh"},
	} {
		worth, reason := Worth(c.about, c.hot, 0)
		if worth != c.worth || reason != c.reason {
			t.Errorf("%s: %v, %s", c.what, worth, reason)
		}
		if worth, reason := Worth(c.about, c.hot, 8); !worth || !strings.HasSuffix(reason, "8 detected decisions and things to remember") {
			t.Errorf("%s, with statements: %v, %s", c.what, worth, reason)
		}
		f := FromSession(c.about, c.hot, nil, "")
		if f.Type != c.kind || f.Importance != c.importance || f.Title != c.title {
			t.Errorf("%s: %s, %v, %s", c.what, f.Type, f.Importance, f.Title)
		}
	}
}
