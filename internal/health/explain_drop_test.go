package health_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// TestAnExplanationAddsUp tests that the summands give the score, whatever was rounded,
// and that the remedies would have kept the chunk.
func TestAnExplanationAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := someKnobs(t)
		p := relevance.Score(k, rapid.Float64Range(0, 1).Draw(t, "similarity"), rapid.Float64Range(0, 500).Draw(t, "hours"), rapid.Bool().Draw(t, "important"))
		e := health.Explain(schema.LogDrop{
			ChunkID: "c", Reason: health.LowRelevance, RelevanceScore: float64(p.Score) / 1000, ThresholdUsed: k.RelevanceCutoff,
			Similarity: new(logged(p.Similarity)), Hours: new(logged(p.Hours)), Important: p.Important, ConfigUsed: k.Deciding(),
		}, schema.Chunk{}, schema.DefaultKnobs(), nil)
		sum := 0
		for _, term := range e.Terms {
			sum += term.Points
			if term.Points < 0 {
				t.Errorf("%s counts %d", term.Name, term.Points)
			}
		}
		if sum != p.Score || !e.Honest || !e.Logged || !e.Compared {
			t.Fatalf("the terms are %d, the score is %d: %+v", sum, p.Score, e)
		}
		if dropped := p.Score < relevance.Thousandths(k.RelevanceCutoff); dropped != (len(e.Keep) > 0) {
			t.Fatalf("dropped: %v; %q would have kept it", dropped, e.Keep)
		}
	})
}

func TestAnExplanationSaysWhatWouldHaveKeptAChunk(t *testing.T) {
	k := schema.DefaultKnobs()
	line := scored(0, "c", k, 0.25, 6) // (0.25 × 0.6 + 0.5 × 0.2) / 0.8 = 0.3125
	line.RelevanceScore = 0.313
	below := scored(0, "c", k, 0.2, 6) // 0.275
	old := below
	old.ConfigUsed = ""
	for _, c := range []struct {
		name   string
		drop   schema.LogDrop
		reason string
		want   []string
	}{
		{"below the cutoff", below, "low_relevance", []string{
			"RELEVANCE_CUTOFF 0.275 or lower: at the cutoff nothing is dropped", "a similarity of 0.233 instead of 0.2", "an age of 4.45 hours instead of 6",
			"being marked as important", "a pin (metadata.pinned): what is pinned is not scored"}},
		{"an output of a tool", below, "tool_output", []string{"a pin (metadata.pinned): outputs of tools leave first, whatever their score"}},
		{"no room", line, "no_room", []string{"a larger budget: it scored enough, and others scored more for what they cost", "a pin (metadata.pinned)"}},
	} {
		c.drop.Reason = c.reason
		e := health.Explain(c.drop, schema.Chunk{}, k, nil)
		if got := strings.Join(e.Keep, "\n"); got != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, strings.Join(c.want, "\n"))
		}
	}
	if e := health.Explain(scored(0, "c", k, 0.4, 1000), schema.Chunk{}, k, nil); *e.Score != k.RelevanceCutoff || len(e.Keep) > 0 {
		t.Errorf("at the cutoff: %q would have kept what is not below it", e.Keep)
	}
	if e := health.Explain(old, schema.Chunk{}, k, nil); e.Logged || !e.Honest {
		t.Errorf("a line without knobs: %+v", e)
	}
	other := k
	other.MemfasWeight = 0.1
	if e := health.Explain(old, schema.Chunk{}, other, nil); e.Logged || e.Honest {
		t.Errorf("a line without knobs, which were others: %+v", e)
	}
}

// TestAChunkThatWasNotCompared tests that such a chunk has no terms. Its parts may be
// in cold storage.
func TestAChunkThatWasNotCompared(t *testing.T) {
	k := schema.DefaultKnobs()
	bare := schema.LogDrop{ChunkID: "c", Reason: "low_relevance", RelevanceScore: 0.275}
	if e := health.Explain(bare, schema.Chunk{}, k, nil); e.Compared || len(e.Terms) > 0 {
		t.Errorf("%+v", e)
	}
	parts := scored(0, "c", k, 0.2, 6)
	e := health.Explain(bare, schema.Chunk{Similarity: parts.Similarity, Hours: parts.Hours, Tokens: 12}, k, nil)
	if !e.Compared || !e.Honest || e.Tokens != 12 {
		t.Errorf("%+v", e)
	}
}

// TestAnExplanationNamesTheWordsThatMatched tests the words that the chunk and the
// prompt share.
func TestAnExplanationNamesTheWordsThatMatched(t *testing.T) {
	k := schema.DefaultKnobs()
	chunk := schema.Chunk{Content: "The pears along the south wall want lime before the frost.", PromptAtDrop: "lime for a pear"}
	e := health.Explain(scored(0, "c", k, 0.2, 6), chunk, k, nil)
	all := 0.0
	var words []string
	for _, w := range e.Words {
		all += w.Share
		words = append(words, w.Word)
	}
	for _, want := range []string{"lime", "pear"} {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, want) }) {
			t.Errorf("%q, without %s", words, want)
		}
	}
	if all <= 0 || all > 1.001 || e.Prompt != chunk.PromptAtDrop {
		t.Errorf("the words are worth %v of %q: %+v", all, e.Prompt, e.Words)
	}
	chunk.Content = "Lunch was late."
	if e := health.Explain(scored(0, "c", k, 0, 6), chunk, k, nil); len(e.Words) > 0 {
		t.Errorf("words that nobody said: %+v", e.Words)
	}
}
