package session

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Detected is a decision that a message states, as its metadata notes it under
// `detected`: nobody recorded it.
type Detected struct {
	Decision   string  `json:"decision"`
	Rationale  string  `json:"rationale,omitempty"`
	Confidence float64 `json:"confidence"` // ratio
}

// DecisionID returns the id under which the decision that a message states is recorded.
func DecisionID(m schema.Message) string {
	return schema.DerivedID("DEC-", []byte(m.ID+"\n"+m.Content))
}

// DetectedIn is the decision that the metadata of a message notes; false for none.
func DetectedIn(m schema.Message) (Detected, bool) {
	var notes struct {
		Detected *Detected `json:"detected"`
	}
	if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &notes) != nil || notes.Detected == nil || notes.Detected.Decision == "" {
		return Detected{}, false
	}
	return *notes.Detected, true
}
