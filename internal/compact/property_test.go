package compact

import (
	"fmt"
	"reflect"
	"testing"

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
	o := options(rapid.SampledFrom([]string{SessionSummary, PSD, Adaptive, ""}).Draw(t, "strategy"), 0)
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
		onceEach(t, messages, p)
		after := carriedOut(messages, p)
		if got := cost(after, o); got != p.TokensAfter || p.TokensBefore != cost(messages, o) {
			t.Fatalf("%d → %d tokens, counted %d → %d", p.TokensBefore, p.TokensAfter, cost(messages, o), got)
		}
		if p.Empty() {
			if p.Summary != "" || p.Level != "" || p.Ratio != 1 || len(p.Notes) == 0 {
				t.Fatalf("nothing is done, but %+v", p)
			}
			return
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

// onceEach holds that each message stands once in a Plan, in order of time, and
// every decision is kept.
func onceEach(t *rapid.T, messages []schema.Message, p Plan) {
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
		if s.Verdict != Kept && (s.Kind == Decision || s.Reason == "") || s.Score < 0 || s.Score > 1 {
			t.Fatalf("%+v", s)
		}
	}
	if len(p.Steps) != len(messages) {
		t.Fatalf("%d steps for %d messages", len(p.Steps), len(messages))
	}
}

// bounded holds that a Plan keeps to its budget but for decisions.
func bounded(t *rapid.T, messages []schema.Message, p Plan, o Options) {
	decisions := 0
	for _, m := range messages {
		if Classify(m, o) == Decision {
			decisions += o.Count(m.Content)
		}
	}
	if o.Budget > 0 && p.TokensAfter > o.Budget && (decisions <= o.Budget || p.TokensAfter > decisions+pointerLimit) {
		t.Fatalf("budget %d, decisions %d, after %d", o.Budget, decisions, p.TokensAfter)
	}
}
