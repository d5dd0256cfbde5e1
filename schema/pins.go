package schema

// Pins are the condensations pinned in a channel, 50 at most.
type Pins struct {
	Channel string `json:"channel,omitzero"`
	Pins    []Pin  `json:"pins"`
}

// A Pin is one pinned condensation.
type Pin struct {
	Condensation string `json:"condensation"` // its file name
	PinnedBy     string `json:"pinned_by,omitzero"`
	PinnedAt     string `json:"pinned_at,omitzero"`
}
