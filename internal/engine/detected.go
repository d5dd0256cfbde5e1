package engine

import (
	"strings"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/extract"
	"github.com/forgemind/forgemind/schema"
)

// detected returns a message of the boss as a decision of the Ledger. All of it derives
// from the message, so that two copies of a tree record the same decision.
func (r *WorkingSet) detected(m schema.Message) schema.Decision {
	recordedBy := m.Agent
	if recordedBy == "" {
		recordedBy = r.author()
	}
	d := schema.Decision{
		ID:            schema.DerivedID("DEC-", []byte(m.ID+"\n"+m.Content)),
		Timestamp:     m.Timestamp,
		Decision:      m.Content,
		DecisionMaker: m.Agent,
		RecordedBy:    recordedBy,
		Immutable:     true,
		Origin:        schema.OriginDetected,
		Confidence:    0.8, // a phrase was found
	}
	if !strings.Contains(m.Content, "\n") {
		d.Decision, d.Rationale = extract.Because(m.Content)
	}
	if m.Kind == compact.Decision {
		d.Confidence = 1 // the message has a label
	}
	return d
}
