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
	"github.com/forgemind/forgemind/schema"
)

// memfas makes a tree of the policy memfas whose window has so many tokens.
func memfas(t *testing.T, window int) *house {
	t.Helper()
	h := build(t)
	write(t, h.root, fs.Config, `{"compaction": {"policy": "memfas"}}`)
	h.narrow(window)
	return h
}

// chat is so many messages about a subject, the first of them hours before the
// tests' morning.
func chat(prefix string, n int, hours float64, sentence string) []schema.Message {
	var all []schema.Message
	for i := range n {
		m := schema.Message{
			ID: fmt.Sprintf("msg-%s-%02d", prefix, i), Agent: "Facilitator Agent", Role: "assistant",
			Timestamp: schema.FormatTime(morning.Add(time.Duration(-hours*float64(time.Hour)) + time.Duration(i)*time.Second)),
			Content:   fmt.Sprintf("%s Note %d of %s.", sentence, i, prefix),
		}
		all = append(all, m)
	}
	return all
}

// prompt is the user's message.
func prompt(id, text string) schema.Message {
	return schema.Message{ID: id, Agent: "user", Role: "user", Content: text, Timestamp: schema.FormatTime(morning)}
}

const (
	bees  = "The apiary by the lime trees has nine hives, whose queens were marked with yellow paint before they swarmed."
	walls = "Mortar for the south wall sets slowly in a wet autumn, so that the courses of stone must rest between."
)

func (h *house) logs() health.Logs {
	h.t.Helper()
	logs, err := health.ReadLogs(h.Tree.Tree, time.Time{})
	if err != nil || len(logs.Faults) > 0 {
		h.t.Fatal(err, logs.Faults)
	}
	return logs
}

// At 40 % what does not answer the prompt leaves, and nothing else does.
func TestCurationDropsWhatThePromptDoesNotNeed(t *testing.T) {
	t.Parallel()
	h := memfas(t, 4000)
	h.say(chat("bees", 30, 80, bees)...)
	if n := len(h.logs().Curations); n != 0 {
		t.Fatalf("curated %d times below the threshold", n)
	}
	talk := append(chat("walls", 25, 2, walls), prompt("msg-ask", "How long must the mortar of the south wall set between the courses of stone?"))
	out := h.say(talk...)
	if got := fired(out); got != engine.CurationTrigger {
		t.Fatalf("fired %q, notes %q", got, out.Notes)
	}
	logs := h.logs()
	if len(logs.Curations) != 1 || len(logs.Compactions) != 0 || len(logs.Drops) == 0 {
		t.Fatalf("%d curations, %d compactions, %d drops", len(logs.Curations), len(logs.Compactions), len(logs.Drops))
	}
	c := logs.Curations[0]
	if c.Event != "memfas_curation" || !strings.HasPrefix(c.Query, "How long") || int(c.DropsTriggered) != len(logs.Drops) || c.TokenSavings <= 0 ||
		c.HitsFound == 0 || c.HitsFound > c.TotalHitsBeforeCuration {
		t.Errorf("the log says %+v", c)
	}
	for _, d := range logs.Drops {
		if d.Event != "chunk_dropped" || d.Reason != "low_relevance" || d.RelevanceScore >= 0.3 || d.ThresholdUsed != 0.3 || d.Similarity == nil || d.Tokens == 0 {
			t.Errorf("a drop: %+v", d)
		}
	}
	if left := h.read(fs.Messages); strings.Contains(left, "Note 3 of bees") || !strings.Contains(left, "Note 3 of walls") {
		t.Errorf("the conversation is now\n%s", left)
	}
	if again := h.look(); len(again.Fired) > 0 {
		t.Errorf("it fires again: %v", fired(again))
	}
}

