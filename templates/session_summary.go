package templates

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/schema"
)

// A SessionSummary is what summary.md says of a session.
type SessionSummary struct {
	Session   string
	Overview  string // by an external summarizer, "" for none
	By        string // what made the Overview: model and hash of what it read
	Objective SummaryLine
	Progress  []SummaryLine // each with its sign: ✅ 🔄 ⏳
	Decisions []SummaryLine
	Critical  []SummaryLine
}

// A SummaryLine is one line of a SessionSummary.
type SummaryLine struct {
	Text string
	From string // the id of the message, goal or decision that says it; "" is not shown
}

// How much of a text a summary shows, in characters.
const (
	summaryLine  = 200
	summaryFrom  = 120
	overviewLine = 600
	overviewMost = 40 // lines
)

// Markdown is summary.md, in the form that the Quaid document has: one line for
// each SummaryLine, whatever its text holds. An Overview is quoted, line by
// line. Sections without lines are left out, but for the objective.
func (s SessionSummary) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session Summary (%s)\n", visible(s.Session, summaryFrom))
	s.overview(&b)
	objective := s.Objective
	if visible(objective.Text, summaryLine) == "" {
		objective = SummaryLine{Text: "not stated yet"}
	}
	fmt.Fprintf(&b, "\n## Objective\n%s\n", objective.markdown())
	section := func(title string, lines []SummaryLine, mark func(n int) string) {
		n := 0
		for _, line := range lines {
			if visible(line.Text, summaryLine) == "" {
				continue
			}
			if n++; n == 1 {
				fmt.Fprintf(&b, "\n## %s\n", title)
			}
			b.WriteString(mark(n) + line.markdown() + "\n")
		}
	}
	point := func(int) string { return "- " }
	section("Progress", s.Progress, point)
	section("Key Decisions", s.Decisions, func(n int) string { return fmt.Sprintf("%d. ", n) })
	section("Critical Context", s.Critical, point)
	return []byte(b.String())
}

// overview writes what somebody else made of the session, who did, and from what.
func (s SessionSummary) overview(b *strings.Builder) {
	lines := 0
	for line := range strings.Lines(s.Overview) {
		if line = visible(line, overviewLine); line == "" {
			continue
		}
		if lines++; lines == 1 {
			fmt.Fprintf(b, "\n## Overview\n")
			if by := visible(s.By, summaryLine); by != "" {
				fmt.Fprintf(b, "By %s:\n\n", by)
			}
		} else {
			b.WriteString(">\n")
		}
		if lines > overviewMost {
			b.WriteString("> …\n")
			return
		}
		b.WriteString("> " + harmless(line) + "\n")
	}
}

// markdown is the text on one line, which cannot begin anything, and where it
// comes from. What stands in brackets at the end of the text itself is no source.
func (l SummaryLine) markdown() string {
	text := harmless(visible(l.Text, summaryLine))
	if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
		text = text[:i] + `\` + text[i:]
	}
	from := visible(strings.Map(unbracketed, l.From), summaryFrom)
	if from == "" {
		return text
	}
	return text + " [" + from + "]"
}

func unbracketed(r rune) rune {
	if r == '[' || r == ']' {
		return -1
	}
	return r
}

// harmless is a line that begins no block of markdown: no heading, list, quote,
// fence, table, rule, definition or HTML.
func harmless(line string) string {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	switch {
	case digits > 0 && (rest == "." || rest == ")" || strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")):
		return line[:digits] + `\` + rest
	case digits > 0 || rest == "" || strings.IndexByte("#>|<+-*_=~`[", rest[0]) < 0:
		return line
	case rest[0] == '`' && !strings.HasPrefix(rest, "``"), strings.HasPrefix(rest, "**") && !strings.HasPrefix(rest, "***") && !strings.HasPrefix(rest, "** "):
		return line // code or emphasis within it
	}
	return `\` + line
}

// visible is text on one line of at most so many characters, without those that
// a terminal or a reader could be misled by. A longer one is cut at a word.
func visible(text string, most int) string {
	var b strings.Builder
	n, word, space := 0, 0, false // word: where the last whole word ends
	for _, r := range text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if schema.Hidden(r) || r == utf8.RuneError {
			continue
		}
		if space && b.Len() > 0 {
			word = b.Len()
			b.WriteByte(' ')
			n++
		}
		space = false
		if n++; n > most {
			cut := b.String()
			if word > len(cut)*2/3 {
				cut = cut[:word]
			}
			return strings.TrimRight(cut, " ,;:-") + " …"
		}
		b.WriteRune(r)
	}
	return b.String()
}
