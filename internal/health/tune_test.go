package health_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// at returns a time on a Monday, the given number of minutes after eight.
func at(minutes int) string {
	return schema.FormatTime(time.Date(2026, 11, 16, 8, minutes, 0, 0, time.UTC))
}

// scored returns a line of the strategy relevance.
func scored(minutes int, id string, k schema.Knobs, similarity, hours float64) schema.LogDrop {
	p := relevance.Score(k, similarity, hours, false)
	return schema.LogDrop{
		Timestamp: at(minutes), Event: "chunk_dropped", ChunkID: id, SessionID: "session-1", Reason: health.LowRelevance,
		RelevanceScore: float64(p.Score) / 1000, ThresholdUsed: k.RelevanceCutoff, Similarity: &p.Similarity, Hours: &p.Hours,
		Tokens: 100, ConfigUsed: k.Deciding(),
	}
}

func recovered(minutes int, id, trigger string) schema.LogRecovery {
	return schema.LogRecovery{
		Timestamp: at(minutes), Event: "chunk_recovered", ChunkID: id, SessionID: "session-1", Prompt: "which pears", Score: 1, Trigger: trigger,
	}
}

// week returns the logs of five days: each hour a compaction drops chunks, and most of
// those with the best scores are recovered.
func week() (l health.Logs) {
	k := schema.DefaultKnobs()
	for n := range 5 * 8 {
		now := n/8*24*60 + n%8*60
		for i := range 3 {
			id := fmt.Sprintf("chunk-%03d-%d", n, i)
			d := scored(now, id, k, float64((n*7+i*13)%40)/100, float64(3+(n+i)%9*4))
			if d.RelevanceScore >= k.RelevanceCutoff {
				d.Reason = health.NoRoom
			} else if (n+i)%7 == 0 {
				d.Reason = health.ToolOutput
			}
			l.Drops = append(l.Drops, d)
			if d.RelevanceScore >= 0.25 && (n+i)%3 > 0 {
				l.Recoveries = append(l.Recoveries, recovered(now+30, id, []string{"manual", "automatic"}[n%2]))
			}
		}
		if n%3 == 0 {
			l.Curations = append(l.Curations, schema.LogCuration{Timestamp: at(now), Event: "memfas_curation", TokenSavings: schema.Int(1000 + n*137%3000)})
		}
		l.Compactions = append(l.Compactions, schema.LogCompaction{
			Timestamp: at(now), Event: "compaction_triggered", Trigger: []string{"token_threshold", "manual", "hard_limit"}[n%7%3],
			TokensBefore: schema.Int(60000 + 700*n), TokensAfter: schema.Int(30000 + 200*n), ChunksDropped: 3, ChunksSummarized: 2,
		})
		for m := range 6 {
			l.Health = append(l.Health, schema.LogHealth{
				Timestamp: at(now + 10*m), CurrentTokens: 45000, Limit: 100000, PctUsed: 0.2 + 0.11*float64(m) + float64(n%5)/50,
			})
		}
	}
	return l
}

