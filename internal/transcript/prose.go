package transcript

import (
	"strings"
)

// A proseTurn is a turn in a Markdown transcript; who is "" for the text before the first.
type proseTurn struct {
	who    string // from the line that begins the turn
	text   string // without the rule at its end
	offset int
}

// title returns the first heading.
func (t *proseTurn) title() string {
	for line := range strings.Lines(t.text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// turns splits Markdown into turns. begins decides whether a line begins one, given the line and the
// last line before it that is not blank. Lines in code blocks do not, unless the fence is never
// closed.
func turns(text string, begins func(line, before string) (who string, ok bool)) []proseTurn {
	all, closed := turnsIn(text, true, begins)
	if !closed {
		all, _ = turnsIn(text, false, begins)
	}
	return all
}

func turnsIn(text string, fences bool, begins func(line, before string) (who string, ok bool)) (all []proseTurn, closed bool) {
	t := proseTurn{}
	var body strings.Builder
	end := func() {
		t.text = trimRules(strings.ReplaceAll(body.String(), "\r\n", "\n"))
		all = append(all, t)
		body.Reset()
	}
	at, before, fence := 0, "", ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if fence == "" {
			if who, ok := begins(bare, before); ok {
				end()
				t = proseTurn{who: who, offset: at}
				at += len(line)
				before = bare
				continue
			}
		}
		if fences {
			fence = fenceAfter(fence, bare)
		}
		if bare != "" {
			before = bare
		}
		body.WriteString(line)
		at += len(line)
	}
	end()
	return all, fence == ""
}

// fenceAfter returns the fence that is open after a line: three or more backticks or tildes.
func fenceAfter(fence, line string) string {
	n := 0
	for n < len(line) && line[n] == line[0] && (line[0] == '`' || line[0] == '~') {
		n++
	}
	switch {
	case n < 3:
	case fence == "" && !strings.Contains(line[n:], "`"):
		return line[:n]
	case fence != "" && line[0] == fence[0] && n >= len(fence) && n == len(line):
		return ""
	}
	return fence
}

// trimRules removes the blank lines and rules around a text.
func trimRules(text string) string {
	for {
		short := strings.TrimSpace(text)
		if short = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(short, "\n---"), "---\n")); short == "---" {
			short = ""
		}
		if short == text {
			return text
		}
		text = short
	}
}

// turnOf begins a record for a turn.
func (im *intake) turnOf(t proseTurn) record {
	im.next()
	r := record{offset: t.offset}
	im.records = append(im.records, r)
	return r
}
