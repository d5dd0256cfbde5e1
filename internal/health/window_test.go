package health_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// looked returns the window of a tree with a conversation.
func looked(t *testing.T, r fs.Reader, talk session.Tally) *health.Window {
	t.Helper()
	report, err := health.Of(r, talk, noon)
	if err != nil {
		t.Fatal(err)
	}
	return report.Window
}

func TestThePartsOfTheWindowAreNamed(t *testing.T) {
	tree := func(used int, other string) shelf {
		return shelf{fs.State: fmt.Sprintf(`{"context_window": {"total_tokens": 1000, "used_tokens": %d, "other_tokens": %s},
			"loaded_artifacts": [{"id": "a", "loaded": true, "tokens": 100}, {"id": "b", "loaded": false, "tokens": 400}, {"id": "c", "loaded": true, "tokens": 5}]}`, used, other)}
	}
	talk := session.Tally{Name: fs.Messages, Messages: 7, Tokens: 90, Summaries: 30}
	for _, c := range []struct {
		what string
		tree shelf
		talk session.Tally
		used int
		want string
	}{
		{"as the State says", tree(600, `{"messages": 45, "system": 50, "tools": 60, "mcp": 40}`), session.Tally{}, 600,
			"system 50, mcp 40, tools 60, artifacts 105, messages 45, summaries 0, unattributed 300"},
		{"with the conversation as it is", tree(600, `{"messages": 45, "system": 50}`), talk, 645,
			"system 50, artifacts 105, messages 60, summaries 30, unattributed 400"},
		{"what was recorded as unattributed", tree(600, `{"unattributed": 300, "system": 195}`), session.Tally{}, 600,
			"system 195, artifacts 105, messages 0, summaries 0, unattributed 300"},
		{"all of it explained", tree(105, `{}`), session.Tally{}, 105, "system 0, artifacts 105, messages 0, summaries 0"},
		{"more than there is", tree(50, `null`), session.Tally{}, 50, "system 0, artifacts 105, messages 0, summaries 0"},
	} {
		w := looked(t, c.tree, c.talk)
		if got := told(w.Parts); got != c.want || w.UsedTokens != c.used || w.Chunks != c.talk.Messages {
			t.Errorf("%s: %d: %s; want %d: %s", c.what, w.UsedTokens, got, c.used, c.want)
		}
		sum := 0
		for _, p := range w.Parts {
			sum += p.Tokens
		}
		if sum < w.UsedTokens {
			t.Errorf("%s: the parts are %d of %d", c.what, sum, w.UsedTokens)
		}
	}
}

func told(parts []health.Part) string {
	var all []string
	for _, p := range parts {
		all = append(all, fmt.Sprint(p.Name, " ", p.Tokens))
	}
	return strings.Join(all, ", ")
}

// Without a State, the session fills the window with its three tiers.
func TestThePartsOfASession(t *testing.T) {
	tree := shelf{
		fs.ActiveSession:               "conv-1\n",
		session.HotContext("conv-1"):   `{"session_id": "conv-1", "active_goals": [{"goal": "Press the pears before the frost comes"}]}`,
		session.SummaryFile("conv-1"):  strings.Repeat("So far: pears. ", 20),
		session.MetadataFile("conv-1"): `{}`,
	}
	w := looked(t, tree, session.Tally{Name: session.Window("conv-1"), Messages: 3, Tokens: 90, Summaries: 30})
	if w.TotalTokens != 8000 || len(w.Parts) != 3 || w.Parts[0].Name != health.HotPart || w.Parts[0].Tokens < 10 {
		t.Errorf("%+v", w)
	}
	if got := told(w.Parts[1:]); got != "messages 60, summaries 105" {
		t.Error(got)
	}
	if w.Next == nil || w.Next.Tokens != 6400 || w.Next.Left != 6400-w.UsedTokens {
		t.Errorf("%+v", w.Next)
	}
}

func TestTheNextCompactionIsThatOfThePolicy(t *testing.T) {
	for _, c := range []struct {
		config, knobs, acted string
		used                 int
		want                 health.Next
	}{
		{"", "", "", 350, health.Next{Percent: 70, Tokens: 700, Left: 350}},
		{"", "", "", 700, health.Next{Percent: 70, Tokens: 700}},
		{"", "", "", 990, health.Next{Percent: 70, Tokens: 700}},
		{`{"compaction": {"thresholds": {"medium": 33.33}}}`, "", "", 0, health.Next{Percent: 33.33, Tokens: 334, Left: 334}},
		{`{"compaction": {"policy": "memfas"}}`, "", "", 350, health.Next{Percent: 50, Tokens: 500, Left: 150}},
		{`{"compaction": {"policy": "memfas"}}`, "COMPACTION_TRIGGER_PCT: 0.6\n", "", 350, health.Next{Percent: 60, Tokens: 600, Left: 250}},
		{`{"compaction": {"policy": "quaid"}}`, "", "", 350, health.Next{Percent: 80, Tokens: 800, Left: 450}},
		// Only when it is 5 percent fuller than after the last compaction.
		{"", "", `{"floor": 60}`, 350, health.Next{Percent: 70, Tokens: 700, Left: 350}},
		{"", "", `{"floor": 68}`, 350, health.Next{Percent: 73, Tokens: 730, Left: 380}},
		{"", "", `{"floor": "high"}`, 350, health.Next{Percent: 70, Tokens: 700, Left: 350}},
	} {
		tree := shelf{fs.State: fmt.Sprintf(`{"context_window": {"total_tokens": 1000, "used_tokens": %d}}`, c.used)}
		for name, text := range map[string]string{
			fs.Config: c.config, forge + "context-config.yaml": c.knobs, fs.LocalName(fs.Forgemind, fs.ActedFile): c.acted,
		} {
			if text != "" {
				tree[name] = text
			}
		}
		if w := looked(t, tree, session.Tally{}); w.Next == nil || *w.Next != c.want {
			t.Errorf("%+v: %+v", c, w.Next)
		}
	}
	if w := looked(t, shelf{fs.State: `{"context_window": {"used_tokens": 5}}`}, session.Tally{}); w.Next != nil {
		t.Errorf("of a window of unknown size: %+v", w.Next)
	}
}

