package health_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

func noChunk(string) (schema.Chunk, bool) { return schema.Chunk{}, false }

// someKnobs returns random knobs for the score of a chunk.
func someKnobs(t *rapid.T) schema.Knobs {
	k := schema.DefaultKnobs()
	thousandths := rapid.IntRange(0, 1000)
	k.RelevanceCutoff = float64(thousandths.Draw(t, "cutoff")) / 1000
	k.KeepThreshold = float64(rapid.IntRange(int(k.RelevanceCutoff*1000), 1000).Draw(t, "keep")) / 1000
	k.MemfasWeight = float64(thousandths.Draw(t, "weight")) / 1000
	k.RecencyBonus = float64(thousandths.Draw(t, "recency")) / 1000
	k.ImportanceBonus = float64(thousandths.Draw(t, "importance")) / 1000
	k.MemfasMinScore = float64(rapid.IntRange(0, 200).Draw(t, "least")) / 1000
	return k
}

// logged returns a part of a score as it is logged.
func logged(f float64) float64 { return math.Round(f*1000) / 1000 }

// TestAReplayByTheSameKnobsChangesNothing tests that every drop is dropped again.
func TestAReplayByTheSameKnobsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := someKnobs(t)
		var l health.Logs
		for i := range 30 {
			similarity, hours := rapid.Float64Range(0, 1).Draw(t, "similarity"), rapid.Float64Range(-1, 500).Draw(t, "hours")
			important := rapid.Bool().Draw(t, "important")
			p := relevance.Score(k, similarity, hours, important)
			if p.Score < relevance.Thousandths(k.RelevanceCutoff) {
				l.Drops = append(l.Drops, schema.LogDrop{
					Timestamp: at(i), ChunkID: fmt.Sprint("chunk-", i), Reason: health.LowRelevance, RelevanceScore: float64(p.Score) / 1000,
					Similarity: new(logged(p.Similarity)), Hours: new(logged(p.Hours)), Important: important, ConfigUsed: k.Deciding(),
				})
			}
		}
		r := health.Rerun(l, k, noChunk)
		if r.Dropped.Count != len(l.Drops) || r.Replayed != len(l.Drops) {
			t.Fatalf("of %d drops %d are dropped again; %+v", len(l.Drops), r.Dropped.Count, r)
		}
	})
}

func TestAReplaySaysWhatOtherKnobsWouldHaveMadeOfDrops(t *testing.T) {
	k := schema.DefaultKnobs()
	low, mid := scored(0, "low", k, 0.1, 100), scored(1, "mid", k, 0.36, 100)
	tool, room := scored(2, "tool", k, 0.36, 100), scored(3, "room", k, 0.9, 100)
	tool.Reason, room.Reason = health.ToolOutput, health.NoRoom
	room.Similarity, room.Hours = nil, nil // no knob needs them
	bare := schema.LogDrop{Timestamp: at(4), ChunkID: "bare", Reason: health.LowRelevance, RelevanceScore: 0.27, ThresholdUsed: 0.3}
	edited := scored(5, "edited", k, 0.1, 100)
	edited.RelevanceScore = 0.29
	hidden := scored(6, "hidden", k, 0.04, 100) // below MEMFAS_MIN_SCORE
	l := health.Logs{
		Drops:      []schema.LogDrop{low, mid, tool, room, bare, edited, hidden},
		Recoveries: []schema.LogRecovery{recovered(9, "mid", "manual"), recovered(9, "low", "automatic")},
	}
	inCold := func(id string) (schema.Chunk, bool) {
		return schema.Chunk{ChunkID: id, Tokens: 70, Similarity: mid.Similarity, Hours: mid.Hours}, id == "bare"
	}
	for _, c := range []struct {
		name                                         string
		change                                       func(*schema.Knobs)
		chunk                                        func(string) (schema.Chunk, bool)
		kept, summarised, dropped, missed, bare, hid int
	}{
		{"the same knobs", func(k *schema.Knobs) {}, noChunk, 0, 0, 3, 0, 1, 0},
		{"a lower cutoff", func(k *schema.Knobs) { k.RelevanceCutoff = 0.25 }, noChunk, 0, 1, 2, 1, 1, 0},
		{"what is at the cutoff stays", func(k *schema.Knobs) { k.RelevanceCutoff = 0.075 }, noChunk, 0, 2, 1, 2, 1, 0},
		{"and no summaries", func(k *schema.Knobs) { k.RelevanceCutoff, k.SummarizeMediumChunks = 0.25, false }, noChunk, 1, 0, 2, 1, 1, 0},
		{"and a lower threshold", func(k *schema.Knobs) { k.RelevanceCutoff, k.KeepThreshold = 0.05, 0.2 }, noChunk, 1, 1, 1, 2, 1, 0},
		{"similarity alone", func(k *schema.Knobs) { k.RecencyBonus = 0 }, noChunk, 0, 1, 2, 1, 1, 0},
		{"parts from cold storage", func(k *schema.Knobs) { k.RelevanceCutoff = 0.25 }, inCold, 0, 2, 2, 1, 0, 0},
		{"every shared word counts", func(k *schema.Knobs) { k.MemfasMinScore = 0 }, noChunk, 0, 0, 3, 0, 1, 1},
	} {
		other := k
		c.change(&other)
		r := health.Rerun(l, other, c.chunk)
		if r.Kept.Count != c.kept || r.Summed.Count != c.summarised || r.Dropped.Count != c.dropped || r.Kept.Recovered+r.Summed.Recovered != c.missed {
			t.Errorf("%s: %+v", c.name, r)
		}
		if r.Partless != c.bare || r.Doubtful != 1 || r.Blind != c.hid || len(r.Otherwise) != 2 {
			t.Errorf("%s: %d without parts, %d edited, %d hidden, %v by no knob", c.name, r.Partless, r.Doubtful, r.Blind, r.Otherwise)
		}
		if told := r.Replayed + r.Partless + r.Doubtful + 2; told != r.Drops || r.Replayed != len(r.Chunks) {
			t.Errorf("%s: tells of %d of %d drops", c.name, told, r.Drops)
		}
	}
}
