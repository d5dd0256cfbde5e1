package schema

// A LogCompaction is a line of compaction.jsonl.
type LogCompaction struct {
	Timestamp        string `json:"timestamp,omitzero"`
	Event            string `json:"event"`
	Trigger          string `json:"trigger,omitzero"`
	TokensBefore     Int    `json:"tokens_before"`
	TokensAfter      Int    `json:"tokens_after"`
	ChunksDropped    Int    `json:"chunks_dropped"`
	ChunksSummarized Int    `json:"chunks_summarized"`
	ConfigUsed       string `json:"config_used,omitzero"`
}
