package triggers

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// For all sequences of changes: the same change again fires nothing, a change of a
// value fires no trigger that does not use it, and Fire is deterministic.
func TestFireProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		set, other := Load(Defaults()), Load(Defaults())
		var record Record
		var last *Values
		at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
		sinceUsage := -1.0 // lowest usage since the window trigger fired
		for range rapid.IntRange(1, 30).Draw(rt, "changes") {
			now := Values{
				Layer:   rapid.IntRange(0, 2).Draw(rt, "layer"),
				Clarity: float64(rapid.IntRange(0, 40).Draw(rt, "clarity")),
				Usage:   float64(rapid.IntRange(55, 90).Draw(rt, "usage")),
			}
			if last != nil && rapid.Bool().Draw(rt, "same") {
				now = *last
			}
			at = at.Add(time.Duration(rapid.IntRange(-2000, 4000).Draw(rt, "ms")) * time.Millisecond)
			c := Change{Now: now, At: at, Own: rapid.Bool().Draw(rt, "own")}
			if rapid.Bool().Draw(rt, "before") {
				c.Before = last
			}
			out, second := set.Fire(record, c), other.Fire(record, c)
			if encode(t, out.Record) != encode(t, second.Record) || len(out.Firings) != len(second.Firings) {
				rt.Fatalf("two equal calls differ: %+v, %+v", out, second)
			}
			if sinceUsage >= 0 {
				sinceUsage = min(sinceUsage, now.Usage)
			}
			for _, f := range out.Firings {
				switch f.Trigger {
				case "layer_transition":
					if last == nil || f.Previous.Layer == now.Layer {
						rt.Fatalf("fired without a change: %+v", f)
					}
				case "context_window_threshold":
					if now.Usage <= 70 || sinceUsage >= 0 && now.Usage < sinceUsage+5 {
						rt.Fatalf("fired at usage %v, the lowest since the last firing is %v", now.Usage, sinceUsage)
					}
					sinceUsage = now.Usage
				case "boss_major_decision", "backtrack_initiated", "session_end":
					rt.Fatalf("fired without an event: %+v", f)
				}
			}
			again := set.Fire(out.Record, c)
			if len(again.Firings) > 0 || encode(t, again.Record) != encode(t, out.Record) {
				rt.Fatalf("fired twice for one change: %+v", again)
			}
			record, last = out.Record, &now
		}
	})
}
