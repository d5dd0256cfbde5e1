package health

import (
	"strings"

	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// A Replay is what other knobs would have made of past drops. What was kept
// then is in no log: that other knobs would also have dropped it cannot be seen.
type Replay struct {
	Knobs     string     `json:"knobs"` // Knobs.Deciding
	Drops     int        `json:"drops"` // all there are
	Replayed  int        `json:"replayed"`
	Kept      Outcome    `json:"kept"`
	Summed    Outcome    `json:"summarised"`
	Dropped   Outcome    `json:"still_dropped"`
	Otherwise []Reason   `json:"no_knob_decides"`       // dropped for another reason than their score, most first
	Partless  int        `json:"without_parts"`         // whose line and chunk do not hold what a score comes from
	Doubtful  int        `json:"not_the_logged_score"`  // whose parts do not give it: somebody changed them
	Blind     int        `json:"similarity_not_logged"` // replayed, but MEMFAS_MIN_SCORE hid the similarity then: it counts as 0
	Chunks    []Replayed `json:"chunks"`                // the replayed ones, in the order of the log
}

// An Outcome is those drops that came out alike.
type Outcome struct {
	Count     int        `json:"count"`
	Tokens    schema.Int `json:"tokens"` // of the chunks as they were
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

// The verdicts of the thresholds.
const (
	Keeps      = "kept"
	Summarises = "summarised"
	Drops      = "dropped"
)

// judge is what k makes of a score in thousandths.
func judge(k schema.Knobs, score int) string {
	switch {
	case score < relevance.Thousandths(k.RelevanceCutoff):
		return Drops
	case score < relevance.Thousandths(k.KeepThreshold) && k.SummarizeMediumChunks:
		return Summarises
	}
	return Keeps
}

// Rerun replays the drops of logs under k. chunk finds a chunk of cold storage:
// what a score came from stands there too.
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

// rounding is how many thousandths the parts of a line, which have three decimals,
// may miss their score by.
const rounding = 1

// missing is the score of a drop less what its parts give, in thousandths, by the
// knobs that it was decided by; 0 where its line does not tell them.
func missing(d schema.LogDrop) int {
	k, known := inForce(d.ConfigUsed)
	if !known {
		return 0
	}
	return relevance.Thousandths(d.RelevanceScore) - relevance.Score(k, *d.Similarity, *d.Hours, d.Important).Score
}

// honest says whether the parts of a drop give its score.
func honest(d schema.LogDrop) bool { return max(missing(d), -missing(d)) <= rounding }

// inForce reads Knobs.Deciding from a line; false where it does not tell all of
// them.
func inForce(config string) (schema.Knobs, bool) {
	k := schema.DefaultKnobs()
	for field := range strings.FieldsSeq(config) {
		if name, value, ok := strings.Cut(field, "="); ok {
			_ = k.Set(name, value) // what it does not say well, the comparison below finds
		}
	}
	return k, k.Deciding() == config
}

// filled is d with what its chunk knows of it.
func filled(d schema.LogDrop, c schema.Chunk) schema.LogDrop {
	d.Similarity, d.Hours, d.Important = c.Similarity, c.Hours, c.Important
	if d.Tokens == 0 {
		d.Tokens = c.Tokens
	}
	return d
}