func TestTuneCountsLines(t *testing.T) {
	k := schema.DefaultKnobs()
	tuning := health.Tune(health.Logs{
		Drops: []schema.LogDrop{
			{Timestamp: at(0), ChunkID: "a", Reason: "low_relevance", RelevanceScore: 0, Tokens: 10},
			{Timestamp: at(1), ChunkID: "b", Reason: "low_relevance", RelevanceScore: 0.3, Tokens: 20},
			{Timestamp: at(2), ChunkID: "c", Reason: "tool_output", RelevanceScore: 1},
			{Timestamp: at(3), ChunkID: "d", Reason: "", RelevanceScore: health.NoScore},
			{Timestamp: at(4), ChunkID: "e", Reason: "a phrase", RelevanceScore: 0.999},
		},
		Curations: []schema.LogCuration{{Timestamp: at(5), TokenSavings: 40}, {Timestamp: at(6), TokenSavings: 10}, {Timestamp: at(7), TokenSavings: 20}, {Timestamp: at(8), TokenSavings: 5}},
		Compactions: []schema.LogCompaction{
			{Timestamp: at(9), Trigger: "manual", TokensBefore: 100, TokensAfter: 40},
			{Timestamp: at(10), Trigger: "hard_limit", TokensBefore: 200, TokensAfter: 50},
			{Timestamp: at(11), Trigger: "hard_limit", TokensBefore: 10, TokensAfter: 20},
		},
		Health: []schema.LogHealth{{Timestamp: at(12), PctUsed: 0.2}, {Timestamp: at(13), PctUsed: 0.9}, {Timestamp: at(14), PctUsed: 0.4}},
	}, k)

	want := []health.Reason{{Reason: "low_relevance", Count: 2}, {Reason: "", Count: 1}, {Reason: "a phrase", Count: 1}, {Reason: "tool_output", Count: 1}}
	if !reflect.DeepEqual(tuning.Drops.ByReason, want) {
		t.Errorf("reasons %v, want %v", tuning.Drops.ByReason, want)
	}
	var counts []int
	for _, b := range tuning.Drops.Histogram {
		counts = append(counts, b.Count)
	}
	if want := []int{1, 0, 0, 1, 0, 0, 0, 0, 0, 2}; !reflect.DeepEqual(counts, want) {
		t.Errorf("histogram %v, want %v", counts, want)
	}
	if tuning.Drops.Scored != 4 || tuning.Drops.Unscored != 1 || tuning.Drops.Tokens != 30 {
		t.Errorf("drops %+v", tuning.Drops)
	}
	if want := (health.Savings{Count: 4, Sum: 75, Min: 5, Median: 15, Mean: 18.75, Max: 40}); tuning.Curation != want {
		t.Errorf("curation %+v, want %+v", tuning.Curation, want)
	}
	c := tuning.Compactions
	if c.Count != 3 || c.Saved != 200 || c.ByTrigger[0].Trigger != "hard_limit" || c.ByTrigger[0].Saved != 140 || c.ByTrigger[1].Count != 1 {
		t.Errorf("compactions %+v", c)
	}
	if w := tuning.Window; w.Peak != 0.9 || w.Median != 0.4 || w.Last != 0.4 || w.Count != 3 {
		t.Errorf("window %+v", w)
	}
	if tuning.From != at(0) || tuning.To != at(14) {
		t.Errorf("from %s to %s", tuning.From, tuning.To)
	}
}

// TestADropThatCameBackIsAMistake tests that a recovery belongs to the last drop before
// it, even if the clock was wrong.
func TestADropThatCameBackIsAMistake(t *testing.T) {
	k := schema.DefaultKnobs()
	drop := func(minutes int, id string) schema.LogDrop { return scored(minutes, id, k, 0.1, 5) }
	all := func(l health.Logs) health.Mistakes { return health.Tune(l, k).Recoveries.All }
	for _, c := range []struct {
		name       string
		drops      []schema.LogDrop
		recoveries []schema.LogRecovery
		want       health.Mistakes
		unknown    int
	}{
		{"never", []schema.LogDrop{drop(0, "a"), drop(0, "b")}, nil, health.Mistakes{Drops: 2}, 0},
		{"by hand", []schema.LogDrop{drop(0, "a"), drop(0, "b")}, []schema.LogRecovery{recovered(1, "a", "manual")},
			health.Mistakes{Drops: 2, Recovered: 1, Manual: 1, Rate: 0.5}, 0},
		{"twice is one mistake", []schema.LogDrop{drop(0, "a")}, []schema.LogRecovery{recovered(1, "a", "automatic"), recovered(2, "a", "manual")},
			health.Mistakes{Drops: 1, Recovered: 1, Automatic: 1, Rate: 1}, 0},
		{"dropped twice", []schema.LogDrop{drop(0, "a"), drop(9, "a")}, []schema.LogRecovery{recovered(5, "a", "manual")},
			health.Mistakes{Drops: 2, Recovered: 1, Manual: 1, Rate: 0.5}, 0},
		{"a clock that went back", []schema.LogDrop{drop(9, "a")}, []schema.LogRecovery{recovered(1, "a", "manual")},
			health.Mistakes{Drops: 1, Recovered: 1, Manual: 1, Rate: 1}, 0},
		{"of a chunk no line dropped", []schema.LogDrop{drop(0, "a")}, []schema.LogRecovery{recovered(1, "z", "manual")},
			health.Mistakes{Drops: 1}, 1},
	} {
		l := health.Logs{Drops: c.drops, Recoveries: c.recoveries}
		if got := all(l); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		if got := health.Tune(l, k).Recoveries.Unknown; got != c.unknown {
			t.Errorf("%s: %d unknown, want %d", c.name, got, c.unknown)
		}
	}
}

