package engine

import (
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/triggers"
)

// An Event describes the cause of a transaction: a command, a message or a decision.
// The zero Event is a change of documents alone.
type Event struct {
	triggers.Event
	Agent    string           // who acts; written as last_updated_by at a checkpoint
	Decision *schema.Decision // the decision that Message is, if it is one
	Heard    []string         // Names of files that other programs changed, from a watcher
	Idle     bool             // look for idle threads now
	Recorded map[string]bool  // ids of decisions that a watcher saw in the Ledger
	PutBack  *FormerBytes     // bytes to restore before anything else; see Tree.RestoreAttic

	said     []schema.Message // the boss's decisions that the event is about; see setEvent
	snapshot []byte           // what a backtrack restores the State from
	intake   intake           // of the messages that are said
}

// An intake is the way in which messages are added to the conversation.
type intake int

const (
	justSaid        intake = iota
	transcriptPart         // from a transcript that is still being written
	wholeTranscript        // all of a transcript; compacts nothing
	wholeSession           // all of a transcript, as a session of its own
)
