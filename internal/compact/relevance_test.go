package compact

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// scored returns Options of Relevance, an hour after the last message, in which the
// similarity of a message is the number at the end of its content, in percent.
func scored(used int) Options {
	o := options(Relevance, used)
	o.Thresholds = schema.Policies()[schema.PolicyMemfas]
	o.Knobs = schema.DefaultKnobs()
	o.Knobs.MinChunksToKeep = 2
	o.Prompt = "refunds"
	o.Now = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) // nothing is recent
	o.Compare = func(_ string, texts []relevance.Text) []relevance.Match {
		matches := make([]relevance.Match, len(texts))
		for i, text := range texts {
			var percent float64
			if words := strings.Fields(text.Content); len(words) > 0 {
				fmt.Sscanf(words[len(words)-1], "%g%%", &percent)
			}
			matches[i].Similarity = percent / 100
		}
		return matches
	}
	return o
}

// talked has messages of all scores; similarity counts for three quarters of one
// that is old.
func talked() scene {
	var s scene
	s.boss("Decision: refunds take a signature. 0%")             // m0
	s.agent("The weather is fine " + filler(30) + " 10%")        // m1: 0.075
	s.agent("Refunds go through finance " + filler(30) + " 60%") // m2: 0.45
	s.agent("Refunds above 500 are signed twice 95%")            // m3: 0.7125
	s.tool("Grep", "refund.go:12 "+filler(40)+" 60%")            // m4
	s.tool("Read", "weather.go "+filler(40)+" 0%")               // m5
	s.agent("The lights are out " + filler(10) + " 0%").Metadata = []byte(`{"pinned": true}`)
	s.agent("Nothing here " + filler(10) + " 0%").Priority = "critical"
	s.agent(filler(30) + " 40%") // m8: 0.3, at the cutoff
	s.agent("Who signs on Sundays? 0% ?")
	s.agent("one more " + filler(30) + " 0%")
	s.agent("and the last")
	return s
}

func TestWhatScoresLowLeaves(t *testing.T) {
	for _, c := range []struct {
		story              string
		change             func(o *Options)
		level              string
		kept, sum, dropped string
	}{
		{"below the trigger nothing is done", func(o *Options) { o.Used = 399 }, "", "m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11", "", ""},
		{"curation drops what is below the cutoff", func(o *Options) { o.Used = 400 }, "light", "m0 m2 m3 m4 m6 m7 m8 m9 m10 m11", "", "m1 m5"},
		{"compaction summarises what lies between, and drops what tools gave", func(o *Options) { o.Used = 500 }, "medium", "m0 m3 m6 m7 m9 m10 m11", "m2 m8", "m1 m4 m5"},
		{"or keeps it", func(o *Options) { o.Used = 500; o.Knobs.SummarizeMediumChunks = false }, "medium", "m0 m2 m3 m6 m7 m8 m9 m10 m11", "", "m1 m4 m5"},
		{"at the hard limit no score helps", func(o *Options) { o.Used = 850 }, "emergency", "m0 m6 m7 m9 m10 m11", "m2 m3 m8", "m1 m4 m5"},
		{"curation goes no further in a full window", func(o *Options) { o.Used, o.Curate = 850, true }, "light", "m0 m2 m3 m4 m6 m7 m8 m9 m10 m11", "", "m1 m5"},
		{"what is asked for is a compaction", func(o *Options) { o.Used, o.Force = 0, true }, "medium", "m0 m3 m6 m7 m9 m10 m11", "m2 m8", "m1 m4 m5"},
		{"the thresholds are knobs", func(o *Options) {
			o.Used, o.Knobs.RelevanceCutoff, o.Knobs.KeepThreshold, o.Knobs.MinChunksToKeep = 500, 0.5, 0.8, 0
		}, "medium", "m0 m6 m7 m9", "m3", "m1 m2 m4 m5 m8 m10 m11"},
		{"at a threshold a chunk is above it", func(o *Options) {
			o.Used, o.Knobs.RelevanceCutoff, o.Knobs.KeepThreshold = 500, 0.45, 0.712
		}, "medium", "m0 m3 m6 m7 m9 m10 m11", "m2", "m1 m4 m5 m8"},
		{"and so are the triggers where the policy has none", func(o *Options) { o.Used, o.Thresholds, o.Knobs.CurationTrigger = 400, schema.Thresholds{}, 0.41 }, "", "m0 m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11", "", ""},
	} {
		t.Run(c.story, func(t *testing.T) {
			o := scored(0)
			c.change(&o)
			p := Make(talked(), o)
			if p.Level != c.level || kept(p) != c.kept || verdicts(p, Summarised) != c.sum || verdicts(p, Dropped) != c.dropped {
				t.Errorf("%q: keeps %s, summarises %s, drops %s; %q", p.Level, kept(p), verdicts(p, Summarised), verdicts(p, Dropped), p.Notes)
			}
		})
	}
}

