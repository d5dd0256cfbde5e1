package main

import (
	"slices"
	"strconv"
	"strings"

	briefing "github.com/forgemind/forgemind/internal/brief"
	"github.com/forgemind/forgemind/internal/health"
)

// A statusPart is a part of the line.
type statusPart struct {
	text string
	sgr  string // color; "" for none
	rank int    // 0 for a part that stays; of the others those with the highest rank are removed first
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

// statusColumns returns the largest width of the line. Agents give at most the width of their
// terminal and need a margin; a line that is too wide damages their screen.
func (p *program) statusColumns() int {
	const margin, least = 4, 20
	if n, err := strconv.Atoi(p.Getenv("COLUMNS")); err == nil && n > 0 {
		return max(n-margin, least)
	}
	return max(p.width(), least)
}

// fitted returns the parts that fit into the columns. If the others do not suffice, it removes the
// project's name and then the last parts.
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

// printStatusLine prints the line, with a colored gauge if colors are enabled.
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

// statusText returns the line without colors.
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

// rounded returns a number of tokens in few characters: "950", "84k", "1.2M".
func rounded(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_500:
		return strconv.Itoa((n+500)/1000) + "k"
	}
	return strings.TrimSuffix(strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64), ".0") + "M"
}