// At 85 % only the last chunks, pins and decisions stay.
func TestTheHardLimitKeepsTheLastAndThePins(t *testing.T) {
	t.Parallel()
	h := memfas(t, 2000)
	all := chat("walls", 80, 3, walls)
	all[4].Priority = "critical"
	all[9].Agent, all[9].Role, all[9].Content = "Boss", "user", "Decision: lime mortar everywhere."
	out := h.say(all...)
	if got := fired(out); !strings.Contains(got, engine.LimitTrigger) && !strings.Contains(got, engine.ThresholdTrigger) {
		t.Fatalf("fired %q, notes %q", got, out.Notes)
	}
	left := h.read(fs.Messages)
	for _, stays := range []string{"Note 4 of walls", "lime mortar everywhere", "Note 75 of walls", "Note 79 of walls"} {
		if !strings.Contains(left, stays) {
			t.Errorf("%q left the conversation", stays)
		}
	}
	if strings.Contains(left, `"content":"`+walls+` Note 40 of walls`) {
		t.Error("an old message stays at the hard limit")
	}
	logs := h.logs()
	if len(logs.Compactions) != 1 || logs.Compactions[0].Event != "compaction_triggered" || !strings.Contains(logs.Compactions[0].ConfigUsed, "_PCT=") {
		t.Errorf("the log says %+v", logs.Compactions)
	}
}

// A later prompt brings back what was dropped, once, and the log says so.
func TestAPromptRecoversWhatItNeeds(t *testing.T) {
	t.Parallel()
	h := memfas(t, 3000)
	h.say(append(chat("bees", 3, 90, bees), chat("gates", 30, 80, "Gates of oak hang on iron hinges that a smith in the next village forged for the orchard.")...)...)
	first := h.say(append(chat("walls", 25, 2, walls), prompt("msg-ask", "How long must the mortar of the south wall set?"))...)
	if left := h.read(fs.Messages); strings.Contains(left, "Note 1 of bees") {
		t.Fatalf("nothing was dropped: %s", fired(first))
	}
	before := strings.Count(h.read(fs.Messages), "\n")
	out := h.say(prompt("msg-bees", "Which colour were the queens of the nine hives marked with before they swarmed?"))
	if got := fired(out); got != engine.RecoveryTrigger {
		t.Fatalf("fired %q, notes %q", got, out.Notes)
	}
	left := h.read(fs.Messages)
	if !strings.Contains(left, "Recovered from cold storage (chunk-") || !strings.Contains(left, "Note 1 of bees") || strings.Contains(left, "iron hinges") {
		t.Errorf("the conversation is now\n%s", left)
	}
	logs := h.logs()
	if n := len(logs.Recoveries); n == 0 || n != strings.Count(left, "\n")-before-1 {
		t.Errorf("%d recoveries in the log", n)
	}
	for _, r := range logs.Recoveries {
		if r.Trigger != "automatic" || !strings.HasPrefix(r.Prompt, "Which colour") || r.Score <= 0.5 {
			t.Errorf("a recovery: %+v", r)
		}
	}
	if again := h.say(prompt("msg-again", "The queens of the nine hives: which colour were they marked with?")); fired(again) != "" {
		t.Errorf("what is there already came back again: %q", fired(again))
	}
	// Once the original message is back, its copy is not needed.
	if _, _, _, err := h.Uncompact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if left = h.read(fs.Messages); strings.Contains(left, "Recovered from cold storage") || strings.Count(left, "Note 1 of bees") != 1 || !strings.Contains(left, "msg-again") {
		t.Errorf("taken back, the conversation is\n%s", left)
	}
}

// Whatever left can be had back byte for byte.
func TestCurationIsTakenBack(t *testing.T) {
	t.Parallel()
	h := memfas(t, 4000)
	h.say(chat("bees", 30, 80, bees)...)
	before := h.read(fs.Messages)
	talk := append(chat("walls", 25, 2, walls), prompt("msg-ask", "How long must the mortar set?"))
	if out := h.say(talk...); fired(out) != engine.CurationTrigger {
		t.Fatal(fired(out))
	}
	if _, _, _, err := h.Uncompact(context.Background()); err != nil {
		t.Fatal(err)
	}
	if now := h.read(fs.Messages); !strings.HasPrefix(now, before) || strings.Count(now, "\n") != 56 {
		t.Errorf("the conversation is now\n%s", now)
	}
}

