package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// printSession prints a session for people.
func (p *program) printSession(v *sessionView) {
	title := short(v.Title, 160)
	if title == "" {
		title = untitled
	}
	p.printf("%s\n", title)
	var about []string
	if v.Active {
		about = append(about, "active")
	}
	if v.Status == session.Archived {
		about = append(about, "archived")
	}
	about = append(about, age(v.LastActivity, p.Now()), count(int(v.MessageCount), "message"))
	if len(v.Agents) > 0 {
		about = append(about, "by "+short(strings.Join(v.Agents, ", "), 120))
	}
	p.printf("%s, %s\n", inline(v.ID), strings.Join(about, ", "))
	for _, also := range []struct{ what, text string }{
		{"began ", v.Started}, {"continues ", v.Continues}, {"kept as ", v.Fragment}, {"tags ", strings.Join(v.Tags, ", ")},
	} {
		if also.text != "" {
			p.printf("%s%s\n", also.what, short(also.text, 160))
		}
	}
	p.printf("\nTiers\n")
	for _, t := range v.Tiers {
		p.printTier(t)
	}
	for i, s := range v.Spare {
		lead := "could go:"
		if i > 0 {
			lead = ""
		}
		p.printf("  %-9s %d %s (%s tokens)\n", lead, s.Count, s.What, thousands(s.Tokens))
	}
	var text strings.Builder
	sessionSections(&text, v, p.asciiOnly())
	p.printLines(text.String())
}

// printTier prints the tokens of a tier and its target.
func (p *program) printTier(t tier) {
	const cells = 30
	dash := "–"
	if p.asciiOnly() {
		dash = "-"
	}
	target := thousands(t.Most)
	g := gauge{percent: 100 * float64(t.Tokens) / float64(t.Most), cells: cells, ascii: p.asciiOnly()}
	if t.Least > 0 {
		g.marks = []float64{100 * float64(t.Least) / float64(t.Most)}
		target = thousands(t.Least) + dash + target
	}
	colour := "32"
	if t.Tokens > t.Most {
		colour = "33"
	}
	full, rest := g.bar()
	p.printf("  %-15s [", t.Name)
	p.out.Paint(colour, full)
	p.printf("%s]  %s of %s tokens", rest, thousands(t.Tokens), target)
	if t.Messages+t.Archived > 0 {
		p.printf(", %s, %d in the archive", count(t.Messages, "message"), t.Archived)
	}
	p.printf("\n")
}

// sessionSections writes the contents of a session's hot context and the detected items by section,
// without empty sections.
func sessionSections(w *strings.Builder, v *sessionView, ascii bool) {
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s\n  %s\n", title, strings.Join(lines, "\n  "))
		}
	}
	section("Goals", goalLines(v.Goals, 0, ascii))
	var lines []string
	for _, d := range v.Decisions {
		lines = append(lines, minute(d.Timestamp)+"  "+short(d.Decision, 200)+supersededNote(d.SupersededBy)+signed(d.ID, d.Agent))
		lines = append(lines, why(d.Rationale)...)
	}
	section("Decisions", lines)
	lines = nil
	for _, d := range v.Detected {
		lines = append(lines, fmt.Sprintf("%s  %s%s", minute(d.Timestamp), short(d.Decision, 200),
			signed(d.Message, d.Agent, fmt.Sprintf("confidence %v", d.Confidence))))
		lines = append(lines, why(d.Rationale)...)
	}
	section("Detected, not recorded", lines)
	lines = nil
	for _, c := range v.Constraints {
		lines = append(lines, short(c.Constraint, 200)+signed(c.ID, c.Agent))
	}
	section("Constraints", lines)
	lines = nil
	for _, a := range v.Actions {
		lines = append(lines, short(a.Action, 200)+signed(a.ID, a.Priority, a.CreatedBy, detectedNote(a)))
	}
	section("Pending actions", lines)
	lines = nil
	for _, q := range v.Questions {
		lines = append(lines, short(q.Question, 200)+signed(q.ID, q.Priority, q.AskedBy))
	}
	section("Open questions", lines)
	lines = nil
	for _, n := range v.Notes {
		lines = append(lines, short(n.Note, 200)+signed(n.ID, n.Agent))
	}
	section("Notes", lines)
	section("Files", fileLines(v.Files))
	section("Entities", entityLines(v.Entities))
	section("Completed", doneLines(v.Completed, ascii))
}

