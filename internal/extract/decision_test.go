package extract_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

func TestDecision(t *testing.T) {
	for _, c := range []struct {
		text, decision, rationale string
		confidence                float64
	}{
		{"Decided on RS256 because it is better for distributed systems.", "Decided on RS256", "it is better for distributed systems", 0.9},
		{"Decision: Use Redis for public keys\nRationale: Fast lookup, built-in TTL", "Use Redis for public keys", "Fast lookup, built-in TTL", 0.9},
		{"**Decision:** 1-hour token TTL. **Reason:** short exposure.", "1-hour token TTL", "short exposure", 0.9},
		{"OK, let's go with Postgres. Because we know it.", "let's go with Postgres", "we know it", 0.8},
		{"Let’s go with plan B", "Let’s go with plan B", "", 0.8},
		{"We'll use RS256 instead of HS256 since keys can be shared.", "We'll use RS256 instead of HS256", "keys can be shared", 0.7},
		{"The tests pass, so we decided to ship on Monday, as agreed with ops.", "we decided to ship on Monday", "agreed with ops", 0.9},
		{"We decided to log nothing.", "We decided to log nothing", "", 0.9},
		{"I've decided not to use Redis.", "I've decided not to use Redis", "", 0.9},
		{"We have decided: `RS256` it is", "We have decided: `RS256` it is", "", 0.9},
		{"- We will use \"strict\" mode even if it is slower", "We will use \"strict\" mode even if it is slower", "", 0.7},
		{"Approved.", "Approved", "", 0.6},
		{"From now on, every commit has a test.", "From now on, every commit has a test", "", 0.6},
		{"Is it fine? We decided on Redis.", "We decided on Redis", "", 0.9},
		{"We chose Postgres because we know it.", "We chose Postgres", "we know it", 0.8},
		{"Let's use Postgres.", "Let's use Postgres", "", 0.7},
		{"We agreed on port 9090.", "We agreed on port 9090", "", 0.8},
		{"Agreed on two reviewers for each change.", "Agreed on two reviewers for each change", "", 0.8},
		{"After a long talk, we finally settled on SQLite", "After a long talk, we finally settled on SQLite", "", 0.8},
		{"We're going with B.", "We're going with B", "", 0.8},
		{"We are going with the second option, since it is cheaper", "We are going with the second option", "it is cheaper", 0.8},
		{"Wir haben uns für Postgres entschieden, weil wir es kennen.", "Wir haben uns für Postgres entschieden", "wir es kennen", 0.9},
		{"Wir haben beschlossen, jede Woche zu liefern.", "Wir haben beschlossen, jede Woche zu liefern", "", 0.9},
		{"Wir haben uns auf zwei Prüfer geeinigt.", "Wir haben uns auf zwei Prüfer geeinigt", "", 0.8},
		{"Entscheidung: Tokens gelten eine Stunde", "Tokens gelten eine Stunde", "", 0.9},
		{"Wir entscheiden uns für RS256.", "Wir entscheiden uns für RS256", "", 0.8},
		{"我们决定使用RS256，因为安全。", "我们决定使用RS256", "安全", 0.9},
		{"最终决定：令牌有效期一小时。", "最终决定：令牌有效期一小时", "", 0.9},
		{"我们选择Postgres。", "我们选择Postgres", "", 0.8},

		// Imperatives, unless a phrase states a decision.
		{"Use RS256", "Use RS256", "", 0.5},
		{"Use RS256 because better for distributed systems", "Use RS256", "better for distributed systems", 0.5},
		{"ok, use postgres instead of mysql", "use postgres instead of mysql", "", 0.5},
		{"Switch to `slog`.", "Switch to `slog`", "", 0.5},
		{"使用Redis，因为速度快。", "使用Redis", "速度快", 0.5},
		{"Use Redis. No: we decided on SQLite.", "we decided on SQLite", "", 0.9},
	} {
		d, ok := extract.Decision(c.text, schema.DefaultDecisionPhrases())
		if !ok || d.Decision != c.decision || d.Rationale != c.rationale || d.Confidence != c.confidence || d.Imperative != (c.confidence == 0.5) || d.Phrase == "" {
			t.Errorf("%q:\n got %+v %v\nwant %q because %q, %g", c.text, d, ok, c.decision, c.rationale, c.confidence)
		}
	}
}