// What is switched off neither drops nor logs.
func TestKnobsAreObeyed(t *testing.T) {
	t.Parallel()
	for knob, holds := range map[string]func(h *house, out engine.Outcome) bool{
		"COLD_STORAGE_ENABLED: false": func(h *house, out engine.Outcome) bool {
			return strings.Contains(h.read(fs.Messages), "Note 3 of bees") && len(h.logs().Drops) == 0
		},
		"LOG_DROPS: false": func(h *house, out engine.Outcome) bool {
			return !strings.Contains(h.read(fs.Messages), "Note 3 of bees") && len(h.logs().Drops) == 0 && len(h.logs().Curations) == 1
		},
		"CURATION_TRIGGER_PCT: 0.49": func(h *house, out engine.Outcome) bool { return fired(out) == "" },
		"RELEVANCE_CUTOFF: 0":        func(h *house, out engine.Outcome) bool { return len(h.logs().Drops) == 0 },
	} {
		h := memfas(t, 4000)
		write(t, h.root, ".forgemind/context-config.yaml", knob+"\n")
		h.say(chat("bees", 30, 80, bees)...)
		out := h.say(append(chat("walls", 25, 2, walls), prompt("msg-ask", "How long must the mortar of the south wall set?"))...)
		if !holds(h, out) {
			t.Errorf("%s: fired %q, notes %q", knob, fired(out), out.Notes)
		}
	}
}

// What is past its time goes to the trash when something else comes.
func TestExpiryMovesToTheTrash(t *testing.T) {
	t.Parallel()
	h := memfas(t, 4000)
	h.say(chat("bees", 30, 80, bees)...)
	h.say(append(chat("walls", 25, 2, walls), prompt("msg-ask", "How long must the mortar set?"))...)
	before := maps.Clone(h.files())
	gone, _, _, err := h.Expire(context.Background())
	if err != nil || len(gone) != 0 {
		t.Fatalf("%v: %v expired at once", err, gone)
	}
	later, err := engine.Open(h.root, engine.Edge{Now: func() time.Time { return morning.AddDate(0, 0, 31) }})
	if err != nil {
		t.Fatal(err)
	}
	defer later.Close()
	gone, _, _, err = later.Expire(context.Background())
	if err != nil || len(gone) != 1 {
		t.Fatalf("%v: %v expired", err, gone)
	}
	for name := range before {
		if _, there := h.files()[name]; !there && !strings.Contains(name, "/cold-storage/") {
			t.Errorf("%s is gone", name)
		}
	}
}

// What comes back leaves the window below where compaction begins, also where
// config.json says where that is.
func TestWhatComesBackLeavesRoom(t *testing.T) {
	t.Parallel()
	back := 0
	for threshold := 10.0; threshold <= 18; threshold++ {
		h := memfas(t, 4000)
		h.say(append(chat("bees", 12, 90, strings.Repeat(bees+" ", 3)), chat("gates", 20, 80, "Gates of oak hang on iron hinges.")...)...)
		h.say(prompt("msg-ask", "How long must the mortar of the south wall set?"))
		if _, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "relevance", Now: true, Budget: 300}); err != nil {
			t.Fatal(err)
		}
		write(t, h.root, fs.Config, fmt.Sprintf(`{"compaction": {"policy": "memfas", "thresholds": {"curation": 9, "compaction": %v}}}`, threshold))
		h.say(prompt("msg-bees", "Which colour were the queens of the nine hives marked with before they swarmed?"))
		report, err := health.Look(h.Tree.Tree, morning)
		if n := len(h.logs().Recoveries); err != nil || n > 0 && report.Window.UsagePercent >= threshold {
			t.Errorf("%d chunks came back: the window is %v %% full, compaction begins at %v (%v)", n, report.Window.UsagePercent, threshold, err)
		} else {
			back += n
		}
	}
	if back < 5 {
		t.Errorf("only %d chunks came back", back)
	}
}

