package templates

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/forgemind/forgemind/internal/lazyregexp"
	"github.com/forgemind/forgemind/schema"
)

// maxContextDecisions limits the decisions of one section of a CONTEXT.md, because
// every agent reads the whole file before it begins to work.
const maxContextDecisions = 100

// Limits of the texts of a CONTEXT.md, in characters.
const (
	maxContextText      = 1000
	maxContextRationale = 300 // a rationale, and the text of a successor
)

// A ContextSection is one section of a project's CONTEXT.md that forgemind
// writes.
type ContextSection struct {
	Key   string // its name in the marks
	Title string
	Lines []ContextLine // at least one
}

// A ContextLine is one line of a section.
type ContextLine struct {
	Text     string
	Says     string // the value in Text, without label, number and date; "" for a line without a value
	Decision string // the id of the decision that the line shows; "" for none
}

// A Superseded is a superseded decision and its successor.
type Superseded struct{ Decision, By schema.Decision }

// ContextTitle returns the first line of a project's CONTEXT.md.
func ContextTitle(project string) string { return "# Project Context: " + contextText(project) }

// ContextSections returns the sections of a project's CONTEXT.md, in their order.
// It keeps the order of holding, the decisions in force, and of superseded; callers
// pass the most recent first.
func ContextSections(p schema.ProjectRecord, holding []schema.Decision, superseded []Superseded) []ContextSection {
	return []ContextSection{
		{"current-state", "Current State", []ContextLine{
			stateLine("Phase", p.Phase, "_not recorded_"),
			stateLine("Active", p.Active, "_not recorded_"),
			stateLine("Blocked", p.Blocked, "Nothing"),
		}},
		{"key-decisions", "Key Decisions (most recent first)", listLines(holding, keyDecisionLine)},
		{"active-constraints", "Active Constraints", listLines(nonEmpty(p.Constraints), func(_ int, constraint string) ContextLine {
			text := contextText(constraint)
			return ContextLine{Text: "- " + itemText(text), Says: text}
		})},
		{"superseded-decisions", "Superseded Decisions", listLines(superseded, supersededLine)},
	}
}

func stateLine(label, value, otherwise string) ContextLine {
	text := contextText(value)
	return ContextLine{Text: "- " + label + ": " + cmp.Or(text, otherwise), Says: text}
}

func keyDecisionLine(i int, d schema.Decision) ContextLine {
	text := contextText(d.Decision)
	why := ""
	if d.Rationale != "" {
		why = " (" + truncate(contextText(d.Rationale), maxContextRationale) + ")"
	}
	return ContextLine{fmt.Sprintf("%d. [%s] %s%s", i+1, ContextDate(d), text, why), text, d.ID}
}

func supersededLine(_ int, r Superseded) ContextLine {
	text := contextText(r.Decision.Decision)
	escaped := strings.ReplaceAll(text, "~~", `\~~`)
	return ContextLine{
		fmt.Sprintf("- ~~[%s] %s~~ → Replaced by %s (%s)", ContextDate(r.Decision), escaped, truncate(contextText(r.By.Decision), maxContextRationale), ContextDate(r.By)),
		text, r.Decision.ID,
	}
}

// listLines returns the lines of at most maxContextDecisions items, and a line that
// says so if there are none, or more.
func listLines[T any](items []T, write func(int, T) ContextLine) []ContextLine {
	if len(items) == 0 {
		return []ContextLine{{Text: "None recorded."}}
	}
	var lines []ContextLine
	for i, item := range items[:min(len(items), maxContextDecisions)] {
		lines = append(lines, write(i, item))
	}
	if more := len(items) - maxContextDecisions; more > 0 {
		lines = append(lines, ContextLine{Text: fmt.Sprintf("- … and %d more", more)})
	}
	return lines
}

// ContextDate returns the date of a decision (UTC), or "undated" if its timestamp
// does not begin with one.
func ContextDate(d schema.Decision) string {
	at, err := schema.ParseTime(d.Timestamp)
	if err == nil {
		return at.UTC().Format(time.DateOnly)
	}
	if len(d.Timestamp) >= len(time.DateOnly) {
		if day, err := time.Parse(time.DateOnly, d.Timestamp[:len(time.DateOnly)]); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return "undated"
}

// contextText returns s on one line of at most maxContextText characters. U+FFFD
// replaces control characters and characters that a terminal does not show.
func contextText(s string) string {
	s = strings.Map(func(r rune) rune {
		if schema.Hidden(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return truncate(strings.Join(strings.Fields(s), " "), maxContextText)
}

func truncate(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit-1])) + "…"
	}
	return s
}

// blockStart matches the beginning of a text that markdown reads as a block, and not
// as the text of a list item.
var blockStart = lazyregexp.New("^(?:#{1,6}(?: |$)|[-+*](?: |$)|>|[0-9]{1,9}[.)](?: |$)|```|~~~|<[A-Za-z/!?]|[-*_](?: ?[-*_]){2,}$|\\[[^\\]]*\\]:|\\[[ xX]\\] )")

// itemText returns the text of a list item, escaped if it begins like a block.
func itemText(text string) string {
	if !blockStart.MatchString(text) {
		return text
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	return text[:digits] + `\` + text[digits:]
}

func nonEmpty(texts []string) []string {
	var all []string
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			all = append(all, t)
		}
	}
	return all
}
