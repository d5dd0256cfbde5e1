package schema

// A Thread is the state of a discussion in a channel. Its messages are in files beside
// it.
type Thread struct {
	ID           string   `json:"id"`
	Channel      string   `json:"channel,omitzero"`
	Title        string   `json:"title,omitzero"`
	Status       string   `json:"status"` // active, resolved, archived
	Participants []string `json:"participants,omitzero"`
	Opened       string   `json:"opened,omitzero"`
	Resolved     string   `json:"resolved,omitzero"`
	Archived     string   `json:"archived,omitzero"`
	Condensation string   `json:"condensation,omitzero"` // the file name of its condensation
	Claim        *Claim   `json:"claim,omitzero"`        // of a record
	Rendered     string   `json:"rendered,omitzero"`     // the hash of the other members, if the document was rendered from records
}
