package health

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// WindowUse is the usage of the context window over all measurements.
type WindowUse struct {
	Count  int     `json:"count"`
	Peak   float64 `json:"peak"` // ratio
	Median float64 `json:"median"`
	Last   float64 `json:"last"`
	// The present knobs of the tree.
	Curation   float64 `json:"curation_trigger_pct"` // ratio
	Compaction float64 `json:"compaction_trigger_pct"`
	Max        float64 `json:"max_context_pct"`
}

// A Slot is a part of the time that the logs cover; all slots are equally long.
type Slot struct {
	From       string     `json:"from"` // RFC 3339
	Measured   int        `json:"measured"`
	Peak       float64    `json:"peak"` // ratio; 0 without measurements
	Curation   schema.Int `json:"saved_by_curation"`
	Compaction schema.Int `json:"saved_by_compaction"`
	Drops      int        `json:"drops"`
	Recovered  int        `json:"recovered"` // those of Dropped that were recovered
}

// slots is the number of Slots in a picture.
const slots = 48

func useOf(lines []schema.LogHealth, k schema.Knobs) WindowUse {
	u := WindowUse{Count: len(lines), Curation: k.CurationTrigger, Compaction: k.CompactionTrigger, Max: k.MaxContext}
	if u.Count == 0 {
		return u
	}
	all := make([]float64, 0, len(lines))
	for _, line := range lines {
		all = append(all, line.PctUsed)
	}
	u.Last = all[len(all)-1]
	slices.Sort(all)
	u.Peak = all[len(all)-1]
	u.Median = (all[(u.Count-1)/2] + all[u.Count/2]) / 2
	return u
}

// overTime computes the time that the lines cover and the Slots.
func (t *Tuning) overTime(logs Logs, fates []fate) {
	var from, to time.Time
	eachTime(logs, fates, func(at time.Time, _ func(*Slot)) {
		if from.IsZero() || at.Before(from) {
			from = at
		}
		if at.After(to) {
			to = at
		}
	})
	t.Slots = []Slot{}
	if from.IsZero() {
		return
	}
	t.From, t.To = schema.FormatTime(from), schema.FormatTime(to)
	long := to.Unix() - from.Unix() + 1 // seconds; a Duration cannot exceed 292 years
	for i := range int64(slots) {
		t.Slots = append(t.Slots, Slot{From: schema.FormatTime(time.Unix(from.Unix()+(long*i+slots-1)/slots, 0))})
	}
	t.Slots[0].From = t.From
	eachTime(logs, fates, func(at time.Time, put func(*Slot)) {
		put(&t.Slots[(at.Unix()-from.Unix())*slots/long])
	})
}

// eachTime yields each line that has a time, with a function that adds it to its Slot.
func eachTime(logs Logs, fates []fate, yield func(time.Time, func(*Slot))) {
	tell := func(timestamp string, put func(*Slot)) {
		if at := timeOf(timestamp); !at.IsZero() {
			yield(at, put)
		}
	}
	for i, d := range logs.Drops {
		tell(d.Timestamp, func(s *Slot) {
			s.Drops++
			if fates[i].recovered {
				s.Recovered++
			}
		})
	}
	for _, c := range logs.Curations {
		tell(c.Timestamp, func(s *Slot) { s.Curation = plus(s.Curation, c.TokenSavings) })
	}
	for _, c := range logs.Compactions {
		tell(c.Timestamp, func(s *Slot) { s.Compaction = plus(s.Compaction, c.TokensBefore-c.TokensAfter) })
	}
	for _, r := range logs.Recoveries {
		tell(r.Timestamp, func(*Slot) {})
	}
	for _, h := range logs.Health {
		tell(h.Timestamp, func(s *Slot) {
			s.Measured++
			s.Peak = max(s.Peak, h.PctUsed)
		})
	}
}
