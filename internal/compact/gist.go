package compact

import (
	"cmp"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/text"
)

// The most lines of the sections.
const (
	mostLines  = 60
	mostFiles  = 500
	mostDone   = 12
	mostTools  = 40
	mostBefore = 5

	mostOutside = 500
)

// A gist is the content of a summary before it is cut to the available room.
type gist struct {
	from, to, of        int    // the range, counted from 1, and the length of the talk
	since, until        string // the times of the first and the last in the range
	summarised, dropped int
	kept                int  // in the range
	before              int  // messages that left before
	tokens              int  // of the messages that leave
	open                int  // questions in earlier summaries
	asked               int  // open questions that stay and are not repeated in the summary
	pointer             bool // an earlier summary only refers to cold storage

	requests, decisions, questions, clarifications []string
	layers, files, done, earlier, outside          []string
	mentioned, identifiers, commands, errors       []string // see addNames

	tools map[string]int
	cut   map[string]int     // number of lines left out, by the title of the section
	worth map[string]float64 // how informative a request is; those of earlier summaries are not in it
}

// gist collects the content of a summary of the messages that leave. It names the decisions
// and questions among them, although they stay.
func (t *talk) gist() *gist {
	g := &gist{tools: map[string]int{}, cut: map[string]int{}, worth: map[string]float64{}, of: len(t.messages)}
	here := map[string]bool{} // questions that are still messages
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
			g.asked++ // its text stays in the conversation
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
	t.addNames(g)
	g.nameOutside(t.outside)
	g.done = append(g.done, t.best()...)
	g.bound()
	return g
}

// tell adds the content of one message in the range.
func (t *talk) tell(g *gist, i int) {
	m := &t.messages[i]
	if m.Timestamp != "" && m.kind != Summary {
		g.until = m.Timestamp
		g.since = cmp.Or(g.since, g.until)
	}
	switch { // by Relevance each stays, or is named as outside; of a long one, the decision is quoted
	case m.kind != Decision:
	case t.o.Strategy != Relevance:
		g.decisions = append(g.decisions, named(m, decisionLength))
	case m.verdict != Kept && m.isLong():
		quoted := *m
		quoted.Content = statement(m.Content, t.o.Phrases)
		g.decisions = append(g.decisions, named(&quoted, requestLength))
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

// statement returns the sentence of a long text that contains one of phrases, or all of
// the text.
func statement(content string, phrases []string) string {
	for line := range strings.Lines(head(content, longest)) {
		for _, sentence := range text.Sentences(line) {
			if saysOneOf(sentence, phrases) {
				return sentence
			}
		}
	}
	return content
}

// named returns a message with its id and its text.
func named(m *message, most int) string {
	text := oneLine(m.Content, most)
	if id := oneLine(m.ID, 100); id != "" {
		return strings.TrimSpace(id + ": " + text)
	}
	return point(text)
}

// exchange returns a short form of a clarification: question → answer.
func (t *talk) exchange(m *message) string {
	answer := oneLine(m.Content, exchangeLength)
	if m.answered < 0 {
		return point(answer)
	}
	question := t.messages[m.answered].Content
	return point(oneLine(lastSentence(question), exchangeLength) + " → " + answer)
}

// lastSentence returns the question at the end of a longer text.
func lastSentence(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.LastIndexAny(text[:max(0, len(text)-2)], ".!\n"); i >= 0 && len(text)-i > 8 {
		return text[i+1:]
	}
	return text
}

// best returns the most informative sentences of the agents, in order of time.
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

// sentences returns the sentences of a text that can stand alone: no code, no headings,
// neither very short nor very long.
func sentences(s string) (out []string) {
	code := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|") {
			continue
		}
		line = strings.TrimLeft(line, "-*>• ")
		for _, sentence := range text.Sentences(line) {
			sentence = strings.TrimSpace(sentence)
			if len(sentence) >= 30 && len(sentence) <= 240 && !strings.HasSuffix(sentence, "?") && !strings.HasSuffix(sentence, ":") {
				out = append(out, sentence)
			}
		}
	}
	return out
}

// bound removes duplicate lines and limits their number: the newest stay, and the requests
// with the largest weight.
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
		{commandsTitle, &g.commands, mostCommands},
		{errorsTitle, &g.errors, mostErrors},
	} {
		lines := once(*s.lines)
		if over := len(lines) - s.most; over > 0 {
			g.cut[s.title] += over
			lines = lines[over:]
		}
		*s.lines = lines
	}
	for _, names := range []*[]string{&g.mentioned, &g.identifiers} { // the first are the most important
		*names = once(*names)
		*names = (*names)[:min(len(*names), mostNames)]
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

// once returns lines without duplicates.
func once(lines []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(lines, func(line string) bool {
		again := seen[line] || line == ""
		seen[line] = true
		return again
	})
}
