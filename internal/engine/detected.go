package engine

import (
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// detected returns a message of the boss as a decision of the Ledger. All of it
// follows from the message, so that two copies of a tree record it once.
func (r *round) detected(m schema.Message) schema.Decision {
	recordedBy := m.Agent
	if recordedBy == "" {
		recordedBy = r.author()
	}
	d := schema.Decision{
		ID:            session.DecisionID(m),
		Timestamp:     m.Timestamp,
		Decision:      m.Content,
		DecisionMaker: m.Agent,
		RecordedBy:    recordedBy,
		Priority:      priority(m.Priority),
		Boss:          true,
		Immutable:     true,
		Origin:        schema.OriginDetected,
		Confidence:    0.8, // a phrase says so
	}
	if m.Kind == compact.Decision {
		d.Confidence = 1 // the message says so itself
	}
	return d
}
