package schema

import "encoding/json"

// BacktrackCommand is the command of a change of the project that went back to an earlier
// layer. The trigger backtrack_initiated waits for it.
const BacktrackCommand = "facilitator backtrack"

// A Change is a later file of a record: what became of it.
type Change struct {
	Of    string   `json:"of"`              // the id of the record
	After []string `json:"after,omitempty"` // ids of the changes of the record that whoever wrote this one saw
	At    string   `json:"at,omitzero"`
	By    string   `json:"by,omitzero"`
	// Command is the command that moved the project, where that is more than a plain change.
	Command string                     `json:"command,omitzero"`
	Set     map[string]json.RawMessage `json:"set"` // the members that change; null removes one
	// Saw has what the record's file said of them, null for nothing, where people edit that file.
	Saw map[string]json.RawMessage `json:"saw,omitempty"`
}
