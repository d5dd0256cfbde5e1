package brief_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/schema"
)

// decided returns a decision of March 2026.
func decided(id, day, what, why string, supersedes ...string) schema.Decision {
	return schema.Decision{ID: id, Timestamp: "2026-03-" + day + "T10:00:00Z", Decision: what, Rationale: why, Supersedes: supersedes}
}

// What was given up is told to who names it, and to nobody else.
func TestDeadEndsFor(t *testing.T) {
	mux := decided("DEC-MUX", "02", "Use the standard library's ServeMux for the API", "it has patterns by now", "DEC-CHI")
	mux.Files = []string{"api/mux.go"}
	chi := decided("DEC-CHI", "01", "Use chi's router for the API", "middleware")
	chi.Files = []string{"./api/router.go", "api", "main.go"}
	rejects := func(id, day, what string, others ...string) schema.Decision {
		d := decided(id, day, what, "")
		d.AlternativesRejected = others
		return d
	}
	rec := records(brief.Records{
		Decisions: []schema.Decision{
			chi, mux,
			decided("DEC-REDIS", "03", "We keep sessions in Redis with a time to live of an hour. Refresh them on access", "fast"),
			decided("DEC-PG", "04", "Keep sessions in Postgres", "one service less", "DEC-REDIS"),
			rejects("DEC-CACHE", "05", "Cache prices in the process", "Memcached with an hour to live", "a table of prices"),
			decided("DEC-8", "06", "Open 8 connections", ""),
			decided("DEC-16", "07", "Open 16 connections", "", "DEC-8"),
			decided("DEC-COMMIT", "08", "Run the tests before each commit", ""),
			decided("DEC-CI", "09", "Run the tests in CI", "", "DEC-COMMIT"),
			decided("DEC-TABLES", "10", "Keep the Public Tables in the Main Schema", ""),
			decided("DEC-ONE", "11", "Keep the tables in one schema", "", "DEC-TABLES"),
			decided("DEC-DE", "12", "Die Sitzungen liegen im Speicher des Servers", ""),
			decided("DEC-DE2", "13", "Die Sitzungen liegen in der Datenbank", "", "DEC-DE"),
			rejects("DEC-RUST", "14", "Write the tool in Rust", "Go", "Make", "Keep it as it is", "Do nothing"),
			rejects("DEC-RPC", "15", "Serve gRPC", "REST", "manual deploys", "a new service", "Write our own"),
			decided("DEC-DB", "15", "Keep feature flags in the database, sent by e-mail", ""),
			decided("DEC-FILE", "15", "Keep feature flags in a file", "", "DEC-DB"),
			rejects("DEC-QL", "15", "Serve documents", "GraphQL"),
			decided("DEC-QL2", "16", "Serve GraphQL for the mobile app", ""),
			decided("DEC-38", "15", "Use Python 3.8", ""),
			decided("DEC-312", "16", "Use Python 3.12", "", "DEC-38"),
			rejects("DEC-RUNNER", "15", "Run CI on our own machines", "GitHub Actions"),
			rejects("DEC-PUSH", "15", "Push events", "long polling", "a nightly check"),
			decided("DEC-QUEUE", "15", "Use a queue for letters", ""),
			decided("DEC-INLINE", "16", "Send letters inline", "", "DEC-QUEUE"),
			decided("DEC-YAML", "16", "Write settings in YAML", ""),
			decided("DEC-TOML", "17", "Write settings in TOML", "fewer traps", "DEC-YAML"),
			decided("DEC-YAML2", "18", "Write settings in YAML again", "people know it", "DEC-TOML"),
		},
		Hot: schema.HotContext{ActiveGoals: []schema.Goal{
			{ID: "goal-1", Goal: "Port the importer to Haskell", Status: "abandoned"}, {ID: "goal-2", Goal: "Write the manual in Esperanto"},
			{ID: "goal-3", Goal: "Paint the gate", Status: "dropped"}, {ID: "goal-4", Goal: "Paint the gate"},
		}},
	})
	for prompt, want := range map[string][]string{
		// It goes back.
		"Why did we throw chi out?":               {"DEC-CHI"},
		"why not chi":                             {"DEC-CHI"},
		"And what about chi's router? Tell me.":   {"DEC-CHI"},
		"What was wrong with the chi router?":     {"DEC-CHI"},
		"What about Redis?":                       {"DEC-REDIS"},
		"why not redis?":                          {"DEC-REDIS"},
		"Why did we decide against REST?":         {"DEC-RPC"},
		"Why no manual deploys?":                  {"DEC-RPC"},
		"Why did we give Memcached up?":           {"DEC-CACHE"},
		"Let us go back to Haskell":               {"goal-1"},
		"Why did we drop Python 3.8?":             {"DEC-38"},
		"Why don't we use GitHub Actions for it?": {"DEC-RUNNER"},
		// It weighs.
		"Should we keep sessions in Redis?":     {"DEC-REDIS"},
		"Could we put a new service in front?":  {"DEC-RPC"},
		"Why did we leave chi, or is it redis?": {"DEC-CHI"},
		// It proposes.
		"Please use chi for the new endpoint": {"DEC-CHI"},
		"Let's try memcached instead":         {"DEC-CACHE"},
		"Port the rest to Haskell":            {"goal-1"},
		"Rewrite the tool in Go, please":      {"DEC-RUST"},
		"Move the settings to TOML":           {"DEC-TOML"},
		"Let's go with haskell":               {"goal-1"},
		"Have we tried GitHub Actions?":       {"DEC-RUNNER"},
		"Why was Memcached dropped?":          {"DEC-CACHE"},
		"Let's use the Redis driver":          {"DEC-REDIS"},
		"Replace Postgres with Redis":         {"DEC-REDIS"},
		// It names an id or a file.
		"Look at api/router.go, it is gone": {"DEC-CHI"},
		"What does DEC-CHI say":             {"DEC-CHI"},
		// It does none of this.
		"Add a route to the API":                            nil,
		"What does the ServeMux do for the API?":            nil,
		"Should we use YAML for settings?":                  nil, // it holds again
		"Should we serve GraphQL?":                          nil, // it was taken up later
		"Where are the sessions kept?":                      nil,
		"Refresh the access tokens in the fixtures of auth": nil,
		"Open 8 files at once":                              nil,
		"commit this":                                       nil,
		"Is there a manual in Esperanto?":                   nil,
		"Should we paint the gate?":                         nil, // it is a goal again
		"Let us go ahead and merge it":                      nil,
		"- Go through the failing tests":                    nil,
		"Why does it go wrong?":                             nil,
		"Do the rest of the work now":                       nil,
		"Make the button blue":                              nil,
		"Make it work again":                                nil,
		"Keep the old name of the column":                   nil,
		"Should we keep the old name?":                      nil,
		"Deploy the app to staging":                         nil,
		"Push it to main now":                               nil,
		"Make the public API smaller":                       nil,
		"Starte den Server neu bitte":                       nil,
		"Open a GitHub issue":                               nil,
		"Should we open a GitHub issue?":                    nil,
		"Back up the database":                              nil,
		"Why is the database slow?":                         nil,
		"Connect back to the database":                      nil,
		"Send an e-mail to the team":                        nil,
		"Look at cmd/tool/main.go":                          nil,
		"Look at docs/api and its index":                    nil,
		"instead of using a map, take a slice":              nil,
		"What about using a slice?":                         nil,
		"Use long names":                                    nil,
		"Using client arguments, print usage":               nil,
		"use database logs to debug":                        nil,
		"move the check in nightly tests":                   nil,
		"go on":                                             nil,
		"":                                                  nil,
	} {
		var got []string
		files := strings.FieldsFunc(prompt, func(r rune) bool { return r == ' ' || r == ',' })
		for item := range brief.DeadEndsFor(prompt, files, func() *brief.Records { return &rec }) {
			got = append(got, item.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, not %v", prompt, got, want)
		}
	}
	brief.DeadEndsFor("go on", nil, func() *brief.Records { t.Error("records are read for nothing"); return &rec })(func(brief.Item) bool { return true })
}

// What is told says what took the place of a dead end, and what holds by now.
func TestDeadEndsForText(t *testing.T) {
	rec := records(brief.Records{Decisions: []schema.Decision{
		decided("DEC-1", "01", "Use chi", "middleware"), decided("DEC-2", "02", "Use gin", "it is fast", "DEC-1"), decided("DEC-3", "03", "Use net/http", "nothing to keep up", "DEC-2"),
	}})
	var got []string
	for item := range brief.DeadEndsFor("Why not chi, and why not gin?", nil, func() *brief.Records { return &rec }) {
		got = append(got, item.Date+" "+item.ID+" "+item.Text)
	}
	want := []string{
		`2026-03-02 DEC-2 tried "Use gin", replaced by DEC-3 "Use net/http" on 2026-03-03 — because nothing to keep up`,
		`2026-03-01 DEC-1 tried "Use chi", replaced by DEC-2 "Use gin" on 2026-03-02, by now by DEC-3 — because it is fast`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// records returns rec with the standing of its decisions.
func records(rec brief.Records) brief.Records {
	rec.Standing = schema.Current(rec.Decisions)
	return rec
}

func BenchmarkDeadEndsFor(b *testing.B) {
	long := strings.Repeat("Lay the north wall with Redis and lime before the frost. ", 8000)
	var all []schema.Decision
	for i := range 50 {
		id := "DEC-" + string(rune('A'+i/26)) + string(rune('A'+i%26))
		d := decided(id, "01", long, long)
		d.AlternativesRejected = slices.Repeat([]string{long}, 1000)
		all = append(all, d, decided(id+"2", "02", "Use mortar. "+long, long, id))
	}
	rec := records(brief.Records{Decisions: all})
	for b.Loop() {
		for range brief.DeadEndsFor(strings.Repeat("Why not the south wall? ", 300), nil, func() *brief.Records { return &rec }) {
			continue
		}
	}
}