func TestAStepTellsWhyItWasTaken(t *testing.T) {
	p := Make(talked(), scored(500))
	for _, c := range []struct {
		step   int
		reason string
		score  float64
	}{
		{1, "low_relevance", 0.075}, {2, "medium_relevance", 0.45}, {4, "tool_output", 0.45}, {5, "tool_output", 0}, {8, "medium_relevance", 0.3},
		{0, "a decision is never cut", 0}, {3, "it answers the prompt", 0.712}, {6, "a pin", 0.111}, {7, "a pin", 0.111}, {9, "an open question", 0}, {11, "one of the last 2 messages", 0},
	} {
		s := p.Steps[c.step]
		if s.Reason != c.reason || s.Score != c.score || s.Parts == nil || float64(s.Parts.Score)/1000 != c.score {
			t.Errorf("%+v, %+v", s, s.Parts)
		}
	}
	if p.Prompt != "refunds" {
		t.Errorf("compared with %q", p.Prompt)
	}
	if p := Make(talked(), options(PSD, 900)); p.Steps[1].Parts != nil || p.Prompt != "" {
		t.Error("psd compares")
	}
}

// Without a prompt it is what the user said last, which stays.
func TestThePromptIsWhatTheUserSaidLast(t *testing.T) {
	s := talked()
	long := strings.Repeat("refunds of last year ", 10)
	s.boss("How long do refunds take, in days and in hours? " + long) // m12
	s.tool("Read", filler(300))
	s.boss("Thanks, and go on.") // m14
	for range 4 {
		s.agent("working " + filler(20) + " 0%")
	}
	for prompt, want := range map[string][]string{
		"":                                {"How long do refunds", "Thanks, and go on."},
		" \n":                             {"How long do refunds", "Thanks, and go on."},
		"weather":                         {"weather"},
		strings.Repeat("é weather ", 1e5): {"é weather é"},
	} {
		o := scored(500)
		o.Prompt = prompt
		p := Make(s, o)
		for _, text := range want {
			if !strings.Contains(p.Prompt, text) || len(p.Prompt) > promptMost+1 {
				t.Errorf("%.20q: compared with %d bytes: %.80q", prompt, len(p.Prompt), p.Prompt)
			}
		}
		if asked := p.Steps[14].Verdict == Kept && p.Steps[12].Verdict == Kept; asked != (len(want) == 2) {
			t.Errorf("%.20q: what the user said last is kept: %v", prompt, asked)
		}
	}
}

func TestWithoutColdStorageNothingLeaves(t *testing.T) {
	for _, strategy := range []string{SessionSummary, PSD, Adaptive, Relevance} {
		for _, budget := range []int{0, 100} {
			o := scored(900)
			o.Strategy, o.Budget, o.Force, o.Knobs.ColdStorageEnabled = strategy, budget, true, false
			if p := Make(talked(), o); !p.Empty() || !strings.Contains(strings.Join(p.Notes, ""), "COLD_STORAGE_ENABLED") {
				t.Errorf("%s: %+v", strategy, p)
			}
		}
	}
}

