package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/schema"
)

// printTuning prints a Tuning. If part is true, it notes that only a part of the logs was used.
func (p *program) printTuning(t health.Tuning, part bool) {
	if t.Empty() {
		p.printf("nothing to tune: %s\n", map[bool]string{false: "the logs are empty", true: "the logs have no line for this time and session"}[part])
		if !part {
			p.printf("What is dropped is logged by 'forgemind compact --now --strategy relevance', and automatically with the policy memfas\n" +
				"(compaction.policy in config.json); come back after a day of work.\n")
		}
		p.printNotes("note: ", t.Notes)
		return
	}
	p.printf("%s", t.Headline())
	if t.Sessions > 0 {
		p.printf(", in %s", count(t.Sessions, "session"))
	}
	p.printf("\n")
	p.printDropCounts(t)
	p.printSavings(t)
	p.printMistakes(t.Recoveries)
	p.printUse(t)
	if len(t.Suggestions) > 0 {
		p.printf("\nwhat the numbers say\n")
		var texts []string
		for _, s := range t.Suggestions {
			texts = append(texts, s.Text)
		}
		p.printNotes("- ", texts)
	}
	if len(t.Notes) > 0 {
		p.printf("\n")
		p.printNotes("note: ", t.Notes)
	}
}

// printNotes prints sentences, each wrapped after a mark.
func (p *program) printNotes(mark string, notes []string) {
	for _, n := range notes {
		text := fill(strings.Fields(inline(n)), " ", strings.Repeat(" ", len(mark)), p.width()-1)
		p.printf("%s%s\n", mark, strings.TrimPrefix(text, strings.Repeat(" ", len(mark))))
	}
}

// A barRow is a line of a chart: a name, a bar and a remark.
type barRow struct {
	name  string
	n     int
	after string
}

// printBars prints a chart. The lengths of bars are relative to the longest.
func (p *program) printBars(rows []barRow) {
	most, names, figures, tails := 0, 0, 0, 0
	for _, r := range rows {
		most = max(most, r.n)
		names, figures = max(names, utf8.RuneCountInString(r.name)), max(figures, len(thousands(r.n)))
		tails = max(tails, utf8.RuneCountInString(r.after))
	}
	cells := min(max(p.width()-names-figures-tails-8, 10), 40)
	for _, r := range rows {
		bar, _ := gauge{percent: 100 * float64(r.n) / float64(max(most, 1)), cells: cells, ascii: p.asciiOnly()}.bar()
		if bar == "" && r.n > 0 { // too small to be drawn
			bar = map[bool]string{true: "-", false: "▏"}[p.asciiOnly()]
		}
		p.printf("  %s%s  %*s", r.name, strings.Repeat(" ", names-utf8.RuneCountInString(r.name)), figures, thousands(r.n))
		if bar != "" {
			p.printf("  ")
			p.out.Paint("36", bar)
		}
		if r.after != "" {
			gap := 2 + cells - utf8.RuneCountInString(bar)
			if bar == "" {
				gap += 2
			}
			p.printf("%s%s", strings.Repeat(" ", gap), r.after)
		}
		p.printf("\n")
	}
}

func (p *program) printDropCounts(t health.Tuning) {
	if t.Drops.Count == 0 {
		return
	}
	p.printf("\ndrops by reason\n")
	var rows []barRow
	reasons, more := few(t.Drops.ByReason)
	for _, r := range reasons {
		rows = append(rows, barRow{name: orNone(r.Reason, 40), n: r.Count})
	}
	p.printBars(rows)
	p.printf("%s", more)
	p.printf("\nrelevance of what was dropped\n")
	dash := "–"
	if p.asciiOnly() {
		dash = "-"
	}
	rows = nil
	for _, b := range t.Drops.Histogram {
		var after []string
		if b.Recovered > 0 {
			after = append(after, fmt.Sprintf("%d recovered", b.Recovered))
		}
		for _, m := range []struct {
			at   float64
			name string
		}{{t.Drops.Cutoff, "RELEVANCE_CUTOFF"}, {t.Drops.Keep, "KEEP_THRESHOLD"}} {
			if b.From <= m.at && (m.at < b.To || b.To == 1 && m.at == 1) {
				after = append(after, fmt.Sprintf("%s %v", m.name, m.at))
			}
		}
		rows = append(rows, barRow{fmt.Sprintf("%.1f%s%.1f", b.From, dash, b.To), b.Count, strings.Join(after, ", ")})
	}
	p.printBars(rows)
	if t.Drops.Unscored > 0 {
		p.printf("  without a score: %d\n", t.Drops.Unscored)
	}
}

// few returns the first rows of a list, and a line about the others. A stranger's words can make
// the list long.
func few[T any](rows []T) ([]T, string) {
	const most = 12
	if len(rows) <= most {
		return rows, ""
	}
	return rows[:most], fmt.Sprintf("  and %d others; --format json has all\n", len(rows)-most)
}

