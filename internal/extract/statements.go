package extract

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// The classes of statements.
const (
	ClassDecision = "decision"
	ClassRule     = "rule"
	ClassGoal     = "goal"
)

// A Statement is a decision, a rule or a goal that a message states and nobody has recorded.
type Statement struct {
	Class      string
	Text       string
	Rationale  string  // of a decision; "" for none
	Confidence float64 // ratio 0–1
}

// Statements returns what a message states, at most one statement of each class: its rule,
// its decision and its goal. Only a message of the user or of one of bosses states an
// instruction, such as "Use RS256" or "Never push to main". A rule is no decision as well.
// Output of tools and summaries state nothing.
func Statements(m schema.Message, bosses, phrases []string) (found []Statement) {
	if m.Role == "tool" || m.Kind == "summary" || m.Kind == "tool_output" {
		return nil
	}
	instructs := m.Role == "user" || isBoss(m, bosses)
	rule := ""
	if r, ok := Rule(m.Content); ok && (instructs || !r.Imperative) {
		rule = r.Rule
		found = append(found, Statement{Class: ClassRule, Text: r.Rule, Confidence: r.Confidence})
	}
	if d, ok := Decision(m.Content, phrases); ok && (instructs || !d.Imperative) && (rule == "" || !strings.Contains(rule, d.Decision)) {
		found = append(found, Statement{Class: ClassDecision, Text: d.Decision, Rationale: d.Rationale, Confidence: d.Confidence})
	}
	if g, ok := Goal(m.Content); ok {
		found = append(found, Statement{Class: ClassGoal, Text: g.Goal, Confidence: g.Confidence})
	}
	return found
}

// StatementOf returns the statement of a class, or false.
func StatementOf(all []Statement, class string) (Statement, bool) {
	i := slices.IndexFunc(all, func(s Statement) bool { return s.Class == class })
	if i < 0 {
		return Statement{}, false
	}
	return all[i], true
}
