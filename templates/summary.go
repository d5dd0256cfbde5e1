package templates

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// sessionHeading is the heading of the section of a summary that describes the whole
// session.
const sessionHeading = "Session"

// IntoSummary returns old, a session's summary file or nil, with the section
// "## Session" rendered from s and more, which are points that the State lacks. It
// replaces the old section or adds one at the end. Other sections, which compactions
// and people wrote, stay unchanged.
func IntoSummary(old []byte, s schema.State, more ...string) []byte {
	own := sessionSection(s, more)
	if len(old) == 0 {
		return fmt.Appendf(nil, "# Session summary: %s\n\n%s", s.Metadata.SessionID, own)
	}
	all := splitParts(old, sessionHeading)
	i := slices.IndexFunc(all, func(p part) bool { return p.heading == sessionHeading })
	if i < 0 {
		return append(closed(old), "\n"+own...)
	}
	if i < len(all)-1 {
		own += "\n"
	}
	all[i].text = []byte(own)
	var out []byte
	for _, p := range all {
		out = append(out, p.text...)
	}
	return out
}

// AddSection returns old, a summary file, with a section at the end; if old is empty,
// the file begins with title. The headings of text, which is markdown, move two
// levels down. If old has a section with that heading, AddSection returns old.
func AddSection(old []byte, title, heading, text string) []byte {
	heading = oneLine(heading)
	if slices.ContainsFunc(splitParts(old), func(p part) bool { return p.heading == heading }) {
		return old
	}
	out := closed(old)
	if len(out) == 0 {
		out = fmt.Appendf(nil, "# %s\n", oneLine(title))
	}
	return fmt.Appendf(out, "\n## %s\n\n%s", heading, lowerHeadings(text))
}

// lowerHeadings returns a markdown text with its headings two levels lower, no fence open
// at its end.
func lowerHeadings(text string) []byte {
	var out []byte
	var open fence
	for line := range bytes.Lines(closed([]byte(strings.TrimSpace(text)))) {
		if !open.read(line) && line[0] == '#' {
			out = append(out, "##"...)
		}
		out = append(out, line...)
	}
	return out
}

// sessionSection returns the section "## Session" for a State and the points of more.
func sessionSection(s schema.State, more []string) string {
	var b strings.Builder
	b.WriteString("## " + sessionHeading + "\n")
	line := func(label string, format string, args ...any) {
		fmt.Fprintf(&b, "- %s: %s\n", label, oneLine(fmt.Sprintf(format, args...)))
	}
	b.WriteString("\n")
	if m := s.Metadata; m != nil {
		if m.SessionStart != "" {
			line("Started", "%s", m.SessionStart)
		}
		line("Last checkpoint", "%s", m.Timestamp)
	}
	if p := s.Project; p != nil {
		line("Project", "%s", p.Name)
		line("Layer", "%d %s, clarity %v %%", int(p.CurrentLayer), p.LayerName, p.Clarity)
	}
	for _, point := range more {
		fmt.Fprintf(&b, "- %s\n", oneLine(point))
	}
	writeList(&b, "Decisions", len(s.RecentDecisions), func(i int) string {
		d := s.RecentDecisions[i]
		if d.Rationale == "" {
			return fmt.Sprintf("%s: %s", d.ID, d.Decision)
		}
		return fmt.Sprintf("%s: %s (%s)", d.ID, d.Decision, d.Rationale)
	})
	writeList(&b, "Open questions", len(s.OpenQuestions), func(i int) string {
		return fmt.Sprintf("%s: %s", s.OpenQuestions[i].ID, s.OpenQuestions[i].Question)
	})
	writeList(&b, "Pending actions", len(s.PendingActions), func(i int) string {
		if s.PendingActions[i].ID == "" {
			return s.PendingActions[i].Action
		}
		return fmt.Sprintf("%s: %s", s.PendingActions[i].ID, s.PendingActions[i].Action)
	})
	return b.String()
}

// writeList writes a heading and n points; nothing if n is 0.
func writeList(b *strings.Builder, heading string, n int, point func(i int) string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading)
	for i := range n {
		fmt.Fprintf(b, "- %s\n", oneLine(point(i)))
	}
}

// oneLine returns text on one line, so that no part of it can begin a heading, and without
// hidden characters.
func oneLine(text string) string { return cleanLine(text, len(text)) }