// orNone returns word cut for a list, or a word for an empty one.
func orNone(word string, most int) string {
	if word == "" {
		return "(none)"
	}
	return short(word, most)
}

func (p *program) printSavings(t health.Tuning) {
	if s := t.Curation; s.Count > 0 {
		p.printf("\ntokens saved by curation\n")
		p.printf("  %s in %s: min %s, median %s, mean %s, max %s\n", large(s.Sum), count(s.Count, "run"),
			large(s.Min), decimal(s.Median), decimal(s.Mean), large(s.Max))
	}
	c := t.Compactions
	if c.Count == 0 {
		return
	}
	p.printf("\ntokens saved by compaction\n")
	p.printf("  %-20s %5s %12s %12s %12s\n", "trigger", "runs", "before", "after", "saved")
	row := func(name string, c health.Compacted) {
		p.printf("  %-20s %5d %12s %12s %12s\n", name, c.Count, large(c.Before), large(c.After), large(c.Saved))
	}
	triggers, more := few(c.ByTrigger)
	for _, r := range triggers {
		row(orNone(r.Trigger, 20), r.Compacted)
	}
	p.printf("%s", more)
	if len(triggers) > 1 {
		row("all", c.Compacted)
	}
}

func large(n schema.Int) string { return thousands(int(n)) }

// decimal returns f with grouped digits and at most one decimal.
func decimal(f float64) string {
	tenth := strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0")
	whole, rest, some := strings.Cut(tenth, ".")
	n, _ := strconv.Atoi(whole)
	if whole = thousands(n); some {
		whole += "." + rest
	}
	return whole
}

func (p *program) printMistakes(r health.Recoveries) {
	if r.All.Drops == 0 && r.Count == 0 && r.Summarized.Recovered == 0 {
		return
	}
	p.printf("\ndrops that had to be recovered\n")
	p.printf("  %-28s %7s %10s %7s %8s %10s\n", "", "drops", "recovered", "rate", "by hand", "by itself")
	row := func(name string, m health.Mistakes) {
		p.printf("  %-28s %7d %10d %6.1f%% %8d %10d\n", name, m.Drops, m.Recovered, 100*m.Rate, m.Manual, m.Automatic)
	}
	row("all", r.All)
	if r.Summarized.Drops > 0 {
		row("summarized instead", r.Summarized)
	}
	reasons, more := few(r.ByReason)
	for _, m := range reasons {
		row(orNone(m.Of, 28), m.Mistakes)
	}
	p.printf("%s", more)
	p.printSettings(r.ByKnobs, row)
	if r.Unknown > 0 {
		p.printf("  and %s of chunks without a drop record (older than the logs)\n", recoveries(r.Unknown))
	}
}

func recoveries(n int) string {
	if n == 1 {
		return "1 recovery"
	}
	return fmt.Sprintf("%d recoveries", n)
}

// printSettings prints the rates for different settings of the knobs, if there were several. Each
// is described by the values that differ.
func (p *program) printSettings(all []health.Mistake, row func(string, health.Mistakes)) {
	all = slices.DeleteFunc(slices.Clone(all), func(m health.Mistake) bool { return m.Of == "" })
	if len(all) < 2 {
		return
	}
	times := map[string]int{}
	for _, m := range all {
		for field := range strings.FieldsSeq(m.Of) {
			times[field]++
		}
	}
	shown, more := few(all)
	for _, m := range shown {
		own := slices.DeleteFunc(strings.Fields(m.Of), func(field string) bool { return times[field] == len(all) })
		p.printf("  by %s\n", strings.TrimSpace(fill(own, " ", "     ", p.width()-1)))
		row("", m.Mistakes)
	}
	p.printf("%s", more)
}

// printUse prints charts of the window's usage and of the tokens saved.
func (p *program) printUse(t health.Tuning) {
	if t.Window.Count == 0 {
		return
	}
	p.printf("\nhow full the window was\n")
	peaks := make([]float64, len(t.Slots))
	for i, s := range t.Slots {
		if peaks[i] = -1; s.Measured > 0 {
			peaks[i] = min(max(s.Peak, 0), 1)
		}
	}
	if len(peaks) > 0 {
		p.printf("  ")
		p.out.Paint("36", spark(peaks, p.asciiOnly()))
		p.printf("\n")
	}
	p.printf("  max %s %%, median %s %%, latest %s %%, in %s\n", tenths(t.Window.Peak), tenths(t.Window.Median), tenths(t.Window.Last),
		count(t.Window.Count, "measurement"))
}

// tenths returns a ratio in percent with at most one decimal.
func tenths(ratio float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", 100*ratio), ".0")
}

// spark returns a chart of ratios on one line. A negative ratio is a gap.
func spark(ratios []float64, ascii bool) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	if ascii {
		levels = []rune("_.:-=+*#")
	}
	var line strings.Builder
	for _, r := range ratios {
		if r < 0 {
			line.WriteByte(' ')
			continue
		}
		line.WriteRune(levels[min(int(r*float64(len(levels))), len(levels)-1)])
	}
	return line.String()
}
