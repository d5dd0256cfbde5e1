package schema

// Knobs are the settings of context-config.yaml, which the memfas plan spells in
// upper case.
type Knobs struct {
	CompactionTrigger float64 // COMPACTION_TRIGGER_PCT, ratio of the window: compaction begins
	MaxContext        float64 // MAX_CONTEXT_PCT, ratio of the window: the hard limit
	CurationTrigger   float64 // CURATION_TRIGGER_PCT, ratio of the window: curation begins

	RelevanceCutoff float64 // RELEVANCE_CUTOFF, ratio: below it a chunk is dropped
	KeepThreshold   float64 // KEEP_THRESHOLD, ratio: from it on a chunk is kept
	RecencyBonus    float64 // RECENCY_BONUS, weight of how recent a chunk is
	ImportanceBonus float64 // IMPORTANCE_BONUS, also IMPORTANCE_BOOT: weight of being marked as important
	MinChunksToKeep int     // MIN_CHUNKS_TO_KEEP: so many of the last chunks always stay
	MemfasMinScore  float64 // MEMFAS_MIN_SCORE, ratio: a similarity below it is none
	MemfasWeight    float64 // MEMFAS_WEIGHT, weight of similarity

	ColdStorageEnabled bool   // COLD_STORAGE_ENABLED: where it is not, nothing is dropped
	ColdStoragePath    string // COLD_STORAGE_PATH, below the tree's folder
	RecoverableForDays int    // RECOVERABLE_FOR_DAYS

	SummarizeMediumChunks bool   // SUMMARIZE_MEDIUM_CHUNKS: those between the thresholds; else they are kept
	SummaryTargetTokens   int    // SUMMARY_TARGET_TOKENS
	SummaryModel          string // SUMMARY_MODEL: a wish, which only the user's own configuration can grant

	LogPath       string // LOG_PATH, below the tree's folder
	LogCompaction bool   // LOG_COMPACTION
	LogCuration   bool   // LOG_CURATION
	LogDrops      bool   // LOG_DROPS
	LogRecovery   bool   // LOG_RECOVERY
}

// DefaultKnobs are the plan's own.
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
