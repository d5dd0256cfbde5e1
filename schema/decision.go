package schema

// Where a decision comes from.
const (
	OriginExplicit = "explicit" // somebody recorded it
	OriginDetected = "detected" // found in a conversation
	OriginImported = "imported" // found in a view only, and taken into the Ledger
)

// HighPriority is the priority that makes a boss's decision a major one.
const HighPriority = "high"

// A Decision is written once, as its own file of the Ledger, and never changed.
type Decision struct {
	ID                   string   `json:"id,omitzero"`
	Timestamp            string   `json:"timestamp,omitzero"`
	Decision             string   `json:"decision"`
	Rationale            string   `json:"rationale,omitzero"`
	AlternativesRejected []string `json:"alternatives_rejected,omitzero"`
	Impact               []string `json:"impact,omitzero"`
	DecisionMaker        string   `json:"decision_maker,omitzero"`
	RecordedBy           string   `json:"recorded_by,omitzero"`
	Priority             string   `json:"priority,omitzero"` // HighPriority, or another word; "" is normal
	Boss                 bool     `json:"boss,omitzero"`     // a boss took it
	Immutable            bool     `json:"immutable"`
	Supersedes           IDs      `json:"supersedes,omitzero"` // what it replaces
	Project              string   `json:"project,omitzero"`
	Channel              string   `json:"channel,omitzero"`
	Files                []string `json:"files,omitzero"` // paths it is about
	Origin               string   `json:"origin,omitzero"`
	Confidence           float64  `json:"confidence,omitzero"` // of a detected one, ratio
}