// TestASummarizedChunkThatCameBackIsAMistake tests that a chunk without a drop record counts as
// summarized, once, as far as the compactions summarized so many.
func TestASummarizedChunkThatCameBackIsAMistake(t *testing.T) {
	l := health.Logs{
		Compactions: []schema.LogCompaction{{Timestamp: "2026-03-02T09:00:00Z", ChunksSummarized: 2}},
		Recoveries:  []schema.LogRecovery{recovered(1, "a", "manual"), recovered(2, "a", "manual"), recovered(3, "b", "automatic"), recovered(4, "c", "manual")},
	}
	r := health.Tune(l, schema.DefaultKnobs()).Recoveries
	want := health.Mistakes{Drops: 2, Recovered: 2, Manual: 1, Automatic: 1, Rate: 1}
	if r.Summarized != want || r.Unknown != 1 || r.All.Drops != 0 {
		t.Errorf("%+v", r)
	}
}

// TestARecoveryTakesBackTheDropBefore tests that a recovery does not belong to a later
// drop.
func TestARecoveryTakesBackTheDropBefore(t *testing.T) {
	k := schema.DefaultKnobs()
	first, later := scored(0, "a", k, 0.1, 5), scored(9, "a", k, 0.1, 5)
	later.Reason = health.ToolOutput
	l := health.Logs{Drops: []schema.LogDrop{first, later}, Recoveries: []schema.LogRecovery{recovered(5, "a", "manual")}}
	for _, m := range health.Tune(l, k).Recoveries.ByReason {
		if want := map[string]int{health.LowRelevance: 1}[m.Of]; m.Recovered != want {
			t.Errorf("%s: %d recovered, want %d", m.Of, m.Recovered, want)
		}
	}
}

// TestRecoveriesAreCountedBySetting tests that each setting of the knobs has its own
// rate.
func TestRecoveriesAreCountedBySetting(t *testing.T) {
	k, strict := schema.DefaultKnobs(), schema.DefaultKnobs()
	strict.RelevanceCutoff = 0.5
	l := health.Logs{
		Drops: []schema.LogDrop{scored(0, "a", k, 0, 9), scored(1, "b", strict, 0.4, 9), scored(2, "c", strict, 0.3, 9),
			{Timestamp: at(3), ChunkID: "d", ThresholdUsed: 0.3, Reason: "low_relevance"}},
		Recoveries: []schema.LogRecovery{recovered(4, "b", "manual")},
	}
	want := []health.Mistake{
		{Of: strict.Deciding(), Mistakes: health.Mistakes{Drops: 2, Recovered: 1, Manual: 1, Rate: 0.5}},
		{Of: "RELEVANCE_CUTOFF=0.3", Mistakes: health.Mistakes{Drops: 1}},
		{Of: k.Deciding(), Mistakes: health.Mistakes{Drops: 1}},
	}
	if got := health.Tune(l, k).Recoveries.ByKnobs; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestNoLineIsLost tests that each line is counted once in every table.
func TestNoLineIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l health.Logs
		for i := range rapid.IntRange(0, 60).Draw(t, "drops") {
			l.Drops = append(l.Drops, schema.LogDrop{
				Timestamp: at(rapid.IntRange(0, 100_000).Draw(t, "minutes")), ChunkID: fmt.Sprint("chunk-", i%20),
				Reason:         rapid.SampledFrom([]string{"low_relevance", "tool_output", "", "x"}).Draw(t, "reason"),
				RelevanceScore: rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, 0.3, 0.7, 1, -1, 7})).Draw(t, "score"),
			})
		}
		for range rapid.IntRange(0, 20).Draw(t, "recoveries") {
			l.Recoveries = append(l.Recoveries, recovered(rapid.IntRange(0, 100_000).Draw(t, "minutes"), fmt.Sprint("chunk-", rapid.IntRange(0, 25).Draw(t, "of")), "manual"))
		}
		tuning := health.Tune(l, schema.DefaultKnobs())
		buckets, reasons, inTime, byReason, bucketsBack := 0, 0, 0, 0, 0
		for _, b := range tuning.Drops.Histogram {
			buckets += b.Count
			bucketsBack += b.Recovered
		}
		for _, r := range tuning.Drops.ByReason {
			reasons += r.Count
		}
		for _, s := range tuning.Slots {
			inTime += s.Drops
		}
		for _, m := range tuning.Recoveries.ByReason {
			byReason += m.Recovered
		}
		n := len(l.Drops)
		if buckets+tuning.Drops.Unscored != n || buckets != tuning.Drops.Scored || reasons != n || inTime != n || tuning.Recoveries.All.Drops != n {
			t.Fatalf("of %d drops: %d in buckets, %d unscored, %d with a reason, %d in time", n, buckets, tuning.Drops.Unscored, reasons, inTime)
		}
		if byReason != tuning.Recoveries.All.Recovered || bucketsBack > byReason {
			t.Fatalf("%d recovered by reason, %d in buckets, %d in all", byReason, bucketsBack, tuning.Recoveries.All.Recovered)
		}
	})
}

