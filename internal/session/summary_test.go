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
	"pgregory.net/rapid"
)

// conversation returns messages from lines of "who: text", a minute apart, with the ids msg-1,
// msg-2 …
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

// What follows varies one thing at a time.
func TestSummariseKeepsUpWithTheSession(t *testing.T) {
	for _, c := range []struct {
		what         string
		hot          schema.HotContext
		about        schema.SessionMetadata
		said         []string
		wants, lacks []string
	}{
		{what: "nothing is known", wants: []string{"## Objective\nnot stated yet\n"}, lacks: []string{"## Progress", "## Key Decisions", "## Critical Context"}},
		{
			what:  "without a goal it is what the user wants",
			said:  []string{"user: Hi there!", "quaid: Let's write a novel about pirates.", "user: Hi. Can you fix the login page on mobile? It is urgent."},
			wants: []string{"## Objective\nFix the login page on mobile [msg-3]\n"},
		},
		{
			what:  "a message that says more of the goal",
			hot:   schema.HotContext{ActiveGoals: []schema.Goal{{ID: "g-1", Goal: "Implement JWT auth", Status: "in-progress"}}},
			said:  []string{"user: JWT authentication was implemented by others.", "user: Implementing JWT authentication system with refresh tokens", "quaid: Currently working on JWT authentication"},
			wants: []string{"## Objective\nImplementing JWT authentication system with refresh tokens [msg-2]\n"},
			lacks: []string{"🔄"},
		},
		{
			what:  "neither a greeting nor what leads to a list",
			said:  []string{"user: Hello dear Quaid!\nImplement the following plan:\n# Fix the login page\n- Look at it"},
			wants: []string{"## Objective\nFix the login page [msg-1]\n"},
		},
		{
			what:  "the most urgent goal in progress, by its own words where nobody says more",
			hot:   schema.HotContext{ActiveGoals: []schema.Goal{{ID: "g-1", Goal: "Write docs", Status: "in-progress", Priority: "low"}, {ID: "g-2", Goal: "Fix login", Status: "in-progress", Priority: "high"}, {ID: "g-3", Goal: "Ship it", Status: "pending"}, {ID: "g-4", Goal: "Find the cause", Status: "in-progress", ParentGoalID: "g-2"}}},
			said:  []string{"user: The login is broken, fix the page."},
			wants: []string{"## Objective\nFix login [g-2]\n", "- 🔄 Write docs [g-1]\n- 🔄 Find the cause [g-4]\n- ⏳ Pending: Ship it [g-3]\n"},
			lacks: []string{"🔄 Fix login"},
		},
		{
			what:  "completed goals and actions",
			about: schema.SessionMetadata{Completed: []schema.Done{{ID: "g-1", Goal: "Fix login", Completed: "2025-11-09T04:31:00Z"}, {Action: "Call Anna", Completed: "2025-11-09T04:30:00Z"}}},
			said:  []string{"quaid: Fixed the login.", "quaid: Next: call Anna", "quaid: Still here."},
			wants: []string{"## Objective\nFix login [g-1]\n", "- ✅ Call Anna [msg-2]\n- ✅ Fix login [g-1]\n"},
			lacks: []string{"Fixed the login"},
		},
		{
			what:  "what is done is pending no more, and done only once",
			said:  []string{"quaid: Pending: token refresh flow", "quaid: Currently working on token refresh", "quaid: Implemented token refresh flow.", "quaid: Implemented the token refresh flow."},
			wants: []string{"- ✅ Implemented the token refresh flow [msg-4]\n"},
			lacks: []string{"⏳", "🔄", "[msg-3]"},
		},
		{
			what:  "what was done before is pending again",
			said:  []string{"quaid: Implemented token refresh flow.", "quaid: Pending: token refresh flow"},
			wants: []string{"- ✅ Implemented token refresh flow [msg-1]\n- ⏳ Pending: token refresh flow [msg-2]\n"},
		},
		{
			what:  "what is worked on is not pending, and each works on one thing",
			said:  []string{"quaid: Pending: retry of webhooks", "quaid: Currently working on the billing page", "qa: Currently working on load tests", "quaid: Currently working on retry of webhooks"},
			wants: []string{"- 🔄 Currently working on load tests [msg-3]\n- 🔄 Currently working on retry of webhooks [msg-4]\n"},
			lacks: []string{"⏳", "billing"},
		},
		{
			what:  "a decision that nobody recorded shows as said",
			said:  []string{"user: We decided to keep Postgres for the ledger."},
			wants: []string{"- ✅ We decided to keep Postgres for the ledger [msg-1]\n"},
			lacks: []string{"## Key Decisions"},
		},
		{
			what:  "a decision is told once, in the words that say it is one, with why where these tell",
			hot:   schema.HotContext{ActiveGoals: []schema.Goal{{ID: "g-1", Goal: "Fix login"}}},
			said:  []string{"user: Hello there.", "quaid: We decided to store public keys in Redis because of fast lookups.", "user: Remember this: we decided to use Kafka because it scales."},
			wants: []string{"- ✅ We decided to store public keys in Redis because of fast lookups [msg-2]\n", "- ✅ We decided to use Kafka [msg-3]\n"},
			lacks: []string{"Decided: ", "We decided to store public keys in Redis ["},
		},
		{
			what:  "of a key decision without an id the message that says it",
			hot:   schema.HotContext{KeyDecisions: []schema.KeyDecision{{Decision: "Keep Postgres", Rationale: "we know it"}}},
			said:  []string{"user: Hello.", "user: Let's go with it: keep Postgres."},
			wants: []string{"1. Keep Postgres (we know it) [msg-2]\n"},
			lacks: []string{"✅"},
		},
		{
			what:  "a constraint that a decision does not tell, or denies",
			hot:   schema.HotContext{KeyDecisions: []schema.KeyDecision{{ID: "DEC-1", Decision: "Store tokens in Redis"}}, ImportantConstraints: []schema.Constraint{{ID: "c-1", Constraint: "Do not store tokens in Redis"}, {Constraint: "Store tokens in Redis"}}},
			wants: []string{"- Constraint: Do not store tokens in Redis [c-1]\n"},
			lacks: []string{"Constraint: Store"},
		},
		{
			what:  "dependencies are technologies that nothing else names",
			hot:   schema.HotContext{KeyDecisions: []schema.KeyDecision{{ID: "DEC-1", Decision: "Use Redis"}}, KeyEntities: map[string][]string{"technologies": {"Redis", "PyJWT"}}},
			said:  []string{"user: Fix the login page.", "user: PyJWT talks to Redis."},
			wants: []string{"- Dependencies: PyJWT [msg-2]\n"},
		},
		{
			what:  "urgent actions come first, what a message announced and did is gone, tested is not implemented",
			hot:   schema.HotContext{PendingActions: []schema.Action{{ID: "ACT-1", Action: "Rename X"}, {ID: "ACT-2", Action: "Call Anna", Priority: "high"}}},
			said:  []string{"quaid: Next: update the changelog", "quaid: Updated the changelog.", "quaid: Next: test token refresh", "quaid: Implemented token refresh."},
			wants: []string{"- Next: call Anna + rename X + test token refresh [ACT-2, ACT-1, msg-3]\n"},
		},
		{
			what:  "neither tools nor summaries speak",
			said:  []string{"tool: Implemented nothing.", "summary: Implemented the moon."},
			lacks: []string{"Implemented"},
		},
	} {
		messages := conversation(c.said...)
		for i := range messages {
			switch messages[i].Agent {
			case "tool":
				messages[i].Role = "tool"
			case "summary":
				messages[i].Kind = "summary"
			}
		}
		got := string(session.Summarise("conv-1", c.hot, c.about, messages, schema.Standing{}).Markdown())
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s: it lacks %q:\n%s", c.what, want, got)
			}
		}
		for _, lack := range c.lacks {
			if strings.Contains(got, lack) {
				t.Errorf("%s: it has %q:\n%s", c.what, lack, got)
			}
		}
	}
}

