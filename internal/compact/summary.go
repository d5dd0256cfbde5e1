package compact

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
	"github.com/forgemind/forgemind/schema"
)

// title begins every summary that this package writes.
const title = "# Session summary"

// The headings of a summary.
const (
	requestsTitle       = "Asked by the user"
	decisionsTitle      = "Decisions"
	questionsTitle      = "Open questions"
	clarificationsTitle = "Clarifications"
	layersTitle         = "Layer changes"
	doneTitle           = "Done"
	filesTitle          = "Files changed"
	toolsTitle          = "Tools used"
	earlierTitle        = "Earlier"
	mentionedTitle      = "Files mentioned"
	identifiersTitle    = "Names in the code"
	commandsTitle       = "Commands run"
	errorsTitle         = "Errors seen"
	outsideTitle        = "Outside of this text" // decisions and the like that exceed a budget, by their ids
)

// The maximum lengths of lines of a summary, in bytes.
const (
	requestLength  = 200
	exchangeLength = 110 // each half of it
	decisionLength = 2000
	layerLength    = 200
	earlierLength  = 300
)

const (
	pointerLimit = 32   // tokens that a summary may always have
	summaryMost  = 8000 // most tokens of a summary
)

// summaryLimit returns the maximum tokens of a summary of messages with the given
// tokens.
func summaryLimit(tokens int) int {
	return min(summaryMost, max(pointerLimit, min(tokens*3/4, tokens/2+100)))
}

// summary returns the markdown for the removed messages, with at most limit tokens if
// possible, and its tokens.
func (t *talk) summary(limit int) (text string, cost int) {
	g := t.gist()
	if len(g.outside) > 0 && t.o.Count(title+g.covered(limit)+"\n## "+outsideTitle+"\n\n- "+strings.Join(g.outside, ", ")) > limit {
		return t.shortest(g, limit)
	}
	for room := limit; room > pointerLimit; room -= max(8, limit/16, cost-limit) {
		text, cost = g.write(room, t.o.Count)
		if cost <= limit {
			return text, cost
		}
	}
	return t.shortest(g, limit)
}

// A section is a part of a summary.
type section struct {
	title string
	lines []string
	first []int   // the lines in order of importance; nil: as they are
	share float64 // of the summary, while other sections need room
	cut   int     // lines that were left out before
	row   bool    // its lines are joined into one line
}

// write renders a gist in about limit tokens, and counts them.
func (g *gist) write(limit int, count func(string) int) (string, int) {
	sections := g.sections()
	head := g.covered(limit)
	brief := count(title+head) > limit/3 // the work done is more important than the figures
	if brief {
		head = g.inCold()
	}
	taken := g.choose(sections, limit-count(title+head)-2, count)
	var body strings.Builder
	for s := range sections {
		writeSection(&body, &sections[s], taken[s])
	}
	if brief {
		text := title + "\n\n" + head + body.String()
		return text, count(text)
	}
	// The summary states its own cost, which depends on that number.
	cost := limit
	for range 6 {
		text := title + "\n\n" + g.covered(cost) + body.String()
		n := count(text)
		if n == cost {
			return text, n
		}
		cost = n
	}
	text := title + "\n\n" + g.covered(0) + body.String()
	return text, count(text)
}

// choose returns for each section which lines have room: each gets its share, and the rest
// goes to the first sections that need it.
func (g *gist) choose(sections []section, room int, count func(string) int) [][]bool {
	taken := make([][]bool, len(sections))
	next := make([]int, len(sections))
	const more = 12 // tokens for the number of lines left out
	pass := func(s, quota int) (spent int) {
		sec := &sections[s]
		for ; next[s] < len(sec.lines); next[s]++ {
			line := next[s]
			if sec.first != nil {
				line = sec.first[line]
			}
			cost := count("- " + sec.lines[line] + "\n")
			if sec.title != toolsTitle && sec.row {
				cost = count(sec.lines[line] + ", ")
			}
			if next[s] == 0 {
				cost += count("\n## "+sec.title+"\n\n") + more
			}
			if spent+cost > quota {
				break
			}
			taken[s][line] = true
			spent += cost
		}
		return spent
	}
	whole := room
	for s := range sections {
		taken[s] = make([]bool, len(sections[s].lines))
		room -= pass(s, min(room, int(sections[s].share*float64(whole))))
	}
	for s := range sections {
		room -= pass(s, room)
	}
	return taken
}

