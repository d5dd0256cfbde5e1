package schema

// Pins are the condensations pinned in a channel, 50 at most: a view of the pins,
// which have a file each.
type Pins struct {
	Channel  string `json:"channel,omitzero"`
	Pins     []Pin  `json:"pins"`
	Rendered string `json:"rendered,omitzero"` // the hash of the rest, of a view that was rendered from records
}

// A Pin is one pinned condensation.
type Pin struct {
	ID           string `json:"id,omitzero"`
	Condensation string `json:"condensation"` // its file name
	PinnedBy     string `json:"pinned_by,omitzero"`
	PinnedAt     string `json:"pinned_at,omitzero"`
}
