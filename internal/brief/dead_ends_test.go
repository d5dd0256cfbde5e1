package brief_test

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/schema"
)

// What was given up is told to who names it, and to nobody else.
func TestDeadEndsFor(t *testing.T) {
	decided := func(id, at, what, why string, supersedes ...string) schema.Decision {
		return schema.Decision{ID: id, Timestamp: "2026-03-" + at + "T10:00:00Z", Decision: what, Rationale: why, Supersedes: supersedes}
	}
	mux := decided("DEC-MUX", "02", "Use the standard library's ServeMux for the API", "it has patterns by now", "DEC-CHI")
	mux.Files = []string{"api/mux.go"}
	chi := decided("DEC-CHI", "01", "Use chi's router for the API", "middleware")
	chi.Files = []string{"api/router.go"}
	cache := decided("DEC-CACHE", "05", "Cache prices in the process", "one instance is enough")
	cache.AlternativesRejected = []string{"Memcached", "a table of prices"}
	rec := brief.Records{
		Standing: schema.Current([]schema.Decision{
			chi, mux,
			decided("DEC-REDIS", "03", "We keep sessions in Redis with a time to live of an hour. Refresh them on access", "fast"),
			decided("DEC-PG", "04", "Keep sessions in Postgres", "one service less", "DEC-REDIS"),
			cache,
			decided("DEC-8", "06", "Open 8 connections", ""),
			decided("DEC-16", "07", "Open 16 connections", "", "DEC-8"),
			decided("DEC-COMMIT", "08", "Run the tests before each commit", ""),
			decided("DEC-CI", "09", "Run the tests in CI", "", "DEC-COMMIT"),
		}),
		Hot: schema.HotContext{ActiveGoals: []schema.Goal{{ID: "goal-1", Goal: "Port the importer to Rust", Status: "abandoned"}, {ID: "goal-2", Goal: "Write the manual in Esperanto"}}},
	}
	for prompt, want := range map[string][]string{
		"Why did we throw chi out?": {"DEC-CHI"},
		"why not chi":               nil, // one word, and nothing asked
		"why not chi?":              {"DEC-CHI"},
		"What was wrong with the chi router that we had?":   {"DEC-CHI"},
		"Look at api/router.go, it is gone":                 {"DEC-CHI"},
		"What does DEC-CHI say":                             {"DEC-CHI"},
		"Add a route to the API":                            nil,
		"What does the ServeMux do for the API?":            nil,
		"Should we use redis for the prices?":               {"DEC-REDIS"},
		"Where are the sessions kept?":                      nil,
		"Refresh the access tokens in the fixtures of auth": nil,
		"Is memcached faster? It is no use to us here.":     {"DEC-CACHE"},
		"Rename the cache of the process":                   nil,
		"Open 8 files at once":                              nil,
		"commit this":                                       nil,
		"Port the rest to Rust":                             {"goal-1"},
		"Is there a manual in Esperanto?":                   nil,
		"chi or redis or memcached for the rust importer?":  {"DEC-CACHE", "DEC-REDIS", "DEC-CHI", "goal-1"},
		"": nil,
	} {
		var got []string
		for item := range rec.DeadEndsFor(prompt) {
			got = append(got, item.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, not %v", prompt, got, want)
		}
	}
	const text = `tried "Use chi's router for the API", replaced by DEC-MUX "Use the standard library's ServeMux for the API" on 2026-03-02 — because it has patterns by now`
	for got := range rec.DeadEndsFor("Why did we throw chi or Redis out?") {
		if got.ID != "DEC-REDIS" {
			t.Errorf("not the latest first: %s", got.ID)
		}
		break
	}
	for got := range rec.DeadEndsFor("Why did we throw chi out?") {
		if got.Text != text || got.Date != "2026-03-01" {
			t.Errorf("%s: %s", got.Date, got.Text)
		}
	}
}