// TestTuneAgreesWithJq compares the counts with those of jq, if jq is installed.
func TestTuneAgreesWithJq(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("there is no jq on this machine; Debian has it as package jq")
	}
	l := week()
	dir := t.TempDir()
	drops, curations, healths := filepath.Join(dir, "drops"), filepath.Join(dir, "curation"), filepath.Join(dir, "health")
	writeLines(t, drops, l.Drops)
	writeLines(t, curations, l.Curations)
	writeLines(t, healths, l.Health)
	tuning := health.Tune(l, schema.DefaultKnobs())

	var reasons []string
	for _, r := range tuning.Drops.ByReason {
		reasons = append(reasons, fmt.Sprintf("%d %q", r.Count, r.Reason))
	}
	var counts []int
	for _, b := range tuning.Drops.Histogram {
		counts = append(counts, b.Count)
	}
	s := tuning.Curation
	for _, c := range []struct{ file, program, want string }{
		{drops, `group_by(.reason) | map([length, .[0].reason]) | sort_by(-.[0]) | map("\(.[0]) \(.[1] | tojson)") | join("\n")`, strings.Join(reasons, "\n")},
		{drops, `[range(10) as $b | map(select([.relevance_score * 10 | floor, 9] | min == $b)) | length] | tojson`, toJSON(t, counts)},
		{curations, `map(.token_savings) | sort | [length, add, .[0], (.[(length-1)/2|floor] + .[length/2|floor])/2, add/length, .[-1]] | map(. * 1000 | round) | tojson`,
			toJSON(t, []int{1000 * s.Count, 1000 * int(s.Sum), 1000 * int(s.Min), int(1000 * s.Median), int(1000*s.Mean + 0.5), 1000 * int(s.Max)})},
		{healths, `map(.pct_used) | sort | [.[-1], (.[(length-1)/2|floor] + .[length/2|floor])/2] | map(. * 1000000 | round) | tojson`,
			toJSON(t, []int{int(tuning.Window.Peak*1e6 + 0.5), int(tuning.Window.Median*1e6 + 0.5)})},
	} {
		out, err := exec.Command("jq", "-rs", c.program, c.file).CombinedOutput()
		if err != nil {
			t.Fatalf("jq: %v: %s", err, out)
		}
		if got := strings.TrimSpace(string(out)); got != c.want {
			t.Errorf("jq %s\ncounts %s\ntune   %s", c.program, got, c.want)
		}
	}
}