func TestTheSummaryKeepsToItsTarget(t *testing.T) {
	var s scene
	for i := range 200 {
		s.boss(fmt.Sprintf("Please see to refund %d of the shop, and to the letter that goes with it. 60%%", i))
	}
	o := scored(900)
	o.Window = 3000
	o.Force = true
	if p := Make(s, o); byWords(p.Summary) > 500 || byWords(p.Summary) < 300 {
		t.Errorf("%d tokens", byWords(p.Summary))
	}
	o.Knobs.SummaryTargetTokens = 100
	if p := Make(s, o); byWords(p.Summary) > 100 {
		t.Errorf("%d tokens", byWords(p.Summary))
	}
}

func TestPins(t *testing.T) {
	for _, c := range []struct {
		m    schema.Message
		want bool
	}{
		{schema.Message{Priority: "critical"}, true},
		{schema.Message{Priority: "Critical"}, true},
		{schema.Message{Priority: "high"}, false},
		{schema.Message{Metadata: []byte(`{"pinned": true}`)}, true},
		{schema.Message{Metadata: []byte(`{"pinned": false}`)}, false},
		{schema.Message{Metadata: []byte(`{"pinned": "true"}`)}, false},
		{schema.Message{Metadata: []byte(`{"note": "pinned"}`)}, false},
		{schema.Message{Metadata: []byte(`[{"pinned": true}]`)}, false},
		{schema.Message{Metadata: []byte(`{"pinned": true`)}, false},
		{schema.Message{Kind: Summary, Priority: "critical"}, false},
	} {
		if Pinned(c.m) != c.want {
			t.Errorf("%s %s %s", c.m.Kind, c.m.Priority, c.m.Metadata)
		}
	}
	for _, strategy := range []string{SessionSummary, PSD, Adaptive, Relevance} {
		o := scored(990)
		o.Strategy = strategy
		if p := Make(talked(), o); !slices.Contains(strings.Fields(kept(p)), "m6") || !slices.Contains(strings.Fields(kept(p)), "m7") {
			t.Errorf("%s keeps %s", strategy, kept(p))
		}
	}
}

// Messages that stayed would score lower after the others left: they stay as long as there is
// no new message and no other prompt.
func TestWhatStayedStays(t *testing.T) {
	var s scene
	for range 25 {
		s.agent("The hives stand by the lime trees. " + filler(8))
	}
	for range 5 {
		s.agent("Mortar for the wall sets slowly. " + filler(8))
	}
	s.agent("ok")
	s.agent("ok")
	o := scored(0)
	o.Compare, o.Prompt, o.Force, o.Curate = byRarity, "mortar of a wall in frost", true, true
	o.Knobs.RelevanceCutoff = 0.35
	first := Make(s, o)
	after := scene(carriedOut(s, first))
	if want := "m25 m26 m27 m28 m29 m30 m31"; kept(first) != want {
		t.Fatalf("it keeps %s", kept(first))
	}
	if p := Make(after, o); !p.Empty() || !strings.Contains(strings.Join(p.Notes, ""), "nothing was said since") {
		t.Errorf("a second curation drops %s; %q", verdicts(p, Dropped), p.Notes)
	}
	for story, change := range map[string]func(s *scene, o *Options){
		"more is said":        func(s *scene, _ *Options) { s.agent("ok"); s.agent("ok") },
		"another prompt":      func(_ *scene, o *Options) { o.Prompt = "hives" },
		"other knobs":         func(_ *scene, o *Options) { o.Knobs.RelevanceCutoff = 0.4 },
		"more is asked for":   func(_ *scene, o *Options) { o.Curate = false },
		"the summary is gone": func(s *scene, _ *Options) { *s = (*s)[1:] },
	} {
		s, o := slices.Clone(after), o
		change(&s, &o)
		if p := Make(s, o); p.Empty() {
			t.Errorf("%s: %q", story, p.Notes)
		}
	}
}
