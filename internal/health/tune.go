package health

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// A Tuning is an analysis of the logs of a tree for its knobs. Its counts are those of
// lines, the same as counts by jq.
type Tuning struct {
	From        string       `json:"from,omitzero"` // time of the first line, RFC 3339
	To          string       `json:"to,omitzero"`
	Sessions    int          `json:"sessions"` // number of sessions in drops and recoveries
	Drops       DropCounts   `json:"drops"`
	Curation    Savings      `json:"curation"`
	Compactions Compactions  `json:"compactions"`
	Recoveries  Recoveries   `json:"recoveries"`
	Window      WindowUse    `json:"window"`
	Slots       []Slot       `json:"over_time"`
	Suggestions []Suggestion `json:"suggestions"`
	Notes       []string     `json:"notes,omitzero"` // what the logs do not contain, and why
}

// DropCounts are counts of the lines of drops.jsonl.
type DropCounts struct {
	Count     int        `json:"count"`
	Tokens    schema.Int `json:"tokens"`
	ByReason  []Reason   `json:"by_reason"` // most frequent first
	Scored    int        `json:"scored"`
	Unscored  int        `json:"unscored"` // without a score from 0 to 1
	Histogram []Bucket   `json:"histogram"`
	Cutoff    float64    `json:"relevance_cutoff"` // ratio, the present one of the tree
	Keep      float64    `json:"keep_threshold"`   // ratio
}

// A Reason is a reason for drops with the number of drops.
type Reason struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// A Bucket is the drops of a range of scores: from From, below To; the last one
// includes 1.
type Bucket struct {
	From      float64 `json:"from"` // ratio
	To        float64 `json:"to"`
	Count     int     `json:"count"`
	Recovered int     `json:"recovered"`
}

// buckets is the number of ranges in a histogram.
const buckets = 10

// Savings are the tokens that curations saved.
type Savings struct {
	Count  int        `json:"count"`
	Sum    schema.Int `json:"sum"`
	Min    schema.Int `json:"min"`
	Median float64    `json:"median"` // the mean of the middle two for an even count
	Mean   float64    `json:"mean"`
	Max    schema.Int `json:"max"`
}

// Compactions are counts of the lines of compaction.jsonl.
type Compactions struct {
	Compacted
	Dropped    schema.Int  `json:"chunks_dropped"`
	Summarised schema.Int  `json:"chunks_summarized"`
	ByTrigger  []Triggered `json:"by_trigger"` // most frequent first
}

// A Compacted is the change of a conversation by compactions, in tokens.
type Compacted struct {
	Count  int        `json:"count"`
	Before schema.Int `json:"tokens_before"`
	After  schema.Int `json:"tokens_after"`
	Saved  schema.Int `json:"saved"`
}

// Triggered are the compactions of one trigger.
type Triggered struct {
	Trigger string `json:"trigger"`
	Compacted
}

// Tune analyzes logs. The knobs k are the present ones of the tree: suggestions begin
// with them.
func Tune(logs Logs, k schema.Knobs) Tuning {
	fates := logs.fates()
	t := Tuning{
		Sessions:    sessions(logs),
		Drops:       countDrops(logs.Drops, fates, k),
		Curation:    savings(logs.Curations),
		Compactions: countCompactions(logs.Compactions),
		Recoveries:  countRecoveries(logs, fates),
		Window:      useOf(logs.Health, k),
		Notes:       unlogged(k),
	}
	t.overTime(logs, fates)
	t.Suggestions = suggest(logs, fates, t, k)
	return t
}

// Empty reports whether the logs have no lines.
func (t Tuning) Empty() bool {
	return t.Drops.Count+t.Curation.Count+t.Compactions.Count+t.Recoveries.Count+t.Window.Count == 0
}

// OfSession returns the lines of one session. Compactions, curations and health belong
// to no session and are left out.
func (l Logs) OfSession(id string) Logs {
	l.Drops = slices.DeleteFunc(slices.Clone(l.Drops), func(d schema.LogDrop) bool { return d.SessionID != id })
	l.Recoveries = slices.DeleteFunc(slices.Clone(l.Recoveries), func(r schema.LogRecovery) bool { return r.SessionID != id })
	l.Compactions, l.Curations, l.Health = nil, nil, nil
	return l
}

