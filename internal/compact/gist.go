package compact

import (
	"cmp"
	"slices"
	"strings"
)

// How many lines of a section there may be.
const (
	mostLines  = 60
	mostFiles  = 500
	mostDone   = 12
	mostTools  = 40
	mostBefore = 5

	mostOutside = 500
)

// A gist is what a summary says, before it is known how much there is room for.
type gist struct {
	from, to, of        int    // the range, counted from 1, and the length of the talk
	since, until        string // the times of the first and the last in the range
	summarised, dropped int
	kept                int  // in the range
	before              int  // messages that had left already
	tokens              int  // of what leaves
	open                int  // questions that earlier summaries count
	asked               int  // open questions that stay and are not repeated
	pointer             bool // an earlier summary says no more than that there was something

	requests, decisions, questions, clarifications []string
	layers, files, done, earlier, outside          []string

	tools map[string]int
	cut   map[string]int     // lines left out, by the title of the section
	worth map[string]float64 // how much a request tells; those of earlier summaries have none
}

// gist gathers what a summary of what leaves is to say. Decisions and questions
// are named with what left around them, although they stay.
func (t *talk) gist() *gist {
	g := &gist{tools: map[string]int{}, cut: map[string]int{}, worth: map[string]float64{}, of: len(t.messages)}
	here := map[string]bool{} // questions that are messages still
	first, last := -1, -1
	for i := range t.messages {
		m := &t.messages[i]
		if m.kind == Question || m.kind == Decision {
			here[m.ID] = true
		}
		if m.verdict == Kept {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
	}
	for i := range t.messages {
		if m := &t.messages[i]; m.kind == Summary && m.verdict != Kept {
			g.merge(m.Content, here)
		}
	}
	for i := range last + 1 {
		switch m := &t.messages[i]; {
		case m.kind != Question || !m.open:
		case t.o.Strategy == Relevance && m.verdict == Kept:
			g.asked++ // its words stand below
		default:
			g.questions = append(g.questions, named(m, decisionLength))
		}
	}
	for i := first; i <= last; i++ {
		t.tell(g, i)
	}
	g.from, g.to = first+1, last+1
	for _, path := range t.changed(func(m *message) bool { return m.verdict != Kept }) {
		g.files = append(g.files, point(path))
	}
	g.nameOutside(t.outside)
	g.done = append(g.done, t.best()...)
	g.bound()
	return g
}

// tell adds what there is to say of one message in the range.
func (t *talk) tell(g *gist, i int) {
	m := &t.messages[i]
	if m.Timestamp != "" && m.kind != Summary {
		g.until = m.Timestamp
		g.since = cmp.Or(g.since, g.until)
	}
	if m.kind == Decision && t.o.Strategy != Relevance { // by Relevance each stays, or is named as one that is outside
		g.decisions = append(g.decisions, named(m, decisionLength))
	}
	if m.verdict == Kept {
		if m.kind != Summary {
			g.kept++
		}
		return
	}
	g.tokens += m.tokens
	switch {
	case m.kind == Summary:
		return
	case m.verdict == Dropped:
		g.dropped++
	default:
		g.summarised++
	}
	switch m.kind {
	case ToolOutput:
		g.tools[cmp.Or(oneLine(m.ToolName, 60), "tool")]++
	case Clarification:
		g.clarifications = append(g.clarifications, t.exchange(m))
	case LayerChange:
		g.layers = append(g.layers, point(oneLine(m.Content, layerLength)))
	case Message, Question:
		if m.Role == "user" {
			request := point(oneLine(m.Content, requestLength))
			g.requests = append(g.requests, request)
			g.worth[request] = max(g.worth[request], m.density)
		}
	}
}

// named is a message by its id and its text.
func named(m *message, most int) string {
	text := oneLine(m.Content, most)
	if id := oneLine(m.ID, 100); id != "" {
		return strings.TrimSpace(id + ": " + text)
	}
	return point(text)
}

// exchange is a clarification in short: question → answer.
func (t *talk) exchange(m *message) string {
	answer := oneLine(m.Content, exchangeLength)
	if m.answered < 0 {
		return point(answer)
	}
	question := t.messages[m.answered].Content
	return point(oneLine(lastSentence(question), exchangeLength) + " → " + answer)
}

// lastSentence is the question that a longer text ends with.
func lastSentence(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndexAny(text[:max(0, len(text)-2)], ".!\n"); i >= 0 && len(text)-i > 8 {
		return text[i+1:]
	}
	return text
}

// best are sentences of what the agents said that tell most, in order of time.
func (t *talk) best() []string {
	type said struct {
		at    int
		text  string
		worth float64
	}
	var all []said
	for i := range t.messages {
		m := &t.messages[i]
		if m.verdict == Kept || m.user || m.kind != Message || isCall(m.Message) || callName.MatchString(head(m.Content, 200)) && strings.Contains(head(m.Content, 200), `{"`) {
			continue
		}
		s := said{at: i}
		for _, sentence := range sentences(head(m.Content, 4<<10)) {
			if worth := t.weighing.of(sentence) / float64(len(sentence)+40); worth > s.worth {
				s.text, s.worth = sentence, worth
			}
		}
		if s.text != "" {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(b.worth, a.worth) })
	all = all[:min(len(all), mostDone)]
	slices.SortFunc(all, func(a, b said) int { return cmp.Compare(a.at, b.at) })
	var lines []string
	for _, s := range all {
		if line := point(oneLine(s.text, requestLength)); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// sentences are those of a text that can stand alone: no code, no headings,
// neither very short nor very long.
func sentences(text string) (out []string) {
	code := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") {
			continue
		}
		line = strings.TrimLeft(line, "-*>• ")
		for line != "" {
			end := len(line)
			for i := 0; i+1 < len(line); i++ {
				if strings.IndexByte(".!?", line[i]) >= 0 && line[i+1] == ' ' {
					end = i + 1
					break
				}
			}
			sentence := strings.TrimSpace(line[:end])
			line = strings.TrimSpace(line[end:])
			if len(sentence) >= 30 && len(sentence) <= 240 && !strings.HasSuffix(sentence, "?") && !strings.HasSuffix(sentence, ":") {
				out = append(out, sentence)
			}
		}
	}
	return out
}

// bound takes the lines out that stand twice, and those that are too many: the
// newest stay, and of what was asked the weightiest.
func (g *gist) bound() {
	for _, s := range []struct {
		title string
		lines *[]string
		most  int
	}{
		{decisionsTitle, &g.decisions, 2 * mostLines},
		{questionsTitle, &g.questions, 2 * mostLines},
		{clarificationsTitle, &g.clarifications, mostLines},
		{layersTitle, &g.layers, mostLines},
		{filesTitle, &g.files, mostFiles},
		{doneTitle, &g.done, 2 * mostDone},
		{earlierTitle, &g.earlier, mostBefore},
	} {
		lines := once(*s.lines)
		if over := len(lines) - s.most; over > 0 {
			g.cut[s.title] += over
			lines = lines[over:]
		}
		*s.lines = lines
	}
	g.requests = once(g.requests)
	if over := len(g.requests) - mostLines; over > 0 {
		g.cut[requestsTitle] += over
		best := g.weightiest()[:mostLines]
		slices.Sort(best)
		for i, at := range best {
			g.requests[i] = g.requests[at]
		}
		g.requests = g.requests[:mostLines]
	}
}

// once is lines without those that stood there before.
func once(lines []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(lines, func(line string) bool {
		again := seen[line] || line == ""
		seen[line] = true
		return again
	})
}
