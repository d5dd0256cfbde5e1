package schema

// A LogCuration is a line of curation.jsonl.
type LogCuration struct {
	Timestamp               string `json:"timestamp,omitzero"`
	Event                   string `json:"event"`
	Query                   string `json:"query,omitzero"`
	HitsFound               Int    `json:"hits_found"`
	TotalHitsBeforeCuration Int    `json:"total_hits_before_curation"`
	TokenSavings            Int    `json:"token_savings"`
	DropsTriggered          Int    `json:"drops_triggered"`
}
