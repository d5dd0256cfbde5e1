package compact

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/schema"
)

// above is by how many points usage must pass the end of a compaction before
// another may begin.
const above = 5

// The levels, by how full the window is.
var levels = [...]string{"light", "medium", "aggressive", "emergency"}

const (
	light = iota
	medium
	aggressive
	emergency
)

// A window is how full the context window is, in percent, and what that means.
type window struct {
	size   int // tokens; 0: not known
	used   int // tokens
	others int // tokens of what is no message
	usage  float64
	bands  [len(levels)]float64 // where each level begins; 0: the policy has none
	goal   float64              // usage is to fall below it
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

// bandsOf are the levels of a policy. One of curation and hard limit has light,
// medium and emergency.
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

// relevanceBands are the levels of Relevance: those of a policy that has curation
// and a hard limit, else the knobs'.
func (o Options) relevanceBands() (b [len(levels)]float64) {
	percent := func(set, ratio float64) float64 { return cmp.Or(set, math.Round(1e5*ratio)/1e3) }
	b[light] = percent(o.Thresholds.Curation, o.Knobs.CurationTrigger)
	b[medium] = percent(o.Thresholds.Compaction, o.Knobs.CompactionTrigger)
	b[emergency] = percent(o.Thresholds.HardLimit, o.Knobs.MaxContext)
	return b
}

func (w window) percent(tokens int) float64 { return 100 * float64(tokens) / float64(w.size) }

// level is the highest whose threshold is reached; -1 for none.
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

// threshold is where the strategies of the document begin, which is medium.
func (w window) threshold() float64 {
	for _, i := range []int{medium, aggressive, emergency, light} {
		if w.bands[i] > 0 {
			return w.bands[i]
		}
	}
	return 0
}

// waits says why nothing is to be done at a threshold that usage must reach;
// "" where there is something.
func (w window) waits(o Options, threshold float64) string {
	switch {
	case o.Force:
		return ""
	case w.size == 0:
		return "the size of the context window is not known: say a budget, or compact now"
	case w.usage < threshold:
		return fmt.Sprintf("the context window is at %s %%, below the %s %% where this begins; --now does not wait for that", percent(w.usage), percent(threshold))
	case o.Floor > 0 && w.usage < o.Floor+above:
		return fmt.Sprintf("the last compaction ended at %s %%: the next begins %d points above, the window is at %s %%",
			percent(o.Floor), above, percent(w.usage))
	}
	return ""
}

// reaches says whether usage falls below the goal when the messages cost so
// many tokens; where the window is not known, it does.
func (w window) reaches(tokens int) bool {
	return w.size == 0 || w.percent(w.others+tokens) < w.goal
}

// short says why a Plan does not reach the goal; "" where it does.
func (w window) short(tokens int) string {
	if w.reaches(tokens) {
		return ""
	}
	after := w.percent(w.others + tokens)
	if others := w.percent(w.others); others >= w.goal {
		return fmt.Sprintf("usage stays at %s %%, not below %s %%: what else is in the window takes %s %% alone (%s tokens); unload artifacts",
			percent(after), percent(w.goal), percent(others), thousands(w.others))
	}
	return fmt.Sprintf("usage stays at %s %%, not below %s %%: decisions, what is open, and the last messages take %s tokens, and what else is in the window %s; unload artifacts",
		percent(after), percent(w.goal), thousands(tokens), thousands(w.others))
}

// percent writes a percentage with one decimal at most.
func percent(f float64) string {
	return strconv.FormatFloat(math.Round(10*f)/10, 'f', -1, 64)
}

// thousands writes n with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
