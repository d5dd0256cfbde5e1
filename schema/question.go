package schema

// A Question is an open question.
type Question struct {
	ID       string   `json:"id"`
	Question string   `json:"question"`
	Context  string   `json:"context,omitzero"`
	AskedBy  string   `json:"asked_by,omitzero"`
	AskedAt  string   `json:"asked_at,omitzero"`
	Status   string   `json:"status,omitzero"`
	Priority string   `json:"priority,omitzero"`
	Blocking []string `json:"blocking,omitzero"` // ids of the items that wait for the answer
}
