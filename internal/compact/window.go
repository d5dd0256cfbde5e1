package compact

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// above is the number of points by which usage must exceed the end of a compaction
// before the next one.
const above = 5

// The levels, by the usage of the window.
var levels = [...]string{"light", "medium", "aggressive", "emergency"}

const (
	light = iota
	medium
	aggressive
	emergency
)

// A window is the usage of the context window, in percent, with the levels of the
// policy.
type window struct {
	size   int // tokens; 0: not known
	used   int // tokens
	others int // tokens that are not of messages
	usage  float64
	bands  [len(levels)]float64 // the percentage at which each level begins; 0: the policy has none
	goal   float64              // usage must fall below it
}

func (t *talk) window() window {
	o := t.o
	w := window{size: max(0, o.Window), used: max(o.Used, t.tokens)}
	w.others = w.used - t.tokens
	if w.size > 0 {
		w.usage = w.percent(w.used)
	}
	if w.bands = bandsOf(o.Thresholds); o.Strategy == Relevance {
		w.bands = o.relevanceBands()
	}
	if w.bands == [len(levels)]float64{} {
		w.bands = bandsOf(schema.Policies()[schema.PolicyForgemind])
	}
	for _, b := range w.bands {
		if b > 0 && (w.goal == 0 || b < w.goal) {
			w.goal = b
		}
	}
	return w
}

// bandsOf returns the levels of a policy. A policy with curation and hard limit has
// light, medium and emergency.
func bandsOf(t schema.Thresholds) (b [len(levels)]float64) {
	b[light], b[medium], b[aggressive], b[emergency] = t.Light, t.Medium, t.Aggressive, t.Emergency
	if b[light] == 0 {
		b[light] = t.Curation
	}
	if b[medium] == 0 {
		b[medium] = t.Compaction
	}
	if b[emergency] == 0 {
		b[emergency] = t.HardLimit
	}
	for i, f := range b {
		if !(f > 0) {
			b[i] = 0
		}
	}
	return b
}

// relevanceBands returns the levels of Relevance: those of a policy with curation and
// hard limit, else those of the knobs.
func (o Options) relevanceBands() (b [len(levels)]float64) {
	percent := func(set, ratio float64) float64 { return cmp.Or(set, math.Round(1e5*ratio)/1e3) }
	b[light] = percent(o.Thresholds.Curation, o.Knobs.CurationTrigger)
	b[medium] = percent(o.Thresholds.Compaction, o.Knobs.CompactionTrigger)
	b[emergency] = percent(o.Thresholds.HardLimit, o.Knobs.MaxContext)
	return b
}

func (w window) percent(tokens int) float64 { return 100 * float64(tokens) / float64(w.size) }

// level returns the highest level whose threshold is reached, -1 for none.
func (w window) level() int {
	reached := -1
	for i, b := range w.bands {
		if w.size > 0 && b > 0 && w.usage >= b {
			reached = i
		}
	}
	return reached
}

func (w window) alert() bool { return w.level() == emergency }

// threshold returns the threshold of the document's strategies, which is that of
// medium.
func (w window) threshold() float64 {
	for _, i := range []int{medium, aggressive, emergency, light} {
		if w.bands[i] > 0 {
			return w.bands[i]
		}
	}
	return 0
}

// waits returns why there is nothing to do at a threshold; "" if usage reaches it.
func (w window) waits(o Options, threshold float64) string {
	switch {
	case o.Force:
		return ""
	case w.size == 0:
		return "the size of the context window is not known: say a budget, or compact now"
	case w.usage < threshold:
		return fmt.Sprintf("the context window is at %s %%, below the %s %% where this begins", percent(w.usage), percent(threshold))
	case o.Floor > 0 && w.usage < o.Floor+above:
		return fmt.Sprintf("the last compaction ended at %s %%: the next begins %d points above, the window is at %s %%",
			percent(o.Floor), above, percent(w.usage))
	}
	return ""
}

// reaches reports whether usage falls below the goal if the messages have the given
// tokens. It is true if the size of the window is unknown.
func (w window) reaches(tokens int) bool {
	return w.size == 0 || w.percent(w.others+tokens) < w.goal
}

// short returns why a Plan does not reach the goal; "" if it does.
func (w window) short(tokens int) string {
	if w.reaches(tokens) {
		return ""
	}
	after := w.percent(w.others + tokens)
	if others := w.percent(w.others); others >= w.goal {
		return fmt.Sprintf("usage stays at %s %%, not below %s %%: what else is in the window takes %s %% alone (%s tokens); unload artifacts",
			percent(after), percent(w.goal), percent(others), text.Thousands(w.others))
	}
	return fmt.Sprintf("usage stays at %s %%, not below %s %%: decisions, open items and the last messages take %s tokens, and the rest of the window %s; unload artifacts",
		percent(after), percent(w.goal), text.Thousands(tokens), text.Thousands(w.others))
}

// percent formats a percentage with at most one decimal.
func percent(f float64) string {
	return strconv.FormatFloat(math.Round(10*f)/10, 'f', -1, 64)
}