// why returns the line with the rationale below a decision, if it has one.
func why(rationale string) []string {
	if rationale == "" {
		return nil
	}
	const because = "because "
	if len(rationale) > len(because) && strings.EqualFold(rationale[:len(because)], because) {
		rationale = rationale[len(because):]
	}
	return []string{strings.Repeat(" ", 18) + because + short(rationale, 200)}
}

// signed returns what a line shows of an item besides its text: " (a, b)".
func signed(about ...string) string {
	about = slices.DeleteFunc(about, func(s string) bool { return s == "" })
	if len(about) == 0 {
		return ""
	}
	return " (" + short(strings.Join(about, ", "), 160) + ")"
}

func supersededNote(by string) string {
	if by == "" {
		return ""
	}
	return " [superseded by " + short(by, 80) + "]"
}

func detectedNote(a schema.Action) string {
	if a.Origin != schema.OriginDetected {
		return ""
	}
	return strings.TrimSpace("detected in " + a.Message)
}

// minute returns a document's time in UTC for people, or as many blanks if it is invalid.
func minute(timestamp string) string {
	const layout = "2006-01-02 15:04"
	at, err := schema.ParseTime(timestamp)
	if err != nil {
		return strings.Repeat(" ", len(layout))
	}
	return at.UTC().Format(layout)
}

// sign returns the sign for the status of a goal.
func sign(status string, ascii bool) string {
	signs := map[string][2]string{session.InProgress: {"🔄", "[~]"}, session.Complete: {"✅", "[x]"}}
	s, ok := signs[status]
	if !ok {
		s = [2]string{"⏳", "[ ]"}
	}
	if ascii {
		return s[1]
	}
	return s[0]
}

// goalLines returns the lines of a tree of goals.
func goalLines(goals []*goalNode, depth int, ascii bool) []string {
	const deepest = 8 // depth up to which lines are indented
	var lines []string
	for _, g := range goals {
		lines = append(lines, strings.Repeat("   ", min(depth, deepest))+sign(g.Status, ascii)+" "+short(g.Goal, 200)+signed(g.Priority, g.ID, g.Agent))
		lines = append(lines, goalLines(g.Parts, depth+1, ascii)...)
	}
	return lines
}

func fileLines(f *schema.FileContext) (lines []string) {
	if f == nil {
		return nil
	}
	if len(f.Files) > 0 {
		lines = append(lines, short(strings.Join(f.Files, ", "), 400))
	}
	if f.LastEdited != "" {
		lines = append(lines, "last edited "+short(f.LastEdited, 160)+signed(f.Agent))
	}
	if f.CurrentFunction != "" {
		lines = append(lines, "in "+short(f.CurrentFunction, 160))
	}
	return lines
}

// entityLines returns the entities by kind, known kinds first.
func entityLines(entities map[string][]string) (lines []string) {
	for _, kind := range kindsOf(entities) {
		if names := entities[kind]; len(names) > 0 {
			lines = append(lines, short(kind, 40)+": "+short(strings.Join(names, ", "), 400))
		}
	}
	return lines
}

// doneLines returns the goals and actions that were completed last.
func doneLines(done []schema.Done, ascii bool) (lines []string) {
	const most = 10
	for _, d := range done[max(0, len(done)-most):] {
		text := d.Goal
		if text == "" {
			text = d.Action
		}
		lines = append(lines, sign(session.Complete, ascii)+" "+short(text, 200)+signed(d.ID, d.CompletedBy))
	}
	if len(done) > most {
		lines = append(lines, fmt.Sprintf("and %d before them", len(done)-most))
	}
	return lines
}
