package templates

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forgemind/forgemind/internal/text"
)

// A SessionSummary is the content of a session's summary.md.
type SessionSummary struct {
	Session   string // id
	Overview  string // text of an external summarizer, "" for none
	By        string // the source of Overview: model and hash of its input
	Objective SummaryLine
	Progress  []SummaryLine // each begins with ✅, 🔄 or ⏳
	Decisions []SummaryLine
	Critical  []SummaryLine
	Requests  []SummaryLine // what users asked for
	Said      []SummaryLine // what was said of it
}

// A SummaryLine is one line of a SessionSummary.
type SummaryLine struct {
	Text string
	From string // the id of the message, goal or decision that states it; "" for none
}

// Limits of a summary, in characters unless noted.
const (
	maxSummaryLine   = 200
	maxSummaryFrom   = 120
	maxOverviewLine  = 600
	maxOverviewLines = 40 // lines
)

// Markdown returns summary.md in the form of the Quaid document: one line for each
// SummaryLine, whatever its text contains. It quotes Overview line by line, and
// omits sections without lines, except the objective.
func (s SessionSummary) Markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Session Summary (%s)\n", cleanLine(s.Session, maxSummaryFrom))
	s.overview(&b)
	objective := s.Objective
	if cleanLine(objective.Text, maxSummaryLine) == "" {
		objective = SummaryLine{Text: "not stated yet"}
	}
	fmt.Fprintf(&b, "\n## Objective\n%s\n", objective.markdown())
	section := func(title string, lines []SummaryLine, mark func(n int) string) {
		n := 0
		for _, line := range lines {
			if cleanLine(line.Text, maxSummaryLine) == "" {
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
	section("Requests", s.Requests, point)
	section("Discussion", s.Said, point)
	return []byte(b.String())
}

// overview writes the section of Overview and By; nothing if Overview is empty.
func (s SessionSummary) overview(b *strings.Builder) {
	lines := 0
	for line := range strings.Lines(s.Overview) {
		if line = cleanLine(line, maxOverviewLine); line == "" {
			continue
		}
		if lines++; lines == 1 {
			fmt.Fprintf(b, "\n## Overview\n")
			if by := cleanLine(s.By, maxSummaryLine); by != "" {
				fmt.Fprintf(b, "By %s:\n\n", by)
			}
		} else {
			b.WriteString(">\n")
		}
		if lines > maxOverviewLines {
			b.WriteString("> …\n")
			return
		}
		b.WriteString("> " + escapeBlock(line) + "\n")
	}
}

// markdown returns the text on one line that begins no block, and its source in
// brackets. It escapes brackets at the end of the text, which would look like a source.
func (l SummaryLine) markdown() string {
	text := escapeBlock(cleanLine(l.Text, maxSummaryLine))
	if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
		text = text[:i] + `\` + text[i:]
	}
	from := cleanLine(strings.Map(dropBracket, l.From), maxSummaryFrom)
	if from == "" {
		return text
	}
	return text + " [" + from + "]"
}

func dropBracket(r rune) rune {
	if r == '[' || r == ']' {
		return -1
	}
	return r
}

// escapeBlock escapes a line that begins a block of markdown: a heading, list, quote,
// fence, table, rule, definition or HTML.
func escapeBlock(line string) string {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest := line[digits:]
	switch {
	case digits > 0 && (rest == "." || rest == ")" || strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")):
		return line[:digits] + `\` + rest
	case digits > 0 || rest == "" || strings.IndexByte("#>|<+-*_=~`[", rest[0]) < 0:
		return line
	case rest[0] == '`' && !strings.HasPrefix(rest, "``"), strings.HasPrefix(rest, "**") && !strings.HasPrefix(rest, "***") && !strings.HasPrefix(rest, "** "):
		return line // inline code or emphasis
	}
	return `\` + line
}

// cleanLine returns s on one line of at most limit characters, without hidden
// characters (see text.Hidden). It cuts a longer text, at a word if one ends in
// its last third, and adds " …".
func cleanLine(s string, limit int) string {
	var b strings.Builder
	n, wordEnd, space := 0, 0, false // wordEnd: end of the last whole word, in bytes
	for _, r := range s {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if text.Hidden(r) || r == utf8.RuneError {
			continue
		}
		if space && b.Len() > 0 {
			wordEnd = b.Len()
			b.WriteByte(' ')
			n++
		}
		space = false
		if n++; n > limit {
			cut := b.String()
			if wordEnd > len(cut)*2/3 {
				cut = cut[:wordEnd]
			}
			return strings.TrimRight(cut, " ,;:-") + " …"
		}
		b.WriteRune(r)
	}
	return b.String()
}