func writeLines[T any](t *testing.T, name string, lines []T) {
	t.Helper()
	var text strings.Builder
	for _, line := range lines {
		text.WriteString(toJSON(t, line) + "\n")
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestSuggestionsNeedNumbers tests that a few lines give no suggestion.
func TestSuggestionsNeedNumbers(t *testing.T) {
	k := schema.DefaultKnobs()
	drops := func(n int, similarity float64, back int, reason string) (l health.Logs) {
		for i := range n {
			d := scored(i, fmt.Sprint("chunk-", reason, similarity, i), k, similarity, 100)
			d.Reason = reason
			l.Drops = append(l.Drops, d)
			if i < back {
				l.Recoveries = append(l.Recoveries, recovered(1000+i, d.ChunkID, "manual"))
			}
		}
		return l
	}
	join := func(all ...health.Logs) (l health.Logs) {
		for _, one := range all {
			l.Drops, l.Recoveries = append(l.Drops, one.Drops...), append(l.Recoveries, one.Recoveries...)
			l.Health, l.Curations = append(l.Health, one.Health...), append(l.Curations, one.Curations...)
		}
		return l
	}
	full := health.Logs{}
	for i := range 9 {
		full.Health = append(full.Health, schema.LogHealth{Timestamp: at(i), PctUsed: 0.9, Limit: 100_000})
	}
	thrifty, worthwhile := health.Logs{Health: full.Health[:1]}, health.Logs{Health: full.Health[:1]}
	for i := range 6 {
		thrifty.Curations = append(thrifty.Curations, schema.LogCuration{Timestamp: at(i), TokenSavings: 200})
		worthwhile.Curations = append(worthwhile.Curations, schema.LogCuration{Timestamp: at(i), TokenSavings: 2000})
	}
	const good, poor = 0.36, 0.1 // 0.27 and 0.075 as scores
	for _, c := range []struct {
		name string
		logs health.Logs
		want string // the knob, the suggested value, and a part of the text
		text string
	}{
		{"nothing", health.Logs{}, "", ""},
		{"two mistakes", join(drops(2, good, 2, "low_relevance"), drops(40, poor, 0, "low_relevance")), "", ""},
		{"mistakes near the cutoff", join(drops(9, good, 7, "low_relevance"), drops(40, poor, 0, "low_relevance")), "RELEVANCE_CUTOFF 0.25",
			"would not have dropped 7 of the 7 chunks of low relevance that had to be recovered, at a cost of 900 tokens, 200 of them in 2 that nobody missed"},
		{"mistakes everywhere alike", join(drops(20, good, 5, "low_relevance"), drops(20, poor, 5, "low_relevance")), "", ""},
		{"mistakes that no cutoff decided", join(drops(9, good, 7, "no_room"), drops(40, poor, 0, "no_room")), "", ""},
		{"outputs of tools", drops(20, good, 5, "tool_output"), " 0", "5 of 20 dropped outputs of tools"},
		{"a full window, and nobody misses anything", join(drops(60, poor, 0, "low_relevance"), full), "RELEVANCE_CUTOFF 0.35, COMPACTION_TRIGGER_PCT 0.45", "none of the 60 chunks"},
		{"nobody misses anything, and there is room", drops(60, poor, 0, "low_relevance"), "", ""},
		{"curations that are worth it", worthwhile, "", ""},
		{"curations that save nothing", thrifty, "CURATION_TRIGGER_PCT 0.45", "half of the 6 curations saved no more than 200 tokens"},
	} {
		var knobs, texts []string
		for _, s := range health.Tune(c.logs, k).Suggestions {
			knobs, texts = append(knobs, fmt.Sprint(s.Knob, " ", s.Try)), append(texts, s.Text)
		}
		if got := strings.Join(knobs, ", "); got != c.want || !strings.Contains(strings.Join(texts, "\n"), c.text) {
			t.Errorf("%s: suggests %q, want %q and %q in:\n%s", c.name, got, c.want, c.text, strings.Join(texts, "\n"))
		}
	}
}

// TestTheSwitchesOfLogsAreTold tests the notes about logs that are switched off.
func TestTheSwitchesOfLogsAreTold(t *testing.T) {
	k := schema.DefaultKnobs()
	if notes := health.Tune(health.Logs{}, k).Notes; len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
	k.LogDrops = false
	if notes := health.Tune(health.Logs{}, k).Notes; len(notes) != 1 || !strings.HasPrefix(notes[0], "LOG_DROPS is off: ") {
		t.Errorf("notes %q", notes)
	}
}

// TestThePictureIsWhole tests that the picture is valid XML with a title, the same each
// time, whatever the lines contain.
func TestThePictureIsWhole(t *testing.T) {
	hostile := week()
	for i := range hostile.Drops {
		hostile.Drops[i].Reason = fmt.Sprintf("</text><script>alert(%d)</script>&\x1b[2J\x00\u202e", i%9)
		hostile.Drops[i].RelevanceScore = float64(i) - 3
	}
	hostile.Compactions[0].TokensBefore = 1 << 53
	hostile.Health[0].PctUsed = 1e300
	hostile.Drops[0].Timestamp = "0001-01-01T00:00:00Z"
	hostile.Drops[1].Timestamp = "9999-12-31T23:59:59Z"
	for name, logs := range map[string]health.Logs{"a week": week(), "nothing": {}, "one line": {Health: week().Health[:1]}, "a hostile tree": hostile} {
		picture := health.Tune(logs, schema.DefaultKnobs()).SVG()
		if again := health.Tune(logs, schema.DefaultKnobs()).SVG(); string(again) != string(picture) {
			t.Errorf("%s: another picture the second time", name)
		}
		elements := map[string]int{}
		for d := xml.NewDecoder(strings.NewReader(string(picture))); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				elements[e.Name.Local]++
				for _, a := range e.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("%s: %s %s=%q", name, e.Name.Local, a.Name.Local, a.Value)
					}
				}
			}
		}
		if elements["svg"] != 1 || elements["title"] < 1 || elements["desc"] != 1 || elements["script"] > 0 {
			t.Errorf("%s: elements %v", name, elements)
		}
		if strings.ContainsAny(string(picture), "\x1b\x00\u202e") {
			t.Errorf("%s: holds what nobody can see", name)
		}
		for _, want := range []string{"prefers-color-scheme: dark", `role="img"`} {
			if !strings.Contains(string(picture), want) {
				t.Errorf("%s: without %s", name, want)
			}
		}
	}
}
