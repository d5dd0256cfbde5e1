package compact

import "strings"

// outsideCost returns the tokens for naming the messages that stay whatever their score
// and do not fit, including those that an earlier summary names.
func (t *talk) outsideCost() int {
	g := gist{tools: map[string]int{}, cut: map[string]int{}}
	for i := range t.messages {
		if m := &t.messages[i]; m.kind == Summary {
			g.merge(m.Content, nil)
		}
	}
	g.nameOutside(t.outside)
	if len(g.outside) == 0 {
		return 0
	}
	return t.o.Count(title + "\n\n" + are(len(t.messages), "message") + " in cold storage. 1,000 questions are open.\n" + "\n## " + outsideTitle + "\n\n- " + strings.Join(g.outside, ", ") + ", and 1,000 more\n")
}

func outsideID(m *message) string { return oneLine(m.ID, 100) }

// nameOutside names messages that are outside of the text, before those that an
// earlier summary names.
func (g *gist) nameOutside(messages []*message) {
	ids := make([]string, 0, len(messages)+len(g.outside))
	for _, m := range messages {
		ids = append(ids, outsideID(m))
	}
	g.outside = once(append(ids, g.outside...))
	if over := len(g.outside) - mostOutside; over > 0 {
		g.cut[outsideTitle] += over
		g.outside = g.outside[:mostOutside]
	}
}

// shortest returns the summary that contains only the number of removed messages and as
// many ids of protected messages as fit.
func (t *talk) shortest(g *gist, limit int) (text string, cost int) {
	head := title + "\n\n" + g.inCold()
	text = head
	for n := len(g.outside); n > 0; n /= 2 {
		var b strings.Builder
		b.WriteString(head)
		taken := make([]bool, len(g.outside))
		for i := range n {
			taken[i] = true
		}
		writeSection(&b, &section{title: outsideTitle, lines: g.outside, row: true, cut: g.cut[outsideTitle]}, taken)
		if cost = t.o.Count(b.String()); cost <= limit {
			return b.String(), cost
		}
	}
	return text, t.o.Count(text)
}

// inCold returns a text with only the number of messages in cold storage and of open
// questions.
func (g *gist) inCold() string {
	text := are(g.summarised+g.dropped+g.before, "message") + " in cold storage."
	if open := len(g.questions) + g.cut[questionsTitle] + g.asked; open > 0 {
		text += " " + are(open, "question") + " open."
	}
	return text + "\n"
}
