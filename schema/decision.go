package schema

// The origins of a decision.
const (
	OriginExplicit = "explicit" // recorded by a person or an agent
	OriginDetected = "detected" // found in a conversation
	OriginImported = "imported" // found only in a view, and copied into the ledger
)

// A Decision is a file of the ledger that is written once and never changed.
type Decision struct {
	ID                   string   `json:"id"`
	Timestamp            string   `json:"timestamp,omitzero"`
	Decision             string   `json:"decision"`
	Rationale            string   `json:"rationale,omitzero"`
	AlternativesRejected []string `json:"alternatives_rejected,omitzero"`
	Impact               []string `json:"impact,omitzero"`
	DecisionMaker        string   `json:"decision_maker,omitzero"`
	RecordedBy           string   `json:"recorded_by,omitzero"`
	Immutable            bool     `json:"immutable"`
	Supersedes           IDs      `json:"supersedes,omitzero"` // ids of the decisions that it replaces
	Project              string   `json:"project,omitzero"`
	Channel              string   `json:"channel,omitzero"`
	Files                []string `json:"files,omitzero"` // paths of the files that it concerns
	Origin               string   `json:"origin,omitzero"`
	Confidence           float64  `json:"confidence,omitzero"` // of a detected decision, ratio
	NotedBy              []string `json:"noted_by,omitzero"`   // agents whose notes show it
}
