package schema

// A Thread is the state of a discussion in a channel. Its messages stand beside it.
type Thread struct {
	ID           string   `json:"id"`
	Channel      string   `json:"channel,omitzero"`
	Title        string   `json:"title,omitzero"`
	Status       string   `json:"status"` // active, resolved, archived
	Participants []string `json:"participants,omitzero"`
	Opened       string   `json:"opened,omitzero"`
	Resolved     string   `json:"resolved,omitzero"`
	Archived     string   `json:"archived,omitzero"`
	Condensation string   `json:"condensation,omitzero"` // the file name of what came of it
	Rendered     string   `json:"rendered,omitzero"`     // of a view that was rendered from records: the hash of the rest
}
