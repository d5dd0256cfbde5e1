package schema

// A LogDrop is a line of drops.jsonl.
type LogDrop struct {
	Timestamp       string  `json:"timestamp,omitzero"`
	Event           string  `json:"event"`
	ChunkID         string  `json:"chunk_id"`
	SessionID       string  `json:"session_id,omitzero"`
	Reason          string  `json:"reason,omitzero"`
	RelevanceScore  float64 `json:"relevance_score"` // ratio
	ThresholdUsed   float64 `json:"threshold_used"`  // ratio
	ColdStoragePath string  `json:"cold_storage_path,omitzero"`
	// The parts of RelevanceScore; absent if nothing was compared with a prompt.
	Similarity *float64 `json:"similarity,omitzero"` // ratio
	Hours      *float64 `json:"hours,omitzero"`      // age
	Important  bool     `json:"important,omitzero"`
	Tokens     Int      `json:"tokens,omitzero"`
	ConfigUsed string   `json:"config_used,omitzero"` // Knobs.Deciding
}
