package schema

import "encoding/json"

// A Change is a later file of a record. It sets members of the record.
type Change struct {
	Of    string                     `json:"of"`              // the id of the record
	After []string                   `json:"after,omitempty"` // ids of the changes that the author of this one had seen
	At    string                     `json:"at,omitzero"`
	By    string                     `json:"by,omitzero"`
	Set   map[string]json.RawMessage `json:"set"` // the members that change; null removes one
}
