package condense

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// talk returns a discussion of testdata/talks. Each message begins with its author.
func talk(t *testing.T, name string) []schema.Message {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "talks", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(string(src), "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if who, _, ok := strings.Cut(line, ": "); ok && strings.Trim(who, "abcdefghijklmnopqrstuvwxyz") == "" {
			lines = append(lines, line)
		} else {
			lines[len(lines)-1] += "\n" + line
		}
	}
	return said(lines...)
}

// Each talk of a kind that people have: what they decided is in its draft, and
// nothing that they did not.
func TestTalks(t *testing.T) {
	for name, want := range map[string]Condensation{
		"incident": {
			Decision:    "Let's roll back to 4f2c98 and pin the SDK at 3.1.4.",
			ActionItems: []string{"chloe: I'll write the postmortem by Thursday.", "ben: I'll open a ticket to set the timeout explicitly before we try 3.2 again."},
		},
		"debate": {
			Decision:    "We move the event store to Postgres with an outbox table, partitioned by month, kept for 13 months.",
			Rationale:   "Main argument for Postgres: one transaction for the order and its event.",
			ActionItems: []string{"priya: I'll draft the migration plan this week.", "tom: Review the partitioning."},
			Supersedes:  []string{"the Kafka decision from 2024"},
		},
		"material": {
			Decision:    "We select Clearceram-Z HS for M2.",
			Rationale:   "CTE matches Zerodur Class 0 within the budget, it is 30% cheaper and arrives 12 weeks earlier.",
			ActionItems: []string{"optics: Update the material card.", "thermal: Rerun the gradient case with the new CTE."},
			Supersedes:  []string{"the Zerodur decision of February 5"},
		},
		"two": {
			Decision:    "We drop Python 3.8 in 5.0. Let's stay with Read the Docs and pay for the ad-free plan.",
			ActionItems: []string{"sam: I'll set up the billing tomorrow.", "kim: I'll remove 3.8 from the CI matrix."},
		},
		"revoked": {
			Decision:    "Let's use Redis with AOF instead of Memcached.",
			Rationale:   "It survives a restart.",
			ActionItems: []string{"eli: I'll update the terraform module."},
		},
		"none": {ActionItems: []string{"gus: I'll ask the support team about their rotation."}},
		"sarcasm": {
			Decision:    "We'll move the COPY behind the dependency install.",
			Rationale:   "The docker layer cache is never hit because we COPY everything before installing dependencies. Moving the COPY behind the install saves 31 minutes, I tried it on my branch.",
			ActionItems: []string{"pete: I'll open the PR today."},
		},
		"questions": {},
		"german": {
			Decision:    "Wir nehmen TOML.",
			Rationale:   "Weil es eindeutiger ist und der Linter es prüft.",
			ActionItems: []string{"wim: Ich schreibe bis Freitag das Migrationsskript."},
		},
		"french": {
			Decision:    "On part sur GitLab CI pour tous les nouveaux dépôts.",
			ActionItems: []string{"eva: Je prépare un modèle de pipeline pour lundi."},
		},
		"code": {
			Decision:    "Let's raise `InvalidDate` from `parse_date()` and catch it in `importer.py`.",
			ActionItems: []string{"xia: I'll add a test for `2026-02-30` and `2025-02-29`."},
		},
		"boss": {
			Decision:    "Use JSON lines.",
			ActionItems: []string{"ada: I'll add jl to the base image.", "sam: I'll switch the gateway config tomorrow morning."},
		},
		"alone": {
			Decision:    "Decided to write an empty string there instead of NULL.",
			ActionItems: []string{"_nobody named_: Add a test with the Cologne file."},
		},
	} {
		got := Draft(talk(t, name), DraftOptions{Channel: "dev", Bosses: []string{"manager"}})
		if got.Decision != want.Decision || got.Rationale != want.Rationale || !reflect.DeepEqual(got.ActionItems, want.ActionItems) || !reflect.DeepEqual(got.Supersedes, want.Supersedes) {
			t.Errorf("%s: got\n%s", name, got.Markdown())
		}
		if got.Context == "" || got.Topic == "" {
			t.Errorf("%s: nobody can tell what it was about:\n%s", name, got.Markdown())
		}
	}
}

