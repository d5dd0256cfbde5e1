package schema

import (
	"encoding/json"
	"strings"
)

// Where a decision comes from.
const (
	OriginExplicit = "explicit" // somebody recorded it
	OriginDetected = "detected" // found in a conversation
	OriginImported = "imported" // found in a view only, and taken into the Ledger
)

// Proposed is the status of a decision that somebody only asks for. With another word, such as
// accepted, and without one it is in force.
const Proposed = "proposed"

// HighPriority is the priority that makes a boss's decision a major one.
const HighPriority = "high"

// A Word is a text that was free for other programs to use: a value of another kind reads as "".
type Word string

// UnmarshalJSON implements json.Unmarshaler.
func (w *Word) UnmarshalJSON(src []byte) error {
	var text string
	_ = json.Unmarshal(src, &text) // "" of another kind
	*w = Word(text)
	return nil
}

// A Flag is a bool that was free for other programs to use: a value of another kind reads as false.
type Flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *Flag) UnmarshalJSON(src []byte) error {
	*f = string(src) == "true"
	return nil
}

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
	Priority             Word     `json:"priority,omitzero"` // HighPriority, or another word; "" is normal
	Boss                 Flag     `json:"boss,omitzero"`     // a boss took it
	Status               Word     `json:"status,omitzero"`   // Proposed: it is not in force
	Immutable            bool     `json:"immutable"`
	Supersedes           IDs      `json:"supersedes,omitzero"` // what it replaces
	Project              string   `json:"project,omitzero"`
	Channel              string   `json:"channel,omitzero"`
	Files                []string `json:"files,omitzero"` // paths it is about
	Origin               string   `json:"origin,omitzero"`
	Confidence           float64  `json:"confidence,omitzero"` // of a detected one, ratio
}

// SameWords reports whether two texts say the same in the same words, in whatever case and with or without
// a full stop.
func SameWords(a, b string) bool { return plainWords(a) == plainWords(b) }

// plainWords returns a text as texts are compared.
func plainWords(text string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Join(strings.Fields(text), " "), "."))
}

// IsProposed reports whether the decision is a proposal, which is not in force and supersedes nothing.
func (d *Decision) IsProposed() bool { return strings.EqualFold(string(d.Status), Proposed) }
