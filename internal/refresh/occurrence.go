package refresh

import (
	"time"

	"github.com/forgemind/forgemind/validate"
)

// The events that a watcher reports.
const (
	Ready   = "ready"   // the watcher gets every change from now on
	Changed = "changed" // a document changed
	Invalid = "invalid" // a changed document has a finding of severity error
	Valid   = "valid"   // an invalid document is valid again
	FiredOn = "fired"   // a trigger fired
	ActedOn = "action"  // the effect of an action is durable
	Wrote   = "wrote"   // the actions of a trigger changed a document
	Paused  = "paused"  // automatic writes are paused
	Failed  = "error"   // something failed; the watcher continues
	Synced  = "synced"  // files were exchanged with the remote
	Offline = "offline" // the remote cannot be reached, or refuses
	Online  = "online"  // the remote can be reached again
)

// An Occurrence is one event that a watcher reports.
type Occurrence struct {
	Time     time.Time         `json:"time"` // UTC
	Event    string            `json:"event"`
	File     string            `json:"file,omitempty"`
	Line     int               `json:"line,omitzero"`
	Column   int               `json:"column,omitzero"`
	Pointer  string            `json:"pointer,omitempty"`
	Rule     string            `json:"rule,omitempty"`
	Severity validate.Severity `json:"severity,omitzero"`
	Trigger  string            `json:"trigger,omitempty"`
	Action   string            `json:"action,omitempty"`
	Built    *bool             `json:"built,omitzero"` // for an action: false if this version does not implement it
	Message  string            `json:"message,omitempty"`
	Hint     string            `json:"hint,omitempty"`
	Ms       float64           `json:"ms,omitzero"` // milliseconds since the change was noticed
}
