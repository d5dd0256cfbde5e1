package templates

import (
	"bytes"
	"slices"
	"strings"
)

// ownHeadings are the headings of a SessionSummary.
var ownHeadings = []string{"Overview", "Objective", "Progress", "Key Decisions", "Critical Context"}

// IntoSessionSummary returns old, a summary.md or nil, with the sections of s in the
// place of the sections with the same headings. Other sections, which compactions and
// people wrote, follow unchanged; text before the first heading stays before it. If s
// has no Overview and the rest is unchanged, the old overview stays.
func IntoSessionSummary(old []byte, s SessionSummary) []byte {
	all := splitParts(old)
	out := s.Markdown()
	if before := preface(all[0].text); len(before) > 0 {
		title, rest, _ := bytes.Cut(out, []byte("\n"))
		out = slices.Concat(title, []byte("\n\n"), before, []byte("\n"), rest)
	}
	var withoutOverview []byte
	for _, part := range all {
		if part.heading != "Overview" {
			withoutOverview = append(withoutOverview, part.text...)
		}
	}
	if s.Overview == "" && bytes.HasPrefix(withoutOverview, out) && len(withoutOverview) < len(old) {
		return old
	}
	for _, part := range all {
		if part.heading == "" || slices.Contains(ownHeadings, part.heading) {
			continue
		}
		out = append(append(bytes.TrimRight(out, "\n"), "\n\n"...), part.text...)
	}
	return out
}

// WithOverview returns old, a summary.md, with an overview before the first heading:
// the text of a summarizer and its source. It replaces an earlier overview.
func WithOverview(old []byte, text, by string) []byte {
	var overview strings.Builder
	SessionSummary{Overview: text, By: by}.overview(&overview)
	var out []byte
	placed := false
	for _, part := range splitParts(old) {
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

// preface returns the text between the title and the first heading. It closes an open
// fence, which would otherwise enclose the sections that follow.
func preface(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("# Session Summary")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	fence := ""
	for line := range bytes.Lines(text) {
		fence = openFence(fence, line)
	}
	text = bytes.Trim(text, "\r\n")
	if fence != "" {
		text = slices.Concat(text, []byte("\n"+fence))
	}
	return text
}

// A part is a heading of the second level and the text below it, or, with the heading
// "", the text before the first heading.
type part struct {
	heading string
	text    []byte // with the line of the heading
}

// splitParts splits a markdown text at its headings of the second level. A line
// within a fence is not a heading.
func splitParts(text []byte) []part {
	all := []part{{}}
	fence := ""
	for line := range bytes.Lines(text) {
		heading, ok := bytes.CutPrefix(line, []byte("## "))
		if fence = openFence(fence, line); ok && fence == "" {
			all = append(all, part{heading: string(bytes.TrimSpace(heading))})
		}
		last := &all[len(all)-1]
		last.text = append(last.text, line...)
	}
	return all
}

// openFence returns the fence that is open after line, "" for none. fence is the one
// that is open before it.
func openFence(fence string, line []byte) string {
	switch mark := fenceMark(line); {
	case mark == "":
		return fence
	case fence == "":
		return mark
	case strings.HasPrefix(mark, fence):
		return ""
	}
	return fence
}

// fenceMark returns the marks that begin or end a fence at the start of line, "" for
// none.
func fenceMark(line []byte) string {
	text := strings.TrimLeft(string(line), " ")
	for _, mark := range []string{"`", "~"} {
		if run := len(text) - len(strings.TrimLeft(text, mark)); run >= 3 {
			return strings.Repeat(mark, run)
		}
	}
	return ""
}