func writeSection(b *strings.Builder, s *section, taken []bool) {
	var lines []string
	for i, line := range s.lines {
		if taken[i] {
			lines = append(lines, line)
		}
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", s.title)
	left := s.cut + len(s.lines) - len(lines)
	if s.row {
		b.WriteString("- " + point(strings.Join(lines, ", ")))
		if left > 0 {
			fmt.Fprintf(b, ", and %d more", left)
		}
		b.WriteByte('\n')
		return
	}
	for _, line := range lines {
		b.WriteString("- " + line + "\n")
	}
	if left > 0 {
		fmt.Fprintf(b, "- … and %d more, see cold storage\n", left)
	}
}

// covered returns the line about the summarized messages and the tokens of the summary;
// 0 leaves the tokens out.
func (g *gist) covered(cost int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Messages %s–%s of %s", text.Thousands(g.from), text.Thousands(g.to), text.Thousands(g.of))
	if g.since != "" {
		b.WriteString(", " + span(g.since, g.until))
	}
	fmt.Fprintf(&b, ": %s summarised, %s dropped", text.Thousands(g.summarised), text.Thousands(g.dropped))
	if g.kept > 0 {
		fmt.Fprintf(&b, ", %s kept below", text.Thousands(g.kept))
	}
	b.WriteString(".")
	if cost > 0 {
		fmt.Fprintf(&b, " %s tokens became %s (ratio %.1f).", text.Thousands(g.tokens), text.Thousands(cost), float64(g.tokens)/float64(cost))
	}
	b.WriteString(" What left is in cold storage.")
	if open := len(g.questions) + g.cut[questionsTitle] + g.asked; open > 0 {
		fmt.Fprintf(&b, " %s open.", are(open, "question"))
	}
	if g.before > 0 {
		fmt.Fprintf(&b, " %s more had left before.", text.Thousands(g.before))
	}
	return b.String() + "\n"
}

// span formats a period, to the minute.
func span(since, until string) string {
	a, errA := schema.ParseTime(since)
	b, errB := schema.ParseTime(until)
	if errA != nil || errB != nil {
		return oneLine(since, 40) + " to " + oneLine(until, 40)
	}
	const day, minute = "2006-01-02", "15:04"
	a, b = a.UTC(), b.UTC()
	end := b.Format(minute)
	if a.Format(day) != b.Format(day) {
		end = b.Format(day + " " + minute)
	}
	return a.Format(day+" "+minute) + " to " + end
}

func are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return text.Thousands(n) + " " + noun + "s are"
}

// sections returns the sections of a summary in order, which is also their priority.
func (g *gist) sections() []section {
	return []section{
		{title: outsideTitle, lines: g.outside, share: 1, cut: g.cut[outsideTitle], row: true},
		{title: requestsTitle, lines: g.requests, first: g.weightiest(), share: 0.25, cut: g.cut[requestsTitle]},
		{title: decisionsTitle, lines: g.decisions, first: newest(len(g.decisions)), share: 0.3, cut: g.cut[decisionsTitle]},
		{title: questionsTitle, lines: g.questions, share: 0.15},
		{title: clarificationsTitle, lines: g.clarifications, first: newest(len(g.clarifications)), share: 0.1, cut: g.cut[clarificationsTitle]},
		{title: layersTitle, lines: g.layers, first: newest(len(g.layers)), share: 0.1, cut: g.cut[layersTitle]},
		{title: filesTitle, lines: g.files, first: newest(len(g.files)), share: 0.6, cut: g.cut[filesTitle]},
		{title: mentionedTitle, lines: g.mentioned, share: 0.15, row: true},
		{title: identifiersTitle, lines: g.identifiers, share: 0.3, row: true},
		{title: commandsTitle, lines: g.commands, first: newest(len(g.commands)), share: 0.2, cut: g.cut[commandsTitle]},
		{title: errorsTitle, lines: g.errors, first: newest(len(g.errors)), share: 0.15, cut: g.cut[errorsTitle]},
		{title: toolsTitle, lines: g.toolCounts(), share: 0.05, row: true},
		{title: doneTitle, lines: g.done, first: newest(len(g.done)), share: 0.1, cut: g.cut[doneTitle]},
		{title: earlierTitle, lines: g.earlier, share: 0.1, cut: g.cut[earlierTitle]},
	}
}

func newest(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = n - 1 - i
	}
	return order
}

// weightiest returns the first request, which states the purpose, the three newest, and then
// the most informative ones.
func (g *gist) weightiest() []int {
	order := newest(len(g.requests))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(g.rank(b), g.rank(a)) })
	return order
}

func (g *gist) rank(request int) float64 {
	if n := len(g.requests); request == 0 || request >= n-3 {
		return math.Inf(1)
	}
	return g.worth[g.requests[request]]
}

// toolCounts returns the tools, most used first.
func (g *gist) toolCounts() []string {
	type used struct {
		tool string
		n    int
	}
	var all []used
	for tool, n := range g.tools {
		all = append(all, used{tool, n})
	}
	slices.SortFunc(all, func(a, b used) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.tool, b.tool)) })
	lines := make([]string, 0, len(all))
	for _, u := range all[:min(len(all), mostTools)] {
		lines = append(lines, fmt.Sprintf("%s %s", u.tool, text.Thousands(u.n)))
	}
	return lines
}