// The log says which threshold decided, also where config.json sets it.
func TestTheLogSaysWhichThresholdHeld(t *testing.T) {
	t.Parallel()
	h := memfas(t, 4000)
	write(t, h.root, fs.Config, `{"compaction": {"policy": "memfas", "thresholds": {"compaction": 20, "curation": 19}}}`)
	h.say(append(chat("bees", 30, 80, bees), prompt("msg-ask", "How long must the mortar set?"))...)
	if src := h.read(fs.State); !strings.Contains(src, `"compaction_threshold_percent": 20`) || !strings.Contains(src, `"emergency_threshold_percent": 85`) {
		t.Errorf("the State names other thresholds than the policy:\n%s", src)
	}
	if logs := h.logs(); len(logs.Compactions) != 1 || logs.Compactions[0].ConfigUsed != "COMPACTION_TRIGGER_PCT=0.2" {
		t.Errorf("%+v", logs.Compactions)
	}
}

// A chunk that came back and left again is found once.
func TestACopyIsNotFoundBesideItsOriginal(t *testing.T) {
	t.Parallel()
	h := memfas(t, 4000)
	h.say(append(chat("bees", 3, 90, bees), chat("gates", 30, 80, "Gates of oak hang on iron hinges.")...)...)
	shrink := func(about string) {
		t.Helper()
		if done, _, err := h.Compact(context.Background(), engine.Compaction{Strategy: "relevance", Now: true, Budget: 120, Prompt: about}); err != nil || done.Empty() {
			t.Fatal(err, done.Notes)
		}
	}
	shrink("How long must the mortar of the south wall set?")
	h.say(prompt("msg-bees", "Which colour were the queens of the nine hives marked with before they swarmed?"))
	if len(h.logs().Recoveries) == 0 {
		t.Fatal("nothing came back")
	}
	h.say(chat("walls", 12, 0, walls)...)
	shrink("How long must the mortar of the south wall set?")
	for _, limit := range []int{0, 3} {
		found, err := engine.Find(h.Tree.Tree, engine.Recovery{Query: "queens of the nine hives marked with yellow paint", Limit: limit})
		if err != nil || len(found) < 3 {
			t.Fatal(err, len(found))
		}
		for _, f := range found {
			if strings.HasPrefix(f.Content, "Recovered from cold storage") {
				t.Errorf("limit %d: found %q", limit, f.Content)
			}
		}
	}
}

// A chunk that does not come back is named in a note, and no recovery is logged. That holds
// for a session, which has every message once, and for a window of unknown size.
func TestWhatDoesNotComeBackIsNamed(t *testing.T) {
	t.Parallel()
	unsized := build(t)
	write(t, unsized.root, fs.Config, `{"compaction": {"policy": "memfas"}}`)
	write(t, unsized.root, fs.State, `{}`)
	talking := converse(t)
	write(t, talking.root, fs.QuaidConfig, `{"compaction": {"policy": "memfas"}}`)
	for _, c := range []struct {
		h    *house
		cold string
		why  string
	}{
		{talking, ".quaid/cold-storage/conv-1/compaction-1.jsonl", "prompt: chunk-bees; 'forgemind recover"},
		{unsized, ".forgemind/cold-storage/s/compaction-1.jsonl", "the size of the window is not known: chunk-bees; 'forgemind recover"},
	} {
		write(t, c.h.root, c.cold, fmt.Sprintf(`{"chunk_id":"chunk-bees","content":%q}`+"\n"+`{"chunk_id":"chunk-gates","content":"Gates of oak."}`+"\n", bees))
		out := c.h.say(prompt("msg-ask", "Which colour were the queens of the nine hives marked with before they swarmed?"))
		if told := strings.Join(out.Notes, "\n"); !strings.Contains(told, c.why) || strings.Contains(told, "gates") {
			t.Errorf("people are told %q, want %q", told, c.why)
		}
		if n := len(c.h.logs().Recoveries); n > 0 {
			t.Errorf("%d recoveries are in the log", n)
		}
	}
}
