package health

import (
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Replay is the result of applying other knobs to past drops. The logs do not contain
// chunks that were kept, so it does not show which of them the other knobs would have
// dropped.
type Replay struct {
	Knobs     string     `json:"knobs"` // Knobs.Deciding
	Drops     int        `json:"drops"` // all drops
	Replayed  int        `json:"replayed"`
	Kept      Outcome    `json:"kept"`
	Summed    Outcome    `json:"summarised"`
	Dropped   Outcome    `json:"still_dropped"`
	Otherwise []Reason   `json:"no_knob_decides"`       // dropped for a reason other than the score, most frequent first
	Partless  int        `json:"without_parts"`         // the parts of the score are neither in the line nor in the chunk
	Doubtful  int        `json:"not_the_logged_score"`  // the parts do not give the logged score: somebody changed them
	Blind     int        `json:"similarity_not_logged"` // replayed, but MEMFAS_MIN_SCORE hid the similarity: it counts as 0
	Chunks    []Replayed `json:"chunks"`                // the replayed drops, in the order of the log
}

// An Outcome counts the drops with the same verdict.
type Outcome struct {
	Count     int        `json:"count"`
	Tokens    schema.Int `json:"tokens"` // of the chunks before the drop
	Recovered int        `json:"recovered"`
}

// A Replayed is one drop under other knobs.
type Replayed struct {
	ID        string     `json:"id"`
	SessionID string     `json:"session_id,omitzero"`
	Timestamp string     `json:"timestamp,omitzero"`
	Reason    string     `json:"reason"`
	Then      float64    `json:"score"`     // ratio, as logged
	Now       float64    `json:"new_score"` // ratio
	Verdict   string     `json:"verdict"`   // kept, summarised, dropped
	Tokens    schema.Int `json:"tokens"`
	Recovered bool       `json:"recovered"`
}

// The verdicts.
const (
	Keeps      = "kept"
	Summarises = "summarised"
	Drops      = "dropped"
)

// judge returns the verdict of k for a score in thousandths.
func judge(k schema.Knobs, score int) string {
	switch {
	case score < relevance.Thousandths(k.RelevanceCutoff):
		return Drops
	case score < relevance.Thousandths(k.KeepThreshold) && k.SummarizeMediumChunks:
		return Summarises
	}
	return Keeps
}

// Rerun replays the drops of logs with the knobs k. chunk returns a chunk of cold
// storage, which also has the parts of its score.
func Rerun(logs Logs, k schema.Knobs, chunk func(id string) (schema.Chunk, bool)) Replay {
	r := Replay{Knobs: k.Deciding(), Drops: len(logs.Drops), Chunks: []Replayed{}}
	fates, otherwise := logs.fates(), map[string]int{}
	for i, d := range logs.Drops {
		if d.Similarity == nil || d.Hours == nil {
			if c, ok := chunk(d.ChunkID); ok {
				d = filled(d, c)
			}
		}
		partless := d.Similarity == nil || d.Hours == nil
		switch {
		case d.Reason == ToolOutput || d.Reason == NoRoom:
			otherwise[d.Reason]++
		case partless:
			r.Partless++
		case d.Reason != LowRelevance && d.Reason != MediumRelevance:
			otherwise[d.Reason]++
		case !honest(d):
			r.Doubtful++
		default:
			r.add(d, fates[i], k)
		}
	}
	r.Otherwise = mostFirst(otherwise)
	return r
}

func (r *Replay) add(d schema.LogDrop, f fate, k schema.Knobs) {
	score := relevance.Score(k, *d.Similarity, *d.Hours, d.Important).Score + missing(d) // so that the same knobs give the same score
	one := Replayed{
		ID: d.ChunkID, SessionID: d.SessionID, Timestamp: d.Timestamp, Reason: d.Reason, Then: d.RelevanceScore,
		Now: float64(score) / 1000, Verdict: judge(k, score), Tokens: d.Tokens, Recovered: f.recovered,
	}
	if then, known := inForce(d.ConfigUsed); known && *d.Similarity == 0 && k.MemfasMinScore < then.MemfasMinScore {
		r.Blind++
	}
	r.Replayed++
	r.Chunks = append(r.Chunks, one)
	o := map[string]*Outcome{Keeps: &r.Kept, Summarises: &r.Summed, Drops: &r.Dropped}[one.Verdict]
	o.Count++
	o.Tokens = plus(o.Tokens, d.Tokens)
	if f.recovered {
		o.Recovered++
	}
}

// rounding is the maximum error, in thousandths, of a score computed from the parts of
// a line, which have three decimals.
const rounding = 1

// missing returns the logged score of a drop minus the score computed from its parts
// and knobs, in thousandths. It is 0 if the line has no knobs.
func missing(d schema.LogDrop) int {
	k, known := inForce(d.ConfigUsed)
	if !known {
		return 0
	}
	return relevance.Thousandths(d.RelevanceScore) - relevance.Score(k, *d.Similarity, *d.Hours, d.Important).Score
}

// honest reports whether the parts of a drop give its score.
func honest(d schema.LogDrop) bool { return max(missing(d), -missing(d)) <= rounding }

// inForce parses the text of Knobs.Deciding in a line. It returns false if a knob is
// missing.
func inForce(config string) (schema.Knobs, bool) {
	k := schema.DefaultKnobs()
	for field := range strings.FieldsSeq(config) {
		if name, value, ok := strings.Cut(field, "="); ok {
			_ = k.Set(name, value) // the comparison below finds invalid values
		}
	}
	return k, k.Deciding() == config
}

// filled returns d with missing values taken from its chunk.
func filled(d schema.LogDrop, c schema.Chunk) schema.LogDrop {
	d.Similarity, d.Hours, d.Important = c.Similarity, c.Hours, c.Important
	if d.Tokens == 0 {
		d.Tokens = c.Tokens
	}
	return d
}
