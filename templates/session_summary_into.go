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
	all := splitParts(old, ownHeadings...)
	out := s.Markdown()
	if before := preface(all[0].text); len(before) > 0 {
		title, rest, _ := bytes.Cut(out, []byte("\n"))
		out = slices.Concat(title, []byte("\n\n"), before, rest)
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
	for _, part := range all[1:] {
		if slices.Contains(ownHeadings, part.heading) {
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
	for i, part := range splitParts(old, "Overview") {
		if part.heading == "Overview" {
			continue
		}
		if i > 0 && !placed {
			out = append(closed(out), overview.String()+"\n"...)
			placed = true
		}
		out = append(out, part.text...)
	}
	if !placed {
		out = append(closed(out), overview.String()...)
	}
	return out
}

// preface returns the text between the title and the first heading.
func preface(text []byte) []byte {
	if bytes.HasPrefix(text, []byte("# Session Summary")) {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return closed(bytes.Trim(text, "\r\n"))
}
