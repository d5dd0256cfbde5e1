package main

import (
	"slices"
	"strconv"
	"strings"

	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/health"
)

// A statusPart is a piece of the line.
type statusPart struct {
	text string
	sgr  string // its colour; "" for none
	rank int    // 0 stays; of the others the highest goes first where there is little room
}

func (l *statusLine) parts(ascii bool) []statusPart {
	colours := map[string]string{health.Healthy: "32", health.Warning: "33", health.Critical: "31"}
	where := briefing.Line(l.Tree, 40)
	if where == "" {
		where = "no tree"
	}
	parts := []statusPart{{text: where}}
	if l.Layer != "" {
		parts = append(parts, statusPart{text: short(l.Layer, 20) + " " + strconv.FormatFloat(l.Clarity, 'f', -1, 64) + " %", rank: 1})
	}
	switch {
	case l.Total > 0:
		full, rest := gauge{percent: l.Percent, cells: statusCells, ascii: ascii}.bar()
		parts = append(parts, statusPart{
			text: full + rest + " " + strconv.FormatFloat(l.Percent, 'f', -1, 64) + " % of " + rounded(l.Total), sgr: colours[l.Status],
		})
	case l.Used > 0:
		parts = append(parts, statusPart{text: rounded(l.Used) + " tokens"})
	}
	if l.Model != "" {
		parts = append(parts, statusPart{text: briefing.Line(l.Model, 40), rank: 3})
	}
	if l.Questions > 0 {
		parts = append(parts, statusPart{text: count(l.Questions, "open question"), rank: 2})
	}
	if n := len(l.Alerts); n > 0 {
		text := l.Alerts[0].Alert
		if n > 1 {
			text += " and " + count(n-1, "more alert")
		}
		parts = append(parts, statusPart{text: "! " + text, sgr: "33"})
	}
	return parts
}

// statusColumns is how wide the line may be. Agents say how wide their terminal is,
// if anything, and keep a margin; a line that is wider spoils their screen.
func (p *program) statusColumns() int {
	const margin, least = 4, 20
	if n, err := strconv.Atoi(p.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n-margin, least)
	}
	return max(p.width(), least)
}

// fitted is as many of the parts as go into so many columns. If that is not enough,
// the project's name gives way, and then what stands last.
func fitted(parts []statusPart, columns int) []statusPart {
	const separator, least = 3, 8
	over := func() int {
		n := -separator
		for _, part := range parts {
			n += separator + briefing.Columns(part.text)
		}
		return n - columns
	}
	for rank := 3; rank > 0 && over() > 0; rank-- {
		parts = slices.DeleteFunc(parts, func(part statusPart) bool { return part.rank == rank })
	}
	for _, part := range []*statusPart{&parts[0], &parts[len(parts)-1]} {
		if n := over(); n > 0 {
			part.text = briefing.Line(part.text, max(briefing.Columns(part.text)-n, least))
		}
	}
	return parts
}

// printStatusLine prints the line, the gauge in colour where colours are wanted.
func (p *program) printStatusLine(parts []statusPart) {
	for i, part := range parts {
		if i > 0 {
			p.printf("%s", statusSeparator(p.asciiOnly()))
		}
		switch part.sgr {
		case "":
			p.printf("%s", part.text)
		default:
			p.out.Paint(part.sgr, part.text)
		}
	}
	p.printf("\n")
}

// statusText is the line without colours.
func statusText(parts []statusPart, ascii bool) string {
	var texts []string
	for _, part := range parts {
		texts = append(texts, part.text)
	}
	return strings.Join(texts, statusSeparator(ascii))
}

func statusSeparator(ascii bool) string {
	if ascii {
		return " | "
	}
	return " · "
}

// rounded is a number of tokens in few characters: "950", "84k", "1.2M".
func rounded(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_500:
		return strconv.Itoa((n+500)/1000) + "k"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64), ".0") + "M"
}