func sessions(logs Logs) int {
	seen := map[string]bool{}
	for _, d := range logs.Drops {
		seen[d.SessionID] = true
	}
	for _, r := range logs.Recoveries {
		seen[r.SessionID] = true
	}
	delete(seen, "")
	return len(seen)
}

func countDrops(drops []schema.LogDrop, fates []fate, k schema.Knobs) DropCounts {
	c := DropCounts{Count: len(drops), Cutoff: k.RelevanceCutoff, Keep: k.KeepThreshold, Histogram: make([]Bucket, buckets)}
	for i := range c.Histogram {
		c.Histogram[i].From, c.Histogram[i].To = float64(i)/buckets, float64(i+1)/buckets
	}
	reasons := map[string]int{}
	for i, d := range drops {
		reasons[d.Reason]++
		c.Tokens = plus(c.Tokens, d.Tokens)
		if !scored(d) {
			c.Unscored++
			continue
		}
		c.Scored++
		b := &c.Histogram[min(int(math.Floor(d.RelevanceScore*buckets)), buckets-1)]
		b.Count++
		if fates[i].recovered {
			b.Recovered++
		}
	}
	c.ByReason = mostFirst(reasons)
	return c
}

// mostFirst returns reasons sorted by count, highest first.
func mostFirst(reasons map[string]int) []Reason {
	list := []Reason{}
	for reason, n := range reasons {
		list = append(list, Reason{reason, n})
	}
	slices.SortFunc(list, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}

// NoScore is the score of a line without a score.
const NoScore = -1

// scored reports whether a line has a valid score.
func scored(d schema.LogDrop) bool { return 0 <= d.RelevanceScore && d.RelevanceScore <= 1 }

func savings(curations []schema.LogCuration) Savings {
	var s Savings
	var all []schema.Int
	for _, c := range curations {
		all = append(all, c.TokenSavings)
		s.Sum = plus(s.Sum, c.TokenSavings)
	}
	if s.Count = len(all); s.Count == 0 {
		return s
	}
	slices.Sort(all)
	s.Min, s.Max = all[0], all[s.Count-1]
	s.Median = (float64(all[(s.Count-1)/2]) + float64(all[s.Count/2])) / 2
	s.Mean = float64(s.Sum) / float64(s.Count)
	return s
}

func countCompactions(lines []schema.LogCompaction) Compactions {
	c := Compactions{ByTrigger: []Triggered{}}
	places := map[string]int{}
	for _, line := range lines {
		i, ok := places[line.Trigger]
		if !ok {
			i = len(c.ByTrigger)
			places[line.Trigger] = i
			c.ByTrigger = append(c.ByTrigger, Triggered{Trigger: line.Trigger})
		}
		c.add(line)
		c.ByTrigger[i].add(line)
		c.Dropped, c.Summarised = plus(c.Dropped, line.ChunksDropped), plus(c.Summarised, line.ChunksSummarized)
	}
	slices.SortFunc(c.ByTrigger, func(a, b Triggered) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Trigger, b.Trigger))
	})
	return c
}

func (c *Compacted) add(line schema.LogCompaction) {
	c.Count++
	c.Before, c.After = plus(c.Before, line.TokensBefore), plus(c.After, line.TokensAfter)
	c.Saved = plus(c.Saved, line.TokensBefore-line.TokensAfter)
}

// plus adds untrusted numbers without overflow.
func plus(a, b schema.Int) schema.Int {
	const most = 1 << 62
	return min(max(a+b, -most), most)
}

// unlogged returns notes about the logs that the knobs switch off.
func unlogged(k schema.Knobs) (notes []string) {
	for _, log := range []struct {
		on         bool
		knob, lost string
	}{
		{k.LogDrops, "LOG_DROPS", "what is dropped is in no log, and tuning does not see it"},
		{k.LogRecovery, "LOG_RECOVERY", "recoveries are in no log, and tuning does not see which drops were mistakes"},
		{k.LogCuration, "LOG_CURATION", "what curation saves is in no log"},
		{k.LogCompaction, "LOG_COMPACTION", "compactions are in no log"},
	} {
		if !log.on {
			notes = append(notes, log.knob+" is off: "+log.lost)
		}
	}
	return notes
}

// timeOf returns the time of a line, the zero time if it has none.
func timeOf(timestamp string) time.Time {
	t, _ := schema.ParseTime(timestamp)
	return t
}
