package health

import (
	"fmt"
	"math"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// An Explained is the computation of the score of a dropped chunk.
type Explained struct {
	ID         string               `json:"id"`
	SessionID  string               `json:"session_id,omitzero"`
	Timestamp  string               `json:"timestamp,omitzero"`
	Reason     string               `json:"reason"`
	Tokens     schema.Int           `json:"tokens"`
	Compaction string               `json:"compaction,omitzero"`      // the Decider of compaction.jsonl
	Score      *float64             `json:"relevance_score,omitzero"` // ratio, as logged; nil if the line has none
	Threshold  float64              `json:"threshold_used"`           // ratio; 0 if none was used
	Compared   bool                 `json:"compared"`                 // compared with a prompt; if false, there are no Terms
	Terms      []Term               `json:"terms"`
	Sum        float64              `json:"sum"`    // the sum of the products of Terms
	Weight     float64              `json:"weight"` // the sum of the weights that apply
	Knobs      string               `json:"knobs,omitzero"`
	Logged     bool                 `json:"knobs_logged"`         // else they are the tree's at present
	Honest     bool                 `json:"adds_up"`              // to the score that is logged
	Hours      float64              `json:"hours,omitzero"`       // how old it was
	Seconds    float64              `json:"age_seconds,omitzero"` // the same
	Prompt     string               `json:"prompt,omitzero"`
	Words      []Word               `json:"words"` // shared by the chunk and the prompt, most significant first
	Keep       []string             `json:"would_have_kept_it"`
	Recovered  []schema.LogRecovery `json:"recovered"`
}

// A Term is one summand of a score. The Points of all Terms add up to the score.
type Term struct {
	Name   string  `json:"name"` // similarity, recency, importance
	Knob   string  `json:"knob"` // the name of its weight
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Points int     `json:"points"` // thousandths
}

// A Word is a word that a chunk and a prompt share.
type Word struct {
	Word  string  `json:"word"`
	Share float64 `json:"share"` // ratio of the sum for all words of the prompt
}

// Explain explains the score of a drop. chunk is the dropped chunk in cold storage, or
// the zero Chunk if it is not there. The knobs present are used if the line does not
// contain the knobs of that time. recoveries are those of the chunk.
func Explain(d schema.LogDrop, chunk schema.Chunk, present schema.Knobs, recoveries []schema.LogRecovery) Explained {
	if d.Similarity == nil || d.Hours == nil {
		d = filled(d, chunk)
	}
	e := Explained{
		ID: d.ChunkID, SessionID: d.SessionID, Timestamp: d.Timestamp, Reason: d.Reason, Tokens: max(d.Tokens, chunk.Tokens),
		Threshold: d.ThresholdUsed, Prompt: chunk.PromptAtDrop,
		Terms: []Term{}, Words: []Word{}, Keep: []string{}, Recovered: append([]schema.LogRecovery{}, recoveries...),
	}
	if scored(d) {
		e.Score = &d.RelevanceScore
	}
	if e.Compared = d.Similarity != nil && d.Hours != nil; !e.Compared {
		return e
	}
	k, logged := inForce(d.ConfigUsed)
	if e.Logged = logged; !logged {
		k = present
	}
	e.Knobs, e.Hours, e.Seconds = k.Deciding(), *d.Hours, math.Round(*d.Hours*3600)
	parts := relevance.Score(k, *d.Similarity, *d.Hours, d.Important)
	off := relevance.Thousandths(d.RelevanceScore) - parts.Score
	if e.Honest = max(off, -off) <= rounding && e.Score != nil; e.Honest {
		parts.Score += off
	}
	e.terms(k, parts)
	e.Keep = remedies(d, k, parts)
	if chunk.Content != "" && chunk.PromptAtDrop != "" {
		e.words(chunk)
	}
	return e
}

// terms splits the score into its summands so that they add up after rounding.
func (e *Explained) terms(k schema.Knobs, p relevance.Parts) {
	e.Terms = []Term{
		{Name: "similarity", Knob: "MEMFAS_WEIGHT", Value: p.Similarity, Weight: k.MemfasWeight},
		{Name: "recency", Knob: "RECENCY_BONUS", Value: p.Recency, Weight: k.RecencyBonus},
	}
	if p.Important {
		e.Terms = append(e.Terms, Term{Name: "importance", Knob: "IMPORTANCE_BONUS", Value: 1, Weight: k.ImportanceBonus})
	}
	for _, t := range e.Terms {
		e.Sum += t.Value * t.Weight
		e.Weight += t.Weight
	}
	if e.Weight <= 0 {
		return
	}
	sum, told := 0.0, 0
	for i := range e.Terms {
		t := &e.Terms[i]
		sum += t.Value * t.Weight
		t.Points = relevance.Thousandths(sum/e.Weight) - told
		told += t.Points
	}
	// The largest one gets the rounding error of the logged parts.
	largest := 0
	for i, t := range e.Terms {
		if t.Points > e.Terms[largest].Points {
			largest = i
		}
	}
	e.Terms[largest].Points += p.Score - told
}

// words finds the words that the chunk shares with the prompt.
func (e *Explained) words(chunk schema.Chunk) {
	const most = 12
	for _, match := range relevance.Compare(chunk.PromptAtDrop, []relevance.Text{{Content: chunk.Content}}) {
		for _, m := range match.Terms {
			if len(e.Words) < most {
				e.Words = append(e.Words, Word{m.Term, m.Share})
			}
		}
	}
}

// remedies returns the changes that would have prevented the drop.
func remedies(d schema.LogDrop, k schema.Knobs, p relevance.Parts) (ways []string) {
	switch d.Reason {
	case ToolOutput:
		return []string{"a pin (metadata.pinned): outputs of tools leave first, whatever their score"}
	case NoRoom:
		return []string{"a larger budget: it scored enough, and others scored more for what they cost", "a pin (metadata.pinned)"}
	}
	cutoff := relevance.Thousandths(k.RelevanceCutoff)
	if p.Score >= cutoff {
		return nil
	}
	ways = append(ways, fmt.Sprintf("RELEVANCE_CUTOFF %v or lower: at the cutoff nothing is dropped", float64(p.Score)/1000))
	enough := func(similarity, hours float64, important bool) bool {
		return relevance.Score(k, similarity, hours, important).Score >= cutoff
	}
	if s := least(1000, func(n int) bool { return enough(float64(n)/1000, p.Hours, p.Important) }); s >= 0 {
		ways = append(ways, fmt.Sprintf("a similarity of %v instead of %v", float64(s)/1000, rounded(p.Similarity)))
	}
	if enough(p.Similarity, 0, p.Important) {
		minutes := int(min(p.Hours*60, 1e6))
		younger := least(minutes, func(n int) bool { return enough(p.Similarity, float64(minutes-n)/60, p.Important) })
		if younger >= 0 {
			ways = append(ways, fmt.Sprintf("an age of %v hours instead of %v", rounded(float64(minutes-younger)/60), rounded(p.Hours)))
		}
	}
	if !p.Important && enough(p.Similarity, p.Hours, true) {
		ways = append(ways, "being marked as important")
	}
	return append(ways, "a pin (metadata.pinned): what is pinned is not scored")
}

// least returns the smallest number up to most for which ok is true, or -1 if there is
// none. If ok is true for a number, it must be true for all larger ones.
func least(most int, ok func(int) bool) int {
	low, high := 0, most+1
	for low < high {
		if mid := (low + high) / 2; ok(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low > most {
		return -1
	}
	return low
}

// rounded returns f rounded to three decimals.
func rounded(f float64) float64 { return math.Round(f*1000) / 1000 }
