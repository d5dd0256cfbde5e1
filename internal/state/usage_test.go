package state_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// filled returns a State with an artifact of 100 tokens and a window of 10,000.
func filled(used int, other string) string {
	if other != "" {
		other = `, "other_tokens": ` + other
	}
	return fmt.Sprintf(`{"context_window": {"total_tokens": 10000, "used_tokens": %d, "usage_percent": %v%s},
 "loaded_artifacts": [{"id": "A", "loaded": true, "tokens": 100}, {"id": "B", "loaded": false, "tokens": 5000}]}`, used, float64(used)/100, other)
}

func TestSetMessageTokens(t *testing.T) {
	for _, c := range []struct {
		what   string
		src    string
		tokens int
		want   string
	}{
		{"more was said", filled(600, `{"messages": 500}`), 700, filled(800, `{"messages": 700}`)},
		{"less is left", filled(600, `{"messages": 500, "tools": 9}`), 100, filled(200, `{"messages": 100, "tools": 9}`)},
		{"nothing is left", filled(600, `{"messages": 500}`), 0, filled(100, `{"messages": 0}`)},
		{"as it is", filled(600, `{"messages": 5e2}`), 500, filled(600, `{"messages": 5e2}`)},
		{"nothing was ever said", filled(100, ``), 0, filled(100, ``)},
		{"the first words", filled(100, `{"tools": 0}`), 300, filled(400, `{"tools": 0, "messages": 300}`)},
		{"it was counted, under no name", filled(2100, `{"unattributed": 2000}`), 1500, filled(2100, `{"unattributed": 500, "messages": 1500}`)},
		{"it was counted in part", filled(2100, `{"unattributed": 2000}`), 2500, filled(2600, `{"unattributed": 0, "messages": 2500}`)},
		{"it was counted beside a named part", filled(2600, `{"unattributed": 2000, "system": 500}`), 1500, filled(2600, `{"unattributed": 500, "system": 500, "messages": 1500}`)},
		{"it was counted in the sum alone", filled(2100, `{}`), 1500, filled(2100, `{"messages": 1500}`)},
		{"the sum is less than its parts", filled(50, `{}`), 300, filled(350, `{"messages": 300}`)},
		{"nobody counts", `{"context_window": {"total_tokens": 1}}`, 5, `{"context_window": {"total_tokens": 1}}`},
		{"no window", `{}`, 5, `{}`},
	} {
		got, err := state.SetMessageTokens([]byte(c.src), c.tokens)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.what, err, got, c.want)
			continue
		}
		if again, err := state.SetMessageTokens(got, c.tokens); err != nil || string(again) != c.want {
			t.Errorf("%s, twice: %v\n%s", c.what, err, again)
		}
		// What is live before is what is recorded then.
		live, percent := state.LiveUsage(decoded(t, []byte(c.src)), c.tokens)
		w := decoded(t, got).ContextWindow
		if w == nil || w.UsedTokens == 0 {
			continue
		}
		if live != int(w.UsedTokens) || percent != w.UsagePercent {
			t.Errorf("%s: live %d, %v %%, recorded %+v", c.what, live, percent, w)
		}
	}
}

func TestCompacted(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.FixedZone("CET", 3600))
	src := change(t, example(t), `"messages": 59500`, `"messages":  59500`)
	got, err := state.Compacted([]byte(src), at, 9500, "o200k")
	want := src
	for old, new := range map[string]string{
		`"messages":  59500`:             `"messages":  9500`,
		`70000`:                          `20000`,
		`"usage_percent": 35`:            `"usage_percent": 10`,
		`130000`:                         `180000`,
		`2025-10-27T08:30:00Z`:           `2026-03-02T09:00:00.000Z`,
		`"compressions_this_session": 1`: `"compressions_this_session": 2,` + "\n" + `    "counter": "o200k"`,
	} {
		want = change(t, want, old, new)
	}
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err := state.Compacted([]byte(`{}`), at, 5, ""); err != nil || string(got) != `{}` {
		t.Errorf("%v\n%s", err, got)
	}
	// Recorded before: the whole of what the compaction saved is saved.
	before, err := state.SetMessageTokens([]byte(filled(2100, `{"unattributed": 2000}`)), 1500)
	if err != nil {
		t.Fatal(err)
	}
	after, err := state.Compacted(before, at, 200, "o200k")
	if w := decoded(t, after).ContextWindow; err != nil || w.UsedTokens != 800 || w.CompressionsThisSession != 1 {
		t.Errorf("%v, %+v", err, w)
	}
}

func TestLiveUsage(t *testing.T) {
	s := decoded(t, []byte(filled(600, `{"messages": 500}`)))
	s.ContextWindow.UsagePercent = 7 // by hand
	if used, percent := state.LiveUsage(s, -1); used != 600 || percent != 7 {
		t.Errorf("what the State says: %d, %v", used, percent)
	}
	if used, percent := state.LiveUsage(s, 6996); used != 7096 || percent != 71 {
		t.Errorf("one decimal at most: %d, %v", used, percent)
	}
	s.ContextWindow.TotalTokens = 0
	if used, percent := state.LiveUsage(s, 400); used != 500 || percent != 7 {
		t.Errorf("of no size: %d, %v", used, percent)
	}
	if used, percent := state.LiveUsage(schema.State{}, 5); used != 0 || percent != 0 {
		t.Errorf("no window: %d, %v", used, percent)
	}
}

// Whatever is counted in whatever order: a window that added up adds up.
func TestTheWindowAddsUp(t *testing.T) {
	start := example(t)
	rapid.Check(t, func(rt *rapid.T) {
		src := []byte(start)
		if rapid.Bool().Draw(rt, "unattributed") {
			src = []byte(change(t, start, `"messages": 59500`, `"unattributed": 59500`))
		}
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			n := rapid.IntRange(0, 120_000).Draw(rt, "tokens")
			var err error
			switch rapid.IntRange(0, 1).Draw(rt, "what") {
			case 0:
				src, err = state.SetMessageTokens(src, n)
			case 1:
				src, err = state.Compacted(src, morning, n, "o200k")
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		if findings := validate.Bytes(fs.State, src, validate.Options{}); len(findings) > 0 {
			rt.Fatalf("%+v\n%s", findings, src)
		}
	})
}
