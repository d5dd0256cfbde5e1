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

// maxContextDecisions is how many decisions a section of a CONTEXT.md lists:
// everybody who begins to work reads all of it.
const maxContextDecisions = 100

// How long the texts of a CONTEXT.md may be, in characters.
const (
	maxContextText = 1000
	maxContextWhy  = 300 // a rationale, and what took a decision's place
)

// A ContextSection is one section of a project's CONTEXT.md that forgemind
// writes.
type ContextSection struct {
	Key   string // what its mark calls it
	Title string
	Lines []ContextLine // at least one
}

// A ContextLine is one line of a section.
type ContextLine struct {
	Text     string
	Says     string // what the line has to say, without what is around it; "" where there is nothing
	Decision string // the id of the decision that it shows; "" where it shows none
}

// A Replaced is a decision that holds no more, and the one that took its place.
type Replaced struct{ Decision, By schema.Decision }

// ContextTitle is the first line of a CONTEXT.md.
func ContextTitle(project string) string { return "# Project Context: " + contextText(project) }

// ContextSections returns the sections of a project's CONTEXT.md, in their
// order. holding and superseded are listed as they come, which should be the
// most recent first.
func ContextSections(p schema.ProjectRecord, holding []schema.Decision, superseded []Replaced) []ContextSection {
	return []ContextSection{
		{"current-state", "Current State", []ContextLine{
			stateLine("Phase", p.Phase, "_not recorded_"),
			stateLine("Active", p.Active, "_not recorded_"),
			stateLine("Blocked", p.Blocked, "Nothing"),
		}},
		{"key-decisions", "Key Decisions (most recent first)", listed(holding, keyDecision)},
		{"active-constraints", "Active Constraints", listed(nonEmpty(p.Constraints), func(_ int, constraint string) ContextLine {
			text := contextText(constraint)
			return ContextLine{Text: "- " + itemText(text), Says: text}
		})},
		{"superseded-decisions", "Superseded Decisions", listed(superseded, supersededDecision)},
	}
}

func stateLine(label, value, otherwise string) ContextLine {
	says := contextText(value)
	return ContextLine{Text: "- " + label + ": " + cmp.Or(says, otherwise), Says: says}
}

func keyDecision(i int, d schema.Decision) ContextLine {
	text := contextText(d.Decision)
	why := ""
	if d.Rationale != "" {
		why = " (" + cutContext(contextText(d.Rationale), maxContextWhy) + ")"
	}
	return ContextLine{fmt.Sprintf("%d. [%s] %s%s", i+1, ContextDate(d), text, why), text, d.ID}
}

func supersededDecision(_ int, r Replaced) ContextLine {
	text := contextText(r.Decision.Decision)
	struck := strings.ReplaceAll(text, "~~", `\~~`)
	return ContextLine{
		fmt.Sprintf("- ~~[%s] %s~~ → Replaced by %s (%s)", ContextDate(r.Decision), struck, cutContext(contextText(r.By.Decision), maxContextWhy), ContextDate(r.By)),
		text, r.Decision.ID,
	}
}

// listed writes a list of at most maxContextDecisions items, and says so where
// there are none or more.
func listed[T any](items []T, write func(int, T) ContextLine) []ContextLine {
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

// ContextDate is the day of a decision, UTC.
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

// contextText is a stranger's text on one line, without characters that a
// terminal obeys or hides, and cut where it is long.
func contextText(s string) string {
	s = strings.Map(func(r rune) rune {
		if schema.Hidden(r) && !unicode.IsSpace(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return cutContext(strings.Join(strings.Fields(s), " "), maxContextText)
}

func cutContext(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return strings.TrimSpace(string(runes[:most-1])) + "…"
	}
	return s
}

// structure is how a text begins that would be more than the text of an item.
var structure = lazyregexp.New("^(?:#{1,6}(?: |$)|[-+*](?: |$)|>|[0-9]{1,9}[.)](?: |$)|```|~~~|<[A-Za-z/!?]|[-*_](?: ?[-*_]){2,}$|\\[[^\\]]*\\]:|\\[[ xX]\\] )")

// itemText is the text of an item that begins no list, heading or block of its
// own.
func itemText(text string) string {
	if !structure.MatchString(text) {
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
