package session

import (
	"bytes"

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

// AsSeen returns a message of a conversation as it is shown: one that a program other than forgemind wrote is
// weighed, says who said it in which role, and has its secrets masked and an id that derives from what it
// says if it had none.
func AsSeen(m schema.Message, c schema.Config) schema.Message {
	if bytes.Contains(m.Metadata, []byte(`"importance_reasons"`)) {
		return m
	}
	if m.ID == "" {
		m.ID = schema.DerivedID("msg-", []byte(mark(m)))
	}
	m.Content, _ = secret.Mask(m.Content)
	_ = Attribute(&m) // else it is a finding
	Weigh(&m, c)
	return m
}

// WeighLines makes the messages of lines those that AsSeen returns. The text of the lines stays as it is.
func WeighLines(lines []Line, c schema.Config) {
	for i, line := range lines {
		if line.Message != nil {
			lines[i].Message = new(AsSeen(*line.Message, c))
		}
	}
}

// Weighed returns the messages among lines, in order, as AsSeen does.
func Weighed(lines []Line, c schema.Config) []schema.Message {
	messages := Messages(lines)
	for i, m := range messages {
		messages[i] = AsSeen(m, c)
	}
	return messages
}
