package compact

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
	"pgregory.net/rapid"
)

// conversations are of any kind, with times in disorder and ids that repeat.
func conversations() *rapid.Generator[[]schema.Message] {
	word := rapid.SampledFrom([]string{"billing", "invoice", "tax", "refund", "the", "we", "stripe", "euro", "ledger", "last", "week", "7", "\n", "##", "`"})
	return rapid.Custom(func(t *rapid.T) []schema.Message {
		n := rapid.IntRange(0, 60).Draw(t, "messages")
		out := make([]schema.Message, n)
		for i := range out {
			m := &out[i]
			m.ID = fmt.Sprintf("m%d", rapid.IntRange(0, n).Draw(t, "id"))
			if rapid.IntRange(0, 4).Draw(t, "timed") > 0 {
				m.Timestamp = at(rapid.IntRange(0, 300).Draw(t, "minute"))
			}
			m.Role = rapid.SampledFrom([]string{"user", "assistant", "tool", "system", ""}).Draw(t, "role")
			m.Agent = rapid.SampledFrom([]string{"Boss", "user", "BA", ""}).Draw(t, "agent")
			m.Kind = rapid.SampledFrom([]string{"", "", "", "", Decision, Question, Clarification, Summary, LayerChange, ToolOutput}).Draw(t, "kind")
			m.Priority = rapid.SampledFrom([]string{"", "", "", "", "", "", "", "critical"}).Draw(t, "priority")
			if rapid.IntRange(0, 15).Draw(t, "pinned") == 0 {
				m.Metadata = []byte(`{"pinned": true}`)
			}
			m.ToolName = rapid.SampledFrom([]string{"", "", "Edit", "Bash"}).Draw(t, "tool")
			for range rapid.IntRange(0, 40).Draw(t, "words") {
				m.Content += word.Draw(t, "word") + " "
			}
			m.Content += rapid.SampledFrom([]string{"", "?", "decided", "layer 1 → 2", `{"file_path":"a.go"}`}).Draw(t, "end")
		}
		return out
	})
}

func anyOptions(t *rapid.T, messages []schema.Message) Options {
	o := options(rapid.SampledFrom([]string{SessionSummary, PSD, Adaptive, "", Relevance, Relevance, Relevance, Relevance}).Draw(t, "strategy"), 0)
	o.Compare = rapid.SampledFrom([]func(string, []relevance.Text) []relevance.Match{byOverlap, byRarity, relevance.Compare}).Draw(t, "compare")
	o.Prompt = rapid.SampledFrom([]string{"", " ", "refund", "the tax ledger of stripe", strings.Repeat("invoice euro ", 9000)}).Draw(t, "prompt")
	o.Now, _ = schema.ParseTime(at(rapid.IntRange(0, 600).Draw(t, "now")))
	o.Knobs = schema.DefaultKnobs()
	o.Knobs.RelevanceCutoff = rapid.SampledFrom([]float64{0, 0.1, 0.3, 1}).Draw(t, "cutoff")
	o.Knobs.KeepThreshold = rapid.SampledFrom([]float64{0, 0.3, 0.7, 1}).Draw(t, "keep")
	o.Knobs.MinChunksToKeep = rapid.SampledFrom([]int{0, 1, 5, 100}).Draw(t, "last")
	o.Knobs.SummarizeMediumChunks = rapid.Bool().Draw(t, "summarise")
	o.Knobs.ColdStorageEnabled = rapid.IntRange(0, 9).Draw(t, "cold") > 0
	o.Curate = rapid.IntRange(0, 4).Draw(t, "curate") == 0
	if rapid.Bool().Draw(t, "by characters") {
		o.Count = func(text string) int { return (len(text) + 3) / 4 }
	}
	before := cost(messages, o)
	o.Used = before + rapid.IntRange(0, 500).Draw(t, "others")
	o.Window = rapid.SampledFrom([]int{0, max(1, o.Used), o.Used*10/9 + 1, o.Used*10/8 + 1, o.Used*2 + 1}).Draw(t, "window")
	o.Force = rapid.Bool().Draw(t, "force")
	o.Budget = rapid.SampledFrom([]int{0, 0, 1, before/10 + 1, before/5 + 1, before/2 + 1}).Draw(t, "budget")
	return o
}

func TestWhatHoldsOfEveryPlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := conversations().Draw(t, "conversation")
		o := anyOptions(t, messages)
		p := Make(messages, o)
		if again := Make(messages, o); !reflect.DeepEqual(p, again) {
			t.Fatalf("the same input gave %+v and %+v", p, again)
		}
		onceEach(t, messages, p, o)
		after := carriedOut(messages, p)
		if got := cost(after, o); got != p.TokensAfter || p.TokensBefore != cost(messages, o) {
			t.Fatalf("%d → %d tokens, counted %d → %d", p.TokensBefore, p.TokensAfter, cost(messages, o), got)
		}
		if p.Empty() {
			if p.Summary != "" || p.Level != "" || p.Ratio != 1 || len(p.Notes) == 0 {
				t.Fatalf("nothing is done, but %+v", p)
			}
			if pins := pinned(messages, o); (p.Refused != "") != (o.Knobs.ColdStorageEnabled && o.Budget > 0 && pins > o.Budget) {
				t.Fatalf("pins cost %d, the budget is %d, and the refusal is %q", pins, o.Budget, p.Refused)
			}
			return
		}
		if !o.Knobs.ColdStorageEnabled || p.Refused != "" {
			t.Fatalf("it is not to be done, but %+v", p)
		}
		if p.TokensAfter >= p.TokensBefore {
			t.Fatalf("nothing gets smaller: %d → %d", p.TokensBefore, p.TokensAfter)
		}
		bounded(t, messages, p, o)
		o.Used += p.TokensAfter - p.TokensBefore
		if o.Window > 0 {
			o.Floor = 100 * float64(o.Used) / float64(o.Window)
		}
		if second := Make(after, o); !second.Empty() {
			t.Fatalf("a second compaction summarises %s and drops %s, after one that kept %s", verdicts(second, Summarised), verdicts(second, Dropped), kept(p))
		}
	})
}

// onceEach checks that a Plan has each message once, in order of time, and keeps every pin
// and every decision; by Relevance, a decision without room is named.
func onceEach(t *rapid.T, messages []schema.Message, p Plan, o Options) {
	seen := make([]bool, len(messages))
	last := ""
	for _, s := range p.Steps {
		m := messages[s.Index]
		if seen[s.Index] || s.ID != m.ID {
			t.Fatalf("message %d: %+v", s.Index, s)
		}
		seen[s.Index] = true
		if m.Kind != Summary && m.Timestamp != "" {
			if m.Timestamp < last {
				t.Fatalf("%s comes after %s", m.Timestamp, last)
			}
			last = m.Timestamp
		}
		free := p.Strategy == Relevance && o.Budget > 0 && s.Kind == Decision
		if s.Verdict != Kept && (s.Kind == Decision && !free || s.Reason == "" || Pinned(m)) || s.Score < 0 || s.Score > 1 {
			t.Fatalf("%+v", s)
		}
	}
	if len(p.Steps) != len(messages) {
		t.Fatalf("%d steps for %d messages", len(p.Steps), len(messages))
	}
}

// bounded holds that a Plan keeps to its budget, but for decisions where the
// strategy is another than Relevance.
func bounded(t *rapid.T, messages []schema.Message, p Plan, o Options) {
	fixed := 0
	for _, m := range messages {
		if Classify(m, o) == Decision || Pinned(m) {
			fixed += o.Count(m.Content)
		}
	}
	if o.Budget > 0 && p.TokensAfter > o.Budget && (o.Strategy == Relevance || fixed <= o.Budget || p.TokensAfter > fixed+pointerLimit) {
		t.Fatalf("budget %d, decisions and pins %d, after %d", o.Budget, fixed, p.TokensAfter)
	}
}

func pinned(messages []schema.Message, o Options) (cost int) {
	for _, m := range messages {
		if Pinned(m) {
			cost += o.Count(m.Content)
		}
	}
	return cost
}