// What a chat bridge may write does no harm: the draft stays one screen.
func TestDraftOfBadInput(t *testing.T) {
	at := func(when, who, text string) schema.Message {
		return schema.Message{Timestamp: when, Agent: who, Content: text}
	}
	const decision = "Let's go with Postgres for the queue."
	for name, c := range map[string]struct {
		talk     []schema.Message
		o        DraftOptions
		decision string
		date     string
	}{
		"no times, nobody": {[]schema.Message{at("", "", "Which queue?"), at("", "", decision), at("", "", "Agreed.")}, DraftOptions{}, decision, ""},
		"zones": {[]schema.Message{at("2026-02-16T01:30:00+09:00", "ann", decision), at("2026-02-15T23:59:00-05:00", "bob", "Agreed.")},
			DraftOptions{}, decision, "2026-02-16"},
		"out of order":       {[]schema.Message{at("2026-02-15T10:02:00Z", "bob", "Agreed."), at("2026-02-15T10:01:00Z", "ann", decision)}, DraftOptions{}, decision, "2026-02-15"},
		"no such time":       {[]schema.Message{at("yesterday", "ann", decision), at("2026-13-45T99:00:00Z", "bob", "Agreed.")}, DraftOptions{}, decision, ""},
		"control characters": {[]schema.Message{at("", "a\x1b[31mnn", "\x1b]0;title\x07Let's go with Postgres\x00 for the\x08 queue.\x1b[2J"), at("", "bob", "Agreed.")}, DraftOptions{Topic: "a\x1b[31m\x00b"}, "", ""},
		"one long word":      {[]schema.Message{at("", "ann", strings.Repeat("x", 1<<20)), at("", "bob", decision), at("", "ann", "Agreed.")}, DraftOptions{}, decision, ""},
		"1 MiB":              {[]schema.Message{at("", "ann", strings.Repeat("It is slow, and it is late. ", 1<<20/28)), at("", "bob", decision), at("", "ann", "Agreed.")}, DraftOptions{}, decision, ""},
		"1 MiB of brackets":  {[]schema.Message{at("", "ann", strings.Repeat("(", 1<<20)), at("", "bob", decision), at("", "ann", "Agreed.")}, DraftOptions{}, decision, ""},
		"a long topic":       {said("ann: "+decision, "bob: Agreed."), DraftOptions{Topic: "queue / " + strings.Repeat("über-🎉 ", 60)}, decision, "2026-02-15"},
		"names of all kinds": {[]schema.Message{at("", strings.Repeat("n", 500), decision), at("", "## **x**, y", "Agreed."), at("", "- [ ] 🎉", "ok")}, DraftOptions{Channel: "../#a/b\n\x00"}, decision, ""},
		"many people": {func() (all []schema.Message) {
			for i := range 500 {
				all = append(all, at("", "agent-"+strings.Repeat("a", i%50)+string(rune('a'+i%26)), "I'll write the test of part "+strings.Repeat("b", i%30)+" by Friday."))
			}
			return append(all, at("", "ann", decision), at("", "bob", "Agreed."))
		}(), DraftOptions{}, decision, ""},
	} {
		got := Draft(c.talk, c.o)
		text := string(got.Markdown())
		if c.decision != "" && !strings.Contains(got.Decision, c.decision) || got.Date != c.date {
			t.Errorf("%s: got %q of %q", name, got.Decision, got.Date)
		}
		if strings.ContainsAny(text, "\x00\x1b\x07\x08") {
			t.Errorf("%s: what steers terminals is in %q", name, text)
		}
		if len(text) > 6<<10 || strings.Count(text, "\n") > 30 {
			t.Errorf("%s: %d bytes, %d lines:\n%.2000s", name, len(text), strings.Count(text, "\n"), text)
		}
		if read, err := ReadCondensation("", []byte(text)); err != nil || read.Decision != got.Decision {
			t.Errorf("%s: reads as %+v, %v", name, read, err)
		}
		if name := fileName(got, time.Unix(0, 0), nil); strings.ContainsAny(name, "/\\ ") || len(name) > 100 {
			t.Errorf("a file cannot be called %q", name)
		}
	}
}