func TestSummariseLeavesOutWhatIsSuperseded(t *testing.T) {
	hot, messages := jwt()
	all := []schema.Decision{{ID: "DEC-1", Timestamp: "2025-11-09T04:33:00Z"}, {ID: "DEC-9", Timestamp: "2025-11-09T05:33:00Z", Supersedes: schema.IDs{"DEC-1"}}}
	s := session.Summarise("conv-1", hot, schema.SessionMetadata{}, messages, schema.Current(all))
	if len(s.Decisions) != 2 || s.Decisions[0].From != "DEC-2" {
		t.Errorf("%+v", s.Decisions)
	}
}

// Of nearly equal decisions the summary has the newest, with the earlier one; of many, all in
// force.
func TestSummariseTellsContradictions(t *testing.T) {
	hot := schema.HotContext{KeyDecisions: []schema.KeyDecision{
		{ID: "DEC-1", Decision: "The token TTL is 1 hour"}, {ID: "DEC-2", Decision: "Use Redis for the keys"}, {ID: "DEC-3", Decision: "The token TTL is 2 hours", Rationale: "fewer logins"},
		{ID: "DEC-4", Decision: "Do not use Redis for the keys"}, {ID: "DEC-5", Decision: "Don't use Redis for keys"},
	}}
	var lines []string
	for i := range 30 {
		hot.KeyDecisions = append(hot.KeyDecisions, schema.KeyDecision{ID: fmt.Sprintf("DEC-1%02d", i), Decision: fmt.Sprintf("Use library %d for module %d", i, i)})
		lines = append(lines, fmt.Sprintf("quaid: Implemented endpoint %d of the API.", i))
	}
	s := session.Summarise("conv-1", hot, schema.SessionMetadata{}, conversation(lines...), schema.Standing{})
	text := string(s.Markdown())
	for _, want := range []string{
		"1. The token TTL is 2 hours (fewer logins); earlier: The token TTL is 1 hour [DEC-3]\n", "2. Don't use Redis for keys [DEC-5]\n",
		"Use library 0 for", "Use library 29 for", "endpoint 29 of the API",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if len(s.Decisions) != 32 || len(s.Progress) < 20 {
		t.Errorf("%d decisions, %d lines of progress:\n%s", len(s.Decisions), len(s.Progress), text)
	}
}

// A long talk without goals and decisions has what was asked for and said: 500 to 1,000
// tokens of it.
func TestSummariseTellsOfOrdinaryTalk(t *testing.T) {
	about := []string{"parser", "cache", "login page", "search index", "mail queue"}
	does := []string{"drops the last line of a file", "keeps an entry after its time", "asks for the password twice", "misses words with an accent", "sends a message twice"}
	var lines []string
	for i := range 100 {
		k := i / 2 % 5
		if i%2 == 0 {
			lines = append(lines, fmt.Sprintf("user: Can you look at the %s in case %d? It %s when the disk is slow.", about[k], i, does[k]))
		} else {
			lines = append(lines, fmt.Sprintf("quaid: The %s of case %d %s because a lock is released before the write of block %d.", about[k], i, does[k], i*3))
		}
	}
	lines = append(lines, "user: The limit of the mail queue is 100 messages.", "user: The limit of the mail queue is 200 messages.")
	s := session.Summarise("conv-1", schema.HotContext{}, schema.SessionMetadata{}, conversation(lines...), schema.Standing{})
	text := string(s.Markdown())
	if n := utf8.RuneCountInString(text); n < 2000 || n > 4100 {
		t.Errorf("it has %d characters:\n%s", n, text)
	}
	if len(s.Requests) < 5 || len(s.Said) < 5 || !strings.Contains(text, "200 messages") || strings.Contains(text, "100 messages") {
		t.Errorf("%d requests, %d statements:\n%s", len(s.Requests), len(s.Said), text)
	}
}

// Much that happened makes no longer summary: the newest stays, decisions are
// named still, and what mattered more stays before what is newer.
func TestSummariseKeepsToItsSize(t *testing.T) {
	var lines []string
	var hot schema.HotContext
	long := strings.Repeat("and all that belongs to it ", 10)
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("quaid: Implemented part%d of machine%d %s.", i, i, long), fmt.Sprintf("qa%d: Currently working on gear%d.", i, i),
			fmt.Sprintf("quaid: Pending: wheel%d of cart%d", i, i), fmt.Sprintf("quaid: Next: paint%d", i))
		hot.KeyDecisions = append(hot.KeyDecisions, schema.KeyDecision{ID: fmt.Sprintf("DEC-%03d", i), Decision: fmt.Sprintf("Use tool%d for job%d %s", i, i, long)})
		hot.ImportantConstraints = append(hot.ImportantConstraints, schema.Constraint{Constraint: fmt.Sprintf("Never touch box%d %s", i, long)})
	}
	messages := conversation(lines...)
	messages[40].Importance = new(0.9)
	got := session.Summarise("conv-1", hot, schema.SessionMetadata{}, messages, schema.Standing{})
	text := string(got.Markdown())
	if n := utf8.RuneCountInString(text); n > 4300 || n < 2000 {
		t.Errorf("it has %d characters", n)
	}
	for _, want := range []string{"[msg-41]", "[msg-797]", "gear199", "wheel199", "[DEC-199]", "[DEC-194]", "- Earlier decisions: DEC-193", "paint199", " more\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
	if len(got.Progress) != 12 || len(got.Decisions) < 3 {
		t.Errorf("%d lines of progress, %d decisions", len(got.Progress), len(got.Decisions))
	}
	short := session.Summarise("conv-1", schema.HotContext{}, schema.SessionMetadata{}, conversation(shortened(lines)...), schema.Standing{})
	if len(short.Progress) != 30 || !strings.HasPrefix(short.Progress[18].Text, "✅") || !strings.HasPrefix(short.Progress[19].Text, "🔄") || !strings.HasPrefix(short.Progress[22].Text, "⏳") {
		t.Errorf("%+v", short.Progress)
	}
}

