package schema

// Knobs are the settings of context-config.yaml. The memfas plan writes their names in
// upper case.
type Knobs struct {
	CompactionTrigger float64 // COMPACTION_TRIGGER_PCT, ratio of the window at which compaction begins
	MaxContext        float64 // MAX_CONTEXT_PCT, ratio of the window: the hard limit
	CurationTrigger   float64 // CURATION_TRIGGER_PCT, ratio of the window at which curation begins

	RelevanceCutoff float64 // RELEVANCE_CUTOFF, ratio: chunks below it are dropped
	KeepThreshold   float64 // KEEP_THRESHOLD, ratio: chunks from this value on are kept
	RecencyBonus    float64 // RECENCY_BONUS, weight of the age of a chunk
	ImportanceBonus float64 // IMPORTANCE_BONUS, also IMPORTANCE_BOOT: weight of marked importance
	MinChunksToKeep int     // MIN_CHUNKS_TO_KEEP: number of latest chunks that always stay
	MemfasMinScore  float64 // MEMFAS_MIN_SCORE, ratio: a lower similarity counts as 0
	MemfasWeight    float64 // MEMFAS_WEIGHT, weight of similarity

	ColdStorageEnabled bool   // COLD_STORAGE_ENABLED: if false, nothing is dropped
	ColdStoragePath    string // COLD_STORAGE_PATH, below the tree's folder
	RecoverableForDays int    // RECOVERABLE_FOR_DAYS

	SummarizeMediumChunks bool   // SUMMARIZE_MEDIUM_CHUNKS: summarize chunks between the thresholds; if false, keep them
	SummaryTargetTokens   int    // SUMMARY_TARGET_TOKENS
	SummaryModel          string // SUMMARY_MODEL: used only if the user's own configuration allows it

	LogPath       string // LOG_PATH, below the tree's folder
	LogCompaction bool   // LOG_COMPACTION
	LogCuration   bool   // LOG_CURATION
	LogDrops      bool   // LOG_DROPS
	LogRecovery   bool   // LOG_RECOVERY
}

// DefaultKnobs returns the defaults of the memfas plan.
func DefaultKnobs() Knobs {
	return Knobs{
		CompactionTrigger: 0.50, MaxContext: 0.85, CurationTrigger: 0.40,
		RelevanceCutoff: 0.3, KeepThreshold: 0.7, RecencyBonus: 0.2, ImportanceBonus: 0.1, MinChunksToKeep: 5,
		MemfasMinScore: 0.05, MemfasWeight: 0.6,
		ColdStorageEnabled: true, ColdStoragePath: "cold-storage/", RecoverableForDays: 30,
		SummarizeMediumChunks: true, SummaryTargetTokens: 500,
		LogPath: "logs/context/", LogCompaction: true, LogCuration: true, LogDrops: true, LogRecovery: true,
	}
}
