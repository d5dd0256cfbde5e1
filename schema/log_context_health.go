package schema

// A LogHealth is a line of context-health.jsonl.
type LogHealth struct {
	Timestamp              string  `json:"timestamp,omitzero"`
	CurrentTokens          Int     `json:"current_tokens"`
	Limit                  Int     `json:"limit"`                    // tokens
	PctUsed                float64 `json:"pct_used"`                 // ratio
	NextCompactionEstimate Int     `json:"next_compaction_estimate"` // tokens
	MemcachedChunks        Int     `json:"memcached_chunks"`
	ColdStorageChunks      Int     `json:"cold_storage_chunks"`
}
