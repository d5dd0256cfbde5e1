package schema

// A LogRecovery is a line of recovery.jsonl.
type LogRecovery struct {
	Timestamp string  `json:"timestamp,omitzero"`
	Event     string  `json:"event"`
	ChunkID   string  `json:"chunk_id"`
	SessionID string  `json:"session_id,omitzero"`
	Prompt    string  `json:"prompt,omitzero"`
	Score     float64 `json:"score"`            // ratio
	Trigger   string  `json:"trigger,omitzero"` // manual, automatic
}
