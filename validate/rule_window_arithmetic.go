package validate

import (
	"fmt"
	"math"
	"strconv"

	"github.com/forgemind/forgemind/internal/jsonedit"
)

var windowArithmetic = Rule{
	Name:     "window-arithmetic",
	Severity: Warning,
	Summary:  "The window's derived figures contradict its tokens.",
	Help: `Three figures of context_window follow from others:

- available_tokens = total_tokens - used_tokens
- usage_percent = 100 x used_tokens / total_tokens (one decimal at most; rounded is fine)
- needs_compaction = usage is at or above compaction_threshold_percent

Whoever reads the wrong one compacts too early or too late.

Wrong:

    "total_tokens": 200000, "used_tokens": 70000, "available_tokens": 120000

Right:

    "total_tokens": 200000, "used_tokens": 70000, "available_tokens": 130000

To mend it, run ` + "`forgemind validate --fix`" + `, or let the next command that
touches the window do it.
`,
	record: func(d *document) {
		if !d.isState() {
			return
		}
		w, ok := deriveWindow(d)
		if !ok {
			return
		}
		const hint = "run validate --fix; the next write to the window mends it too"
		if w.badAvailable {
			available, _ := d.number(w.available)
			d.at(w.available, fmt.Sprintf("available_tokens is %s, but total_tokens - used_tokens is %s",
				grouped(available), grouped(w.total-w.used)), hint)
		}
		if w.badPercent {
			d.at(w.percent, fmt.Sprintf("usage_percent is %s, but 100 x used_tokens / total_tokens is %s",
				cut(string(d.tape.Raw(w.percent))), w.percentText()), hint)
		}
		if w.badNeeds {
			d.at(w.needs, fmt.Sprintf("needs_compaction is %t, but usage is %s %% and the threshold %s %%",
				!w.wantNeeds, w.percentText(), grouped(w.threshold)), hint)
		}
	},
}

// A window is context_window with the correct values of its derived figures.
type window struct {
	total, used, usage, threshold      float64
	available, percent, needs          int // nodes; -1 if missing or of a wrong kind
	badAvailable, badPercent, badNeeds bool
	wantNeeds                          bool
}

func (w *window) percentText() string {
	return strconv.FormatFloat(math.Round(w.usage*10)/10, 'f', -1, 64)
}

// deriveWindow computes the derived figures. It returns false if their inputs are
// missing.
func deriveWindow(d *document) (w window, ok bool) {
	node := d.tape.Member(0, "context_window")
	total, hasTotal := d.number(d.member(node, "total_tokens"))
	used, hasUsed := d.number(d.member(node, "used_tokens"))
	if !hasTotal || !hasUsed || total <= 0 || used < 0 || len(d.breaches) > 0 && d.broken(node) {
		return w, false
	}
	w.total, w.used, w.usage = total, used, 100*used/total
	w.available, w.percent, w.needs = d.member(node, "available_tokens"), d.member(node, "usage_percent"), d.member(node, "needs_compaction")

	if v, ok := d.number(w.available); ok {
		w.badAvailable = v != total-used && v != max(total-used, 0)
	}
	if v, ok := d.number(w.percent); ok {
		off := math.Abs(v - w.usage)
		// An integer may be rounded up or down.
		w.badPercent = off > 0.1 && (v != math.Trunc(v) || off >= 1)
	}
	if threshold, ok := d.number(d.member(node, "compaction_threshold_percent")); ok {
		w.threshold, w.wantNeeds = threshold, w.usage >= threshold
		kind := d.kindOf(w.needs)
		w.badNeeds = kind == jsonedit.True && !w.wantNeeds || kind == jsonedit.False && w.wantNeeds
	}
	return w, true
}
