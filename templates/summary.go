package templates

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// sessionHeading begins the section of a summary that describes the whole session.
const sessionHeading = "## Session\n"

// IntoSummary returns old, a session's summary file or nil, with the section
// "## Session" rendered from s and more, which are points that the State lacks. It
// replaces the old section or adds one at the end. Other sections, which compactions
// and people wrote, stay unchanged.
func IntoSummary(old []byte, s schema.State, more ...string) []byte {
	part := sessionSection(s, more)
	if len(old) == 0 {
		return fmt.Appendf(nil, "# Session summary: %s\n\n%s", s.Metadata.SessionID, part)
	}
	start := headingAt(old, []byte(sessionHeading))
	if start < 0 {
		return append(append(bytes.TrimRight(old, "\n"), "\n\n"...), part...)
	}
	end := len(old)
	if next := headingAt(old[start+len(sessionHeading):], []byte("## ")); next >= 0 {
		end = start + len(sessionHeading) + next
		part += "\n"
	}
	return bytes.Join([][]byte{old[:start], []byte(part), old[end:]}, nil)
}

// AddSection returns old, a summary file, with a section at the end; if old is empty,
// the file begins with title. The headings of text, which is markdown, move two
// levels down. If old has a section with that heading, AddSection returns old.
func AddSection(old []byte, title, heading, text string) []byte {
	part := "## " + oneLine(heading) + "\n"
	if headingAt(old, []byte(part)) >= 0 {
		return old
	}
	out := bytes.TrimRight(old, "\n")
	if len(out) == 0 {
		out = append(out, "# "+oneLine(title)...)
	}
	return fmt.Appendf(bytes.Clone(out), "\n\n%s\n%s", part, lowerHeadings(text))
}

// lowerHeadings moves the headings of a markdown text two levels down.
func lowerHeadings(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		if strings.HasPrefix(line, "#") {
			b.WriteString("##")
		}
		b.WriteString(line)
	}
	return b.String()
}

// headingAt returns the offset of the first line that begins with heading, -1 if
// there is none.
func headingAt(text, heading []byte) int {
	if bytes.HasPrefix(text, heading) {
		return 0
	}
	i := bytes.Index(text, append([]byte("\n"), heading...))
	if i < 0 {
		return -1
	}
	return i + 1
}

// sessionSection returns the section "## Session" for a State and the points of more.
func sessionSection(s schema.State, more []string) string {
	var b strings.Builder
	b.WriteString(sessionHeading)
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

// oneLine returns text on one line, so that no part of it can begin a heading.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
