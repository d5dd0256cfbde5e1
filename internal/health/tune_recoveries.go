package health

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// automatic is the trigger of automatic recoveries.
const automatic = "automatic"

// Recoveries are counts of the lines of recovery.jsonl, with their drops: a drop that
// was recovered counts as a mistake.
type Recoveries struct {
	Count     int      `json:"count"` // lines
	Manual    int      `json:"manual"`
	Automatic int      `json:"automatic"`
	Unknown   int      `json:"unknown"` // of chunks without a drop record, which were not summarized either
	All       Mistakes `json:"all"`
	// Summarized counts the chunks that a summary took the place of, as far as the logs reach.
	Summarized Mistakes  `json:"summarized"`
	ByReason   []Mistake `json:"by_reason"` // most drops first
	ByKnobs    []Mistake `json:"by_knobs"`
}

// A Mistake counts the drops of one kind and those that were recovered.
type Mistake struct {
	Of string `json:"of"` // a reason, or a setting of knobs; "" if the lines have none
	Mistakes
}

// Mistakes counts drops and those that were recovered.
type Mistakes struct {
	Drops     int     `json:"drops"`
	Recovered int     `json:"recovered"`
	Manual    int     `json:"manual"` // first recovered by hand
	Automatic int     `json:"automatic"`
	Rate      float64 `json:"rate"` // ratio
}

// A fate is the later history of a drop.
type fate struct {
	recovered, automatic bool
}

// fates returns, for each line of drops.jsonl, whether its chunk was recovered. If a
// chunk was dropped several times, the recovery belongs to the last drop before it, or
// to the first drop if the times do not match.
func (l Logs) fates() []fate {
	fates := make([]fate, len(l.Drops))
	match(l, func(r schema.LogRecovery, drop int) {
		if drop >= 0 && !fates[drop].recovered {
			fates[drop] = fate{recovered: true, automatic: r.Trigger == automatic}
		}
	})
	return fates
}

// match yields each recovery with the index of the drop that it belongs to, -1 if there
// is no such line.
func match(l Logs, yield func(r schema.LogRecovery, drop int)) {
	type past struct {
		at    time.Time
		index int
	}
	of := make(map[string][]past, len(l.Drops))
	for i, d := range l.Drops {
		of[d.ChunkID] = append(of[d.ChunkID], past{timeOf(d.Timestamp), i})
	}
	for _, r := range l.Recoveries {
		found := -1
		if all := of[r.ChunkID]; len(all) > 0 {
			at := timeOf(r.Timestamp)
			found = all[0].index
			for _, p := range all {
				if !p.at.After(at) {
					found = p.index
				}
			}
		}
		yield(r, found)
	}
}

func countRecoveries(logs Logs, fates []fate) Recoveries {
	c, known := Recoveries{Count: len(logs.Recoveries)}, map[string]bool{}
	c.Summarized.Drops = logs.summarized()
	match(logs, func(r schema.LogRecovery, drop int) {
		if r.Trigger == automatic {
			c.Automatic++
		} else {
			c.Manual++
		}
		if drop < 0 {
			c.summarized(r, known, logs.summarized())
		}
	})
	for _, f := range fates {
		c.All.add(f)
	}
	c.ByReason = mistakes(logs.Drops, fates, func(d schema.LogDrop) string { return d.Reason })
	c.ByKnobs = mistakes(logs.Drops, fates, setting)
	return c
}

// summarized counts the recovery of a chunk without a drop record. It was summarized if the
// compactions summarized as many chunks; known are those that were counted.
func (c *Recoveries) summarized(r schema.LogRecovery, known map[string]bool, most int) {
	switch {
	case known[r.ChunkID]:
	case c.Summarized.Recovered == most:
		c.Unknown++
	default:
		known[r.ChunkID] = true
		c.Summarized.recover(r.Trigger == automatic)
	}
}

// summarized returns the number of chunks that the compactions of the log summarized.
func (l Logs) summarized() (n int) {
	for _, c := range l.Compactions {
		n += max(0, int(c.ChunksSummarized))
	}
	return n
}

// setting returns the knobs that decided a drop, from its line.
func setting(d schema.LogDrop) string {
	if d.ConfigUsed == "" && d.ThresholdUsed > 0 {
		return fmt.Sprintf("RELEVANCE_CUTOFF=%v", d.ThresholdUsed)
	}
	return d.ConfigUsed
}

// mistakes counts drops by the value of of, most frequent first.
func mistakes(drops []schema.LogDrop, fates []fate, of func(schema.LogDrop) string) []Mistake {
	list, places := []Mistake{}, map[string]int{}
	for i, d := range drops {
		kind := of(d)
		place, ok := places[kind]
		if !ok {
			place = len(list)
			places[kind] = place
			list = append(list, Mistake{Of: kind})
		}
		list[place].add(fates[i])
	}
	slices.SortFunc(list, func(a, b Mistake) int {
		return cmp.Or(cmp.Compare(b.Drops, a.Drops), cmp.Compare(a.Of, b.Of))
	})
	return list
}

func (m *Mistakes) add(f fate) {
	m.Drops++
	m.Rate = float64(m.Recovered) / float64(m.Drops)
	if f.recovered {
		m.recover(f.automatic)
	}
}

// recover counts a chunk that was recovered.
func (m *Mistakes) recover(automatic bool) {
	if automatic {
		m.Automatic++
	} else {
		m.Manual++
	}
	m.Recovered = m.Manual + m.Automatic
	m.Rate = float64(m.Recovered) / float64(m.Drops)
}
