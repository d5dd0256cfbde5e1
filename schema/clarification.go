package schema

// A Clarification is a question that was asked, and its answer.
type Clarification struct {
	ID         string `json:"id,omitzero"`
	Question   string `json:"question"`
	Answer     string `json:"answer,omitzero"`
	Context    string `json:"context,omitzero"`
	AskedBy    string `json:"asked_by,omitzero"`
	AskedAt    string `json:"asked_at,omitzero"`
	AnsweredBy string `json:"answered_by,omitzero"`
	AnsweredAt string `json:"answered_at,omitzero"`
}
