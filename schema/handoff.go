package schema

import "encoding/json"

// A Handoff is the result of a task, handed from one agent to another.
type Handoff struct {
	ID      string          `json:"id"`
	Task    string          `json:"task"`
	From    string          `json:"from,omitzero"`
	To      string          `json:"to,omitzero"`
	Created string          `json:"created,omitzero"`
	Status  string          `json:"status,omitzero"`
	Summary string          `json:"summary,omitzero"`
	Results json.RawMessage `json:"results,omitzero"` // any result of the task
	Files   []string        `json:"files,omitzero"`
}