func shortened(lines []string) (short []string) {
	for _, line := range lines {
		short = append(short, strings.ReplaceAll(line, " and all that belongs to it", ""))
	}
	return short
}

// The same session gives the same summary, within its limit, and its input is not changed.
func TestWhatHoldsOfEverySummary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{
			"Implemented", "Currently working on", "Pending:", "Next:", "Dependencies:", "Objective:", "Decided on", "not", "token", "refresh", "Redis", "RS256",
			"auth/jwt.py", "\n", "## Progress", "- ", "✅", "⏳", "[msg-1]", ", ", ". ", " + ", "\xff", "\u202e", "界", strings.Repeat("x", 300),
		})
		text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(t, "words"), " ") })
		var messages []schema.Message
		for i := range rapid.IntRange(0, 40).Draw(t, "messages") {
			messages = append(messages, schema.Message{
				ID: fmt.Sprintf("msg-%d", i), Timestamp: rapid.SampledFrom([]string{"", "2025-11-09T04:30:00Z"}).Draw(t, "time"), Content: text.Draw(t, "content"),
				Agent: rapid.SampledFrom([]string{"user", "quaid", ""}).Draw(t, "agent"), Role: rapid.SampledFrom([]string{"user", "assistant", "tool", ""}).Draw(t, "role"),
			})
		}
		var hot schema.HotContext
		var about schema.SessionMetadata
		for range rapid.IntRange(0, 12).Draw(t, "items") {
			status := rapid.SampledFrom([]string{"pending", "in-progress", "complete", ""}).Draw(t, "status")
			hot.ActiveGoals = append(hot.ActiveGoals, schema.Goal{Goal: text.Draw(t, "goal"), Status: status})
			hot.PendingActions = append(hot.PendingActions, schema.Action{Action: text.Draw(t, "action"), Priority: status})
			hot.KeyDecisions = append(hot.KeyDecisions, schema.KeyDecision{Decision: text.Draw(t, "decision"), Rationale: text.Draw(t, "why")})
			hot.ImportantConstraints = append(hot.ImportantConstraints, schema.Constraint{Constraint: text.Draw(t, "constraint")})
			about.Completed = append(about.Completed, schema.Done{Goal: text.Draw(t, "completed")})
		}
		before := fmt.Sprint(hot, about, messages)
		s := session.Summarise("conv-1", hot, about, messages, schema.Standing{})
		got := s.Markdown()
		if again := session.Summarise("conv-1", hot, about, messages, schema.Standing{}).Markdown(); !bytes.Equal(got, again) {
			t.Fatalf("the same session gave\n%s\nand\n%s", got, again)
		}
		if before != fmt.Sprint(hot, about, messages) {
			t.Fatalf("what it was made of changed")
		}
		if n := utf8.RuneCount(got); n > 6000 || len(s.Progress) > 30 || len(s.Decisions) > 60 {
			t.Fatalf("%d characters, %d lines of progress, %d decisions", n, len(s.Progress), len(s.Decisions))
		}
	})
}
