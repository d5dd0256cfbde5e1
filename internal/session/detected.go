package session

import (
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// A Detected is a decision that was detected in a message and that nobody recorded. It is stored as
// `detected` in the message's metadata.
type Detected struct {
	Decision   string  `json:"decision"`
	Rationale  string  `json:"rationale,omitempty"`
	Confidence float64 `json:"confidence"` // ratio
}

// DetectedIn returns the detected decision in the metadata of a message. It reports false if there
// is none.
func DetectedIn(m schema.Message) (Detected, bool) {
	var notes struct {
		Detected *Detected `json:"detected"`
	}
	if len(m.Metadata) == 0 || jsonedit.Decode(m.Metadata, &notes) != nil || notes.Detected == nil || notes.Detected.Decision == "" {
		return Detected{}, false
	}
	return *notes.Detected, true
}
