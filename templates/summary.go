package templates

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// sessionHeading begins the part of a summary that tells of the whole session.
const sessionHeading = "## Session\n"

// IntoSummary puts the account of a session into its summary file: it replaces
// the part under "## Session", or adds it to the end. Other parts, such as
// those that compactions and people wrote, stay as they are. old may be nil; more
// are points of the account that the State does not hold.
func IntoSummary(old []byte, s schema.State, more ...string) []byte {
	part := session(s, more)
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

// AddSection adds a part to the end of a summary file, which begins with title
// where it is new. The headings of text, which is markdown, go below the part's
// own. A part of that heading which is there already stays as it is.
func AddSection(old []byte, title, heading, text string) []byte {
	part := "## " + inline(heading) + "\n"
	if headingAt(old, []byte(part)) >= 0 {
		return old
	}
	out := bytes.TrimRight(old, "\n")
	if len(out) == 0 {
		out = append(out, "# "+inline(title)...)
	}
	return fmt.Appendf(bytes.Clone(out), "\n\n%s\n%s", part, lower(text))
}

// lower puts the headings of a markdown text two levels down.
func lower(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		if strings.HasPrefix(line, "#") {
			b.WriteString("##")
		}
		b.WriteString(line)
	}
	return b.String()
}

// headingAt returns where a line that begins with heading begins; -1 if none.
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

// session is the account of a session that its State holds, and more.
func session(s schema.State, more []string) string {
	var b strings.Builder
	b.WriteString(sessionHeading)
	line := func(label string, format string, args ...any) {
		fmt.Fprintf(&b, "- %s: %s\n", label, inline(fmt.Sprintf(format, args...)))
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
		fmt.Fprintf(&b, "- %s\n", inline(point))
	}
	list(&b, "Decisions", len(s.RecentDecisions), func(i int) string {
		d := s.RecentDecisions[i]
		if d.Rationale == "" {
			return fmt.Sprintf("%s: %s", d.ID, d.Decision)
		}
		return fmt.Sprintf("%s: %s (%s)", d.ID, d.Decision, d.Rationale)
	})
	list(&b, "Open questions", len(s.OpenQuestions), func(i int) string {
		return fmt.Sprintf("%s: %s", s.OpenQuestions[i].ID, s.OpenQuestions[i].Question)
	})
	list(&b, "Pending actions", len(s.PendingActions), func(i int) string {
		if s.PendingActions[i].ID == "" {
			return s.PendingActions[i].Action
		}
		return fmt.Sprintf("%s: %s", s.PendingActions[i].ID, s.PendingActions[i].Action)
	})
	return b.String()
}

// list writes a heading and its points; nothing where there are none.
func list(b *strings.Builder, heading string, n int, point func(i int) string) {
	if n == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", heading)
	for i := range n {
		fmt.Fprintf(b, "- %s\n", inline(point(i)))
	}
}

// inline keeps a text on one line, so that it cannot begin a heading.
func inline(text string) string { return strings.Join(strings.Fields(text), " ") }
