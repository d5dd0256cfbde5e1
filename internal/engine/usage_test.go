package engine_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/transcript"
	"github.com/forgemind/forgemind/schema"
)

// window is how full the window is as people are told.
func (h *house) window() *health.Window {
	h.t.Helper()
	report, err := health.Look(h.Tree.Tree, morning)
	if err != nil {
		h.t.Fatal(err)
	}
	if report.Window == nil {
		h.t.Fatal("there is no window")
	}
	return report.Window
}

// report says what an agent says of its request.
func (h *house) report(tokens, limit int) engine.Outcome {
	h.t.Helper()
	out, err := h.ReportUsage(context.Background(), "claude", tokens, limit)
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

func TestTriggersFireOnWhatAnAgentReports(t *testing.T) {
	h := build(t)
	h.say(talk(5)...)
	state := h.read(fs.State)
	if out := h.report(130_000, 0); fired(out) != "" {
		t.Errorf("at 65 %%: %s", fired(out))
	}
	if out := h.report(150_000, 0); fired(out) != "context_window_threshold" {
		t.Errorf("at 75 %%: %s", fired(out))
	}
	if w := h.window(); w.UsedTokens != 150_000 || w.UsagePercent != 75 || w.Reported == nil {
		t.Errorf("%+v", w)
	}
	if h.read(fs.State) != state {
		t.Error("a report is nothing that the State says")
	}
	// Of a window of its own.
	h = build(t)
	if out := h.report(150_000, 1_000_000); fired(out) != "" {
		t.Errorf("at 15 %%: %s", fired(out))
	}
	if w := h.window(); w.TotalTokens != 1_000_000 || w.UsagePercent != 15 || w.Next.Left != 550_000 {
		t.Errorf("%+v", w)
	}
}

// What is said since a report comes on top, until it fires.
func TestWhatIsSaidSinceAReportIsAdded(t *testing.T) {
	h := build(t)
	h.say(talk(5)...)
	h.report(139_990, 0)
	added, _, err := h.Say(context.Background(), []schema.Message{{Content: "three short words"}})
	if err != nil {
		t.Fatal(err)
	}
	if w := h.window(); w.UsedTokens != 139_990+int(added[0].Tokens) {
		t.Errorf("%d, added %d", w.UsedTokens, added[0].Tokens)
	}
	if out := h.say(schema.Message{Content: strings.Repeat("many more words ", 100)}); fired(out) != "context_window_threshold" {
		t.Errorf("fired %q at %d", fired(out), h.window().UsedTokens)
	}
}

func TestAReportHoldsUntilTheNextCompaction(t *testing.T) {
	h := build(t)
	h.say(talk(40)...)
	h.report(100_000, 0)
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "psd", Now: true}); err != nil {
		t.Fatal(err)
	}
	w := h.window()
	if w.Reported != nil || w.UsedTokens >= 100_000 {
		t.Errorf("%+v", w)
	}
	summaries := 0
	for _, p := range w.Parts {
		if p.Name == health.SummariesPart {
			summaries = p.Tokens
		}
	}
	if summaries == 0 {
		t.Errorf("no summaries among %v", w.Parts)
	}
	h.report(90_000, 0)
	h.say(schema.Message{Content: "It goes on."})
	if w := h.window(); w.Reported == nil || w.UsedTokens <= 90_000 {
		t.Errorf("the one after it: %+v", w)
	}
}

func TestAReportIsOfOneConversation(t *testing.T) {
	h := converse(t)
	h.utter(schema.Message{Content: "In the first."})
	h.report(3000, 0)
	if w := h.window(); w.UsedTokens != 3000 || w.TotalTokens != 8000 {
		t.Errorf("%+v", w)
	}
	h.Do(context.Background(), engine.Event{}, func(tx *fs.Tx) error {
		documents, err := session.New("conv-2", morning)
		for name, text := range documents {
			tx.Write(name, text)
		}
		return err
	})
	if w := h.window(); h.active() != "conv-2" || w.Reported != nil || w.UsedTokens >= 3000 {
		t.Errorf("%s: %+v", h.active(), w)
	}
}

// In a session the emergency is one that the agent reports, and it is over once
// the window was shortened.
func TestAReportedEmergencyShortensTheSession(t *testing.T) {
	h := converse(t)
	for i := range 15 {
		h.utter(schema.Message{Content: fmt.Sprintf("Row %d of the orchard was pruned.", i)})
	}
	if out := h.report(6000, 0); strings.Contains(fired(out), engine.EmergencyTrigger) {
		t.Errorf("at 75 %%: %s", fired(out))
	}
	if out := h.report(6500, 0); !strings.Contains(fired(out), engine.EmergencyTrigger) {
		t.Errorf("at 81 %%: %s", fired(out))
	}
	const summaries = 1 // of the messages that left, which are alike
	if w := h.window(); w.Reported != nil || w.UsagePercent > 60 || w.Chunks > session.KeptMessages+summaries {
		t.Errorf("%+v", w)
	}
	window := h.read(session.Window("conv-1"))
	if got := strings.Count(window, "\n"); got > session.KeptMessages+summaries {
		t.Errorf("%d messages stayed", got)
	}
	if got := strings.Count(window, `"cluster":`); got != summaries {
		t.Errorf("%d of the messages are summaries:\n%s", got, window)
	}
}