// The figures of the log are those of the plan.
func TestTheLineOfTheLog(t *testing.T) {
	w := &health.Window{UsedTokens: 45_000, TotalTokens: 100_000, UsagePercent: 45, Chunks: 23, Next: &health.Next{Tokens: 50_000, Left: 5000}}
	line, ok := w.Line(noon, 156)
	want := schema.LogHealth{
		Timestamp: "2026-03-02T12:00:00.000Z", CurrentTokens: 45_000, Limit: 100_000, PctUsed: 0.45,
		NextCompactionEstimate: 50_000, MemcachedChunks: 23, ColdStorageChunks: 156,
	}
	if !ok || line != want {
		t.Errorf("%+v, %v", line, ok)
	}
	w.UsedTokens, w.TotalTokens = 100_000, 300_000
	if line, _ := w.Line(noon, 0); line.PctUsed != 0.3333 {
		t.Error(line.PctUsed)
	}
	var none *health.Window
	for _, w := range []*health.Window{none, {UsedTokens: 5}} {
		if _, ok := w.Line(noon, 0); ok {
			t.Errorf("a line of %+v", w)
		}
	}
}

func TestColdChunksAreCountedByTheLine(t *testing.T) {
	tree := onDisk(t)
	if err := tree.Create(fs.Quaid); err != nil {
		t.Fatal(err)
	}
	one, two := cold.Name(fs.Forgemind, "s", "c1"), cold.Name(fs.Quaid, "s", "c2")
	put(t, tree, one, `{"chunk_id": "a", "content": "`+strings.Repeat("x", 200_000)+"\"}\n\n  \n{}\n"+strings.Repeat(" ", 100_000)+"\n")
	put(t, tree, two, `{"chunk_id": "b"}`)
	put(t, tree, forge+"cold-storage/stray.txt", "{}\n")
	if n := health.ColdChunks(tree, nil); n != 3 {
		t.Errorf("%d, want 3", n)
	}
	staged := map[string][]byte{one: nil, cold.Name(fs.Forgemind, "s", "c3"): []byte("{}\n{}\n"), fs.Messages: []byte("{}\n")}
	if n := health.ColdChunks(tree, staged); n != 3 {
		t.Errorf("%d as it will be, want 3", n)
	}
}

// A report is valid for one conversation, until its next compaction.
func TestAReportHoldsForItsConversation(t *testing.T) {
	name := fs.LocalName(fs.Forgemind, fs.UsageFile)
	tree := func(report string) shelf {
		return shelf{
			name:     report,
			fs.State: `{"context_window": {"total_tokens": 1000, "used_tokens": 300}, "loaded_artifacts": [{"id": "a", "loaded": true, "tokens": 100}]}`,
		}
	}
	const report = `{"tokens": 500, "conversation": ".forgemind/context/messages.jsonl", "compaction": "compaction-1", "counted": 150}`
	talk := session.Tally{Name: fs.Messages, Messages: 2, Tokens: 50, Compaction: "compaction-1"}
	used := func(report string, change func(*session.Tally)) int {
		talk := talk
		if change != nil {
			change(&talk)
		}
		return looked(t, tree(report), talk).UsedTokens
	}
	for _, c := range []struct {
		what   string
		report string
		change func(*session.Tally)
		want   int
	}{
		{"as it was", report, nil, 500},
		{"with more said", report, func(t *session.Tally) { t.Tokens += 70 }, 570},
		{"with less in the documents, which the agent has still", report, func(t *session.Tally) { t.Tokens -= 40 }, 500},
		{"after a compaction", report, func(t *session.Tally) { t.Compaction = "compaction-2" }, 300},
		{"before it", report, func(t *session.Tally) { t.Compaction = "" }, 300},
		{"of another conversation", report, func(t *session.Tally) { t.Name = session.Window("s") }, 300},
		{"of nothing", strings.Replace(report, "500", "0", 1), nil, 300},
		{"of less than nothing", strings.Replace(report, "500", "-500", 1), nil, 300},
		{"that is torn", report[:40], nil, 300},
	} {
		if got := used(c.report, c.change); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
	limited := strings.Replace(report, `{`, `{"limit": 2000, `, 1)
	if w := looked(t, tree(limited), talk); w.TotalTokens != 2000 || w.UsagePercent != 25 || told(w.Parts[len(w.Parts)-1:]) != "unattributed 350" {
		t.Errorf("%+v", w)
	}
	// The window of a State without size has the size that the agent reported.
	bare := shelf{name: limited, fs.State: `{"project": {"name": "x"}}`}
	if w := looked(t, bare, talk); w == nil || w.TotalTokens != 2000 || w.UsedTokens != 500 {
		t.Errorf("%+v", w)
	}
}

// A log of a million lines is read with bounded memory, in a tolerable time.
func BenchmarkReadLogs(b *testing.B) {
	tree := onDisk(b)
	line := drop("2026-03-01T08:00:00Z", "chunk-0123456789") + "\n"
	put(b, tree, forge+fs.DropLog, strings.Repeat(line, 500_000))
	b.SetBytes(int64(500_000 * len(line)))
	for b.Loop() {
		if _, err := health.ReadLogs(tree, time.Time{}); err != nil {
			b.Fatal(err)
		}
	}
}
