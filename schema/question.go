package schema

// A Question is one that is still open.
type Question struct {
	ID       string   `json:"id,omitzero"`
	Question string   `json:"question"`
	Context  string   `json:"context,omitzero"`
	AskedBy  string   `json:"asked_by,omitzero"`
	AskedAt  string   `json:"asked_at,omitzero"`
	Status   string   `json:"status,omitzero"`
	Priority string   `json:"priority,omitzero"`
	Blocking []string `json:"blocking,omitzero"` // ids of what waits for the answer
}
