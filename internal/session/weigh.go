package session

import (
	"bytes"
	"slices"

	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/secret"
	"github.com/forgemind/forgemind/schema"
)

// Weigh notes in a message, unless it says so, how much it matters, and why, and the decision that it
// states. Neither makes a decision of it: that is for a command to do.
func Weigh(m *schema.Message, c schema.Config) {
	notes := map[string]any{}
	if m.Importance == nil {
		ratio, reasons := extract.Importance(*m, c.Bosses(), c.DecisionPhrases())
		m.Importance = &ratio
		notes["importance_reasons"] = reasons
	}
	if _, noted := DetectedIn(*m); !noted && m.Role != "tool" && m.Kind != "summary" {
		d, ok := extract.Decision(m.Content, c.DecisionPhrases())
		if ok && (!d.Imperative || m.Role == "user" || c.IsBoss(m.Agent)) {
			notes["detected"] = Detected{Decision: d.Decision, Rationale: d.Rationale, Confidence: d.Confidence}
		}
	}
	for _, name := range []string{"importance_reasons", "detected"} {
		value, ok := notes[name]
		if !ok {
			continue
		}
		if len(m.Metadata) == 0 {
			m.Metadata = []byte("{}")
		}
		text, err := jsonedit.Value(value)
		if err == nil {
			if with, err := jsonedit.Set(m.Metadata, "/"+name, text); err == nil {
				m.Metadata = with
			}
		}
	}
}

// WeighLines weighs the messages among lines that a program other than forgemind wrote, masks the secrets
// in them, and fills in who said them in which role; those without an id get one that derives from what
// they say. The lines themselves stay as they are.
func WeighLines(lines []Line, c schema.Config) {
	for i, line := range lines {
		if line.Message == nil || bytes.Contains(line.Message.Metadata, []byte(`"importance_reasons"`)) {
			continue
		}
		m := *line.Message
		if m.ID == "" {
			m.ID = schema.DerivedID("msg-", []byte(mark(m)))
		}
		m.Content, _ = secret.Mask(m.Content)
		_ = Attribute(&m) // else it is a finding
		Weigh(&m, c)
		lines[i].Message = &m
	}
}

// Weighed returns the messages among lines, in order, weighed as WeighLines does. The lines stay as
// they are.
func Weighed(lines []Line, c schema.Config) []schema.Message {
	lines = slices.Clone(lines)
	WeighLines(lines, c)
	return Messages(lines)
}