// wroteDown returns the transcript of an agent, with a request of so many tokens at
// the second message of each turn.
func wroteDown(t *testing.T, tokens ...int) transcript.Transcript {
	t.Helper()
	var lines []string
	for i, n := range tokens {
		at := func(seconds int) string {
			return schema.FormatTime(morning.Add(time.Duration(10*i+seconds) * time.Second))
		}
		lines = append(lines,
			fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","timestamp":%q,"message":{"role":"user","content":"Prune row %d."}}`, i, at(0), i),
			fmt.Sprintf(`{"type":"assistant","uuid":"a%d","sessionId":"s","timestamp":%q,"message":{"role":"assistant","content":"Done.","usage":{"input_tokens":%d}}}`, i, at(1), n),
			fmt.Sprintf(`{"type":"user","uuid":"v%d","sessionId":"s","timestamp":%q,"message":{"role":"user","content":"Thank you."}}`, i, at(2)),
		)
	}
	im, err := transcript.Read([]byte(strings.Join(lines, "\n")))
	if err != nil || len(im.Faults) > 0 {
		t.Fatal(err, im.Faults)
	}
	return im
}

func (h *house) importing(im transcript.Transcript) {
	h.t.Helper()
	if _, _, err := h.Import(context.Background(), im); err != nil {
		h.t.Fatal(err)
	}
}

func TestATranscriptReportsWhatItStates(t *testing.T) {
	for what, h := range map[string]*house{"a State": build(t), "a session": converse(t)} {
		h.importing(wroteDown(t, 1000, 2000))
		w := h.window()
		if w.Reported == nil || w.Reported.Tokens != 2000 || w.Reported.Agent != "claude" {
			t.Fatalf("%s: %+v", what, w.Reported)
		}
		since := w.UsedTokens - 2000 // "Thank you."
		if since < 2 || since > 5 {
			t.Errorf("%s: %d tokens since", what, since)
		}
		// Again it is no news, whatever was said since.
		h.say(schema.Message{Content: "It goes on."})
		before := h.window().UsedTokens
		h.importing(wroteDown(t, 1000, 2000))
		h.importing(wroteDown(t, 1000))
		if w := h.window(); w.UsedTokens != before {
			t.Errorf("%s: %d, before %d", what, w.UsedTokens, before)
		}
		h.importing(wroteDown(t, 1000, 2000, 2500))
		if w := h.window(); w.Reported == nil || w.Reported.Tokens != 2500 {
			t.Errorf("%s: %+v", what, w.Reported)
		}
	}
}

// An old transcript does not take back what is known since.
func TestAnOlderStatementDoesNotHold(t *testing.T) {
	h := build(t)
	h.report(5000, 0)
	h.importing(wroteDown(t, 1000))
	if w := h.window(); w.Reported == nil || w.Reported.Tokens != 5000 {
		t.Errorf("after a report: %+v", w.Reported)
	}
	h = build(t)
	h.say(talk(40)...)
	if _, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "psd", Now: true}); err != nil {
		t.Fatal(err)
	}
	h.importing(wroteDown(t, 1000))
	if w := h.window(); w.Reported != nil {
		t.Errorf("after a compaction: %+v", w.Reported)
	}
}

func TestAReportThatIsNone(t *testing.T) {
	h := build(t)
	before := h.files()
	for _, c := range [][2]int{{0, 0}, {-1, 0}, {transcript.MaxUsage + 1, 0}, {5, -1}} {
		if _, err := h.ReportUsage(context.Background(), "", c[0], c[1]); err == nil {
			t.Errorf("%v was taken", c)
		}
	}
	h.DryRun = true
	h.report(5000, 0)
	if !maps.Equal(before, h.files()) {
		t.Error("something was written")
	}
}

// A usage.json that somebody damaged is as good as none.
func TestADamagedReportIsNone(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.report(5000, 0)
	name := fs.LocalName(fs.Forgemind, fs.UsageFile)
	whole := h.read(name)
	for _, text := range []string{"", "{", "[]", `{"tokens": "many"}`, strings.Replace(whole, "5000", "-5000", 1), strings.Replace(whole, "5000", "5000000000000", 1),
		strings.Replace(whole, fs.Messages, "elsewhere", 1)} {
		write(t, h.root, name, text)
		h.age(name) // nobody is still saving it
		if w := h.window(); w.Reported != nil || w.UsedTokens != 0 {
			t.Errorf("%q: %+v", text, w)
		}
		h.say(schema.Message{Content: "It goes on."})
		h.save(fs.Messages, h.read(fs.Messages), "")
		h.age(fs.Messages)
	}
}
