package health

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// automatic is the trigger of a recovery that nobody asked for.
const automatic = "automatic"

// Recoveries are the lines of recovery.jsonl, and what they say about the drops:
// one that had to be recovered was a mistake.
type Recoveries struct {
	Count     int       `json:"count"` // lines
	Manual    int       `json:"manual"`
	Automatic int       `json:"automatic"`
	Unknown   int       `json:"unknown"` // of chunks that no line dropped
	All       Mistakes  `json:"all"`
	ByReason  []Mistake `json:"by_reason"` // most drops first
	ByKnobs   []Mistake `json:"by_knobs"`
}

// A Mistake is how often the drops of one kind had to be recovered.
type Mistake struct {
	Of string `json:"of"` // a reason, or a setting of knobs; "" where the lines name none
	Mistakes
}

// Mistakes are drops, and those of them that had to be recovered.
type Mistakes struct {
	Drops     int     `json:"drops"`
	Recovered int     `json:"recovered"`
	Manual    int     `json:"manual"` // the first time by hand
	Automatic int     `json:"automatic"`
	Rate      float64 `json:"rate"` // ratio
}

// A fate is what became of a drop.
type fate struct {
	recovered, automatic bool
}

// fates says of each line of drops.jsonl whether its chunk was recovered. A
// chunk that was dropped several times was recovered from the last drop before;
// where clocks jumped, from the first.
func (l Logs) fates() []fate {
	fates := make([]fate, len(l.Drops))
	match(l, func(r schema.LogRecovery, drop int) {
		if drop >= 0 && !fates[drop].recovered {
			fates[drop] = fate{recovered: true, automatic: r.Trigger == automatic}
		}
	})
	return fates
}

// match yields each recovery with the index of the drop that it takes back, -1
// where no line has it.
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
	c := Recoveries{Count: len(logs.Recoveries)}
	match(logs, func(r schema.LogRecovery, drop int) {
		if r.Trigger == automatic {
			c.Automatic++
		} else {
			c.Manual++
		}
		if drop < 0 {
			c.Unknown++
		}
	})
	for _, f := range fates {
		c.All.add(f)
	}
	c.ByReason = mistakes(logs.Drops, fates, func(d schema.LogDrop) string { return d.Reason })
	c.ByKnobs = mistakes(logs.Drops, fates, setting)
	return c
}

// setting is the knobs that a drop was decided by, as its line tells.
func setting(d schema.LogDrop) string {
	if d.ConfigUsed == "" && d.ThresholdUsed > 0 {
		return fmt.Sprintf("RELEVANCE_CUTOFF=%v", d.ThresholdUsed)
	}
	return d.ConfigUsed
}

// mistakes counts drops by what of says, most first.
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
	switch {
	case f.recovered && f.automatic:
		m.Automatic++
	case f.recovered:
		m.Manual++
	}
	m.Recovered = m.Manual + m.Automatic
	m.Rate = float64(m.Recovered) / float64(m.Drops)
}
