package templates

import (
	"bytes"
	"slices"
	"strings"
)

// ownParts are the headings that a SessionSummary has.
var ownParts = []string{"Overview", "Objective", "Progress", "Key Decisions", "Critical Context"}

// IntoSessionSummary puts s into a summary.md: the parts of the document's form
// are replaced; what stands under other headings, such as what compactions and
// people wrote, stays as it is, behind them, and what stands before the first
// heading stays there. An Overview stays as long as everything that it retells
// does. old may be nil.
func IntoSessionSummary(old []byte, s SessionSummary) []byte {
	all := parts(old)
	out := s.Markdown()
	if said := preface(all[0].text); len(said) > 0 {
		title, rest, _ := bytes.Cut(out, []byte("\n"))
		out = slices.Concat(title, []byte("\n\n"), said, []byte("\n"), rest)
	}
	var told []byte
	for _, part := range all {
		if part.heading != "Overview" {
			told = append(told, part.text...)
		}
	}
	if s.Overview == "" && bytes.HasPrefix(told, out) && len(told) < len(old) {
		return old
	}
	for _, part := range all {
		if part.heading == "" || slices.Contains(ownParts, part.heading) {
			continue
		}
		out = append(append(bytes.TrimRight(out, "\n"), "\n\n"...), part.text...)
	}
	return out
}

// WithOverview puts the text of a summarizer into a summary.md, with the line
// that says what made it, in the place of one that is there.
func WithOverview(old []byte, text, by string) []byte {
	var overview strings.Builder
	SessionSummary{Overview: text, By: by}.overview(&overview)
	var out []byte
	placed := false
	for _, part := range parts(old) {
		if part.heading == "Overview" {
			continue
		}
		if part.heading != "" && !placed {
			out = append(bytes.TrimRight(out, "\n"), "\n"+overview.String()+"\n"...)
			placed = true
		}
		out = append(out, part.text...)
	}
	if !placed {
		out = append(bytes.TrimRight(out, "\n"), "\n"+overview.String()...)
	}
	return out
}

// preface is what stands between the title and the first heading. A fence that it
// leaves open is closed, for what follows would stand in it.
func preface(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("# Session Summary")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	fence := ""
	for line := range bytes.Lines(text) {
		fence = within(fence, line)
	}
	text = bytes.Trim(text, "\r\n")
	if fence != "" {
		text = slices.Concat(text, []byte("\n"+fence))
	}
	return text
}

// A part is a heading of the second level and what stands under it; that of the
// text before the first one is "".
type part struct {
	heading string
	text    []byte
}

// parts takes a markdown text apart at its headings of the second level. What
// stands in a fence is no heading.
func parts(text []byte) []part {
	all := []part{{}}
	fence := ""
	for line := range bytes.Lines(text) {
		heading, ok := bytes.CutPrefix(line, []byte("## "))
		if fence = within(fence, line); ok && fence == "" {
			all = append(all, part{heading: string(bytes.TrimSpace(heading))})
		}
		last := &all[len(all)-1]
		last.text = append(last.text, line...)
	}
	return all
}

// within is the fence that stands open behind a line, "" for none; fence is that
// before it.
func within(fence string, line []byte) string {
	switch mark := fenceOf(line); {
	case mark == "":
		return fence
	case fence == "":
		return mark
	case strings.HasPrefix(mark, fence):
		return ""
	}
	return fence
}

// fenceOf is the run of marks that begins or ends a fence; "" for none.
func fenceOf(line []byte) string {
	text := strings.TrimLeft(string(line), " ")
	for _, mark := range []string{"`", "~"} {
		if run := len(text) - len(strings.TrimLeft(text, mark)); run >= 3 {
			return strings.Repeat(mark, run)
		}
	}
	return ""
}
