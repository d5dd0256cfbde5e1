package transcript

import (
	"strings"
)

// A proseTurn is what somebody says in a transcript that is markdown; who is ""
// for what stands before the first.
type proseTurn struct {
	who    string // as the line that begins it says
	text   string // without the rule that ends it
	offset int
}

// title is the first heading.
func (t *proseTurn) title() string {
	for line := range strings.Lines(t.text) {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(title)
		}
	}
	return ""
}

// turns parts markdown where a line begins a turn, going by that line and the
// one before that is not blank. Lines of code begin none, unless a fence is never
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

// fenceAfter is the fence that is open behind a line: three backticks or more, or
// as many tildes.
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

// trimRules takes off the blank lines and rules around a text.
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

// turnOf begins with a turn as a record.
func (rd *reader) turnOf(t proseTurn) record {
	rd.next()
	r := record{offset: t.offset}
	rd.records = append(rd.records, r)
	return r
}
