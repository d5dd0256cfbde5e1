package dash

import (
	"slices"
	"time"

	"github.com/forgemind/forgemind/schema"
)

// A timeline holds the numbers of decisions over time.
type timeline struct {
	Unit string    `json:"unit"` // day, month or year
	Bins []stretch `json:"bins"` // oldest first, without gaps
}

// A stretch is one day, month or year of a timeline.
type stretch struct {
	From       string `json:"from"` // yyyy-mm-dd
	Holding    int    `json:"holding"`
	Superseded int    `json:"superseded"`
}

// mostBins is the largest number of stretches of a timeline. For a longer time the last ones are
// kept.
const mostBins = 60

// timelineOf counts decisions by the finest unit with few enough stretches.
func timelineOf(newest []decision) timeline {
	var first, last time.Time
	taken := make([]time.Time, len(newest))
	for i, d := range newest {
		at, err := schema.ParseTime(d.Timestamp)
		if err != nil {
			continue
		}
		taken[i] = at.UTC()
		if first.IsZero() || at.Before(first) {
			first = taken[i]
		}
		if at.After(last) {
			last = taken[i]
		}
	}
	t := timeline{Bins: []stretch{}}
	if first.IsZero() {
		return t
	}
	var begin func(time.Time) time.Time
	var next func(time.Time, int) time.Time
	for _, unit := range []struct {
		name  string
		begin func(time.Time) time.Time
		next  func(time.Time, int) time.Time
	}{
		{"day", func(at time.Time) time.Time { return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC) },
			func(at time.Time, n int) time.Time { return at.AddDate(0, 0, n) }},
		{"month", func(at time.Time) time.Time { return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC) },
			func(at time.Time, n int) time.Time { return at.AddDate(0, n, 0) }},
		{"year", func(at time.Time) time.Time { return time.Date(at.Year(), 1, 1, 0, 0, 0, 0, time.UTC) },
			func(at time.Time, n int) time.Time { return at.AddDate(n, 0, 0) }},
	} {
		t.Unit, begin, next = unit.name, unit.begin, unit.next
		if !next(begin(first), mostBins-1).Before(begin(last)) {
			break
		}
	}
	start := begin(last)
	for n := 1; n < mostBins && start.After(begin(first)); n++ {
		start = next(start, -1)
	}
	at := map[time.Time]int{}
	for from := start; !from.After(last); from = next(from, 1) {
		at[from] = len(t.Bins)
		t.Bins = append(t.Bins, stretch{From: from.Format(time.DateOnly)})
	}
	for i, when := range taken {
		k, within := at[begin(when)]
		switch {
		case when.IsZero() || !within:
		case newest[i].SupersededBy == "":
			t.Bins[k].Holding++
		default:
			t.Bins[k].Superseded++
		}
	}
	return timeline{t.Unit, slices.Clip(t.Bins)}
}
