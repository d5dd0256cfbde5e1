package engine

import "github.com/forgemind/forgemind/triggers"

// An Event is a command that was given, or a message that was said. The zero Event is a change of
// documents and nothing else.
type Event struct {
	triggers.Event
	Agent string   // who acts; written as last_updated_by at a checkpoint
	Heard []string // Names that somebody else changed, as a watcher heard

	// Patient has what somebody may be in the middle of writing looked at later; see Outcome.Again.
	Patient bool
	Idle    bool // it is time to look what lies idle
}
