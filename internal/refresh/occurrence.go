package refresh

import (
	"time"

	"github.com/forgemind/forgemind/validate"
)

// The events that a watcher tells of.
const (
	Ready   = "ready"   // the watcher hears every change from now on
	Changed = "changed" // a document is another than before
	Invalid = "invalid" // one finding of validate's in a document, an error or a warning
	Valid   = "valid"   // a document in which something was found has no findings any more
	FiredOn = "fired"   // a trigger fired
	ActedOn = "action"  // an action's effect is durable
	Wrote   = "wrote"   // a document that forgemind changed, for a trigger or for what others changed
	Paused  = "paused"  // automatic writes wait
	Warned  = "warning" // something that a person should know
	Failed  = "error"   // something could not be done; the watcher goes on
)

// An Occurrence is one thing that a watcher tells of.
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
	Built    *bool             `json:"built,omitzero"` // of an action: false, this version has it not and did nothing
	Message  string            `json:"message,omitempty"`
	By       []string          `json:"by,omitempty"` // who caused what fired, or made the record that was written, as far as that is known
	Hint     string            `json:"hint,omitempty"`
	Ms       float64           `json:"ms,omitzero"` // milliseconds since the change was noticed
}
