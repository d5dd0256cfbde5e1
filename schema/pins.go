package schema

// Pins are the condensations pinned in a channel, at most 50. The document is a view of
// the pins, each of which has its own file.
type Pins struct {
	Channel  string `json:"channel,omitzero"`
	Pins     []Pin  `json:"pins"`
	Rendered string `json:"rendered,omitzero"` // the hash of the other members, if the document was rendered from records
}

// A Pin is one pinned condensation.
type Pin struct {
	ID           string `json:"id,omitzero"`
	Condensation string `json:"condensation"` // the file name of the condensation
	PinnedBy     string `json:"pinned_by,omitzero"`
	PinnedAt     string `json:"pinned_at,omitzero"`
}