func TestNoDecision(t *testing.T) {
	for _, text := range []string{
		"",
		"Should we use RS256?",
		"Have we decided on RS256?",
		"We have not decided on RS256 yet.",
		"We haven't decided.",
		"We haven’t decided on the name.",
		"Nothing is decided here.",
		"It is yet to be decided.",
		"This must be approved by legal.",
		"The PR is not approved.",
		"Once approved, we ship.",
		"If we decided on Redis, it would be slow.",
		"Let's go with Redis if the latency is fine.",
		"We'll use Redis unless it is slow.",
		"Maybe we'll use Redis.",
		"I wonder how we decided on this.",
		"John said \"we decided on Redis\".",
		"John said we decided on Redis.",
		"They decided to leave. My sister decided on a dress.",
		"> Decided on RS256",
		"```\n# Decided on RS256\n```",
		"The log says `decided on RS256`.",
		"We'll use this to find the bug.",
		"We will use grep to see what is there.",
		"The undecided voters",
		"I decided nothing",
		"We decided nothing about the database.",
		"We decided on nothing.",
		"Use the grep tool to find it.",
		"Use it at your own risk.",
		"Use Ctrl+C to stop.",
		"Use Redis or Postgres.",
		"Users Use",
		"Don't use Redis.",
		"Wir haben noch nicht entschieden",
		"We never agreed on a name.",
		"The agreed on price is high.",
		"They settled on the coast.",
		"Nobody settled on anything.",
		"We chose Redis if the test passes.",
		"Have we chosen a database?",
		"We're going with the children to the sea.",
		"We're going with my sister.",
		"Let's use this to find the bug.",
		"Let's use the profiler to see why it is slow.",
		"Das ist entschieden zu teuer.",
		"Er hat sich für Postgres entschieden.",
		"Ob das beschlossen ist, weiß niemand.",
		"Haben wir uns geeinigt?",
		"我们还没决定使用哪个数据库。",
		"我们决定不了。",
		"我们是否决定使用RS256？",
	} {
		if d, ok := extract.Decision(text, schema.DefaultDecisionPhrases()); ok {
			t.Errorf("%q: got %+v", text, d)
		}
	}
}

func TestConfiguredPhrases(t *testing.T) {
	for _, c := range []struct{ text, phrase, decision string }{
		{"Die Wahl fiel auf RS256, weil es sicherer ist.", "die wahl fiel", "Die Wahl fiel auf RS256"},
		{"我们敲定RS256，因为安全。", "敲定", "我们敲定RS256"},
		{"Locked in RS256", " Locked IN ", "Locked in RS256"},
	} {
		d, ok := extract.Decision(c.text, []string{"", c.phrase})
		if !ok || d.Decision != c.decision || d.Confidence != 0.7 {
			t.Errorf("%q by %q: %+v %v", c.text, c.phrase, d, ok)
		}
	}
	if d, ok := extract.Decision("Decided on RS256", nil); ok {
		t.Errorf("without phrases: got %+v", d)
	}
}

func TestBecause(t *testing.T) {
	for _, c := range []struct{ text, decision, rationale string }{
		{"Use RS256 because better for distributed systems", "Use RS256", "better for distributed systems"},
		{"Use RS256, because it is BETTER because of X.", "Use RS256", "it is BETTER because of X"},
		{"Use RS256 because of the latency", "Use RS256", "the latency"},
		{"Use RS256 Because: safer", "Use RS256", "safer"},
		{"Use RS256, since keys are shared", "Use RS256", "keys are shared"},
		{"Use RS256 since keys are shared", "Use RS256", "keys are shared"},
		{"Use RS256, as keys are shared", "Use RS256", "keys are shared"},
		{"Use RS256 as default", "Use RS256 as default", ""},
		{"Keep what holds since 2020", "Keep what holds since 2020", ""},
		{"Keep what holds since yesterday because it works", "Keep what holds since yesterday", "it works"},
		{"Use RS256 — safer", "Use RS256", "safer"},
		{"Use RS256 — for tokens — because safer", "Use RS256 — for tokens", "safer"},
		{"Use RS256. Reason: safer.", "Use RS256", "safer"},
		{"Nimm RS256, weil es sicherer ist", "Nimm RS256", "es sicherer ist"},
		{"使用RS256，因为更安全", "使用RS256", "更安全"},
		{`Name it "because" because short`, `Name it "because"`, "short"},
		{"Use RS256 (because safer) in the API", "Use RS256 (because safer) in the API", ""},
		{"Use RS256 (not HS256) because safer", "Use RS256 (not HS256)", "safer"},
		{"Rename `x because y` to z", "Rename `x because y` to z", ""},
		{"Because we can", "Because we can", ""},
		{"Use RS256 because", "Use RS256 because", ""},
		{" Use RS256. ", "Use RS256.", ""},
		{"well-known — ", "well-known —", ""},
		{"", "", ""},
	} {
		if d, r := extract.Because(c.text); d != c.decision || r != c.rationale {
			t.Errorf("%q: got %q because %q", c.text, d, r)
		}
	}
}
