package schema

import "slices"

// A Knob describes one field of Knobs, for people and for validation.
type Knob struct {
	Name    string // the name in context-config.yaml
	Also    string // another accepted spelling; "" if none
	Section string // the heading of the memfas plan
	Means   string // the meaning, one sentence
	Unit    string // ratio, weight, tokens, chunks, days, path, model, switch
	Moves   string // the effect of a larger and a smaller value

	least, most float64 // the bounds of a number
	whole       bool    // the number has no fraction
	field       func(*Knobs) any
}

// Headings of the memfas plan.
const (
	limits    = "Context Limits"
	scoring   = "Relevance Scoring"
	memfas    = "memfas Integration"
	storage   = "Cold Storage"
	summaries = "Summarization"
	logging   = "Logging"
)

// knobs lists all knobs in the order of the memfas plan.
var knobs = []Knob{
	ratio("COMPACTION_TRIGGER_PCT", limits, leastTrigger, func(k *Knobs) any { return &k.CompactionTrigger },
		"The share of the window at which compaction begins.",
		"Lower: compaction comes sooner and leaves more room. Higher: more of the conversation stays word for word."),
	ratio("MAX_CONTEXT_PCT", limits, leastTrigger, func(k *Knobs) any { return &k.MaxContext },
		"The share of the window that is never to be passed: from here on compaction is forced.",
		"Lower: more is kept free for the answer. Higher: forced compactions are rarer, and closer to the end of the window."),
	ratio("RELEVANCE_CUTOFF", scoring, 0, func(k *Knobs) any { return &k.RelevanceCutoff },
		"A chunk whose score is below this is dropped to cold storage; one that is exactly here is not.",
		"Higher: more is dropped, and more has to be recovered. Lower: more is summarised instead."),
	ratio("KEEP_THRESHOLD", scoring, 0, func(k *Knobs) any { return &k.KeepThreshold },
		"A chunk whose score is this or more stays as it is; between here and RELEVANCE_CUTOFF it is summarised.",
		"Higher: more is summarised. Lower: more stays word for word, as far as the budget goes."),
	weight("RECENCY_BONUS", func(k *Knobs) any { return &k.RecencyBonus },
		"How much the age of a chunk counts; it halves every six hours.",
		"Higher: what was said last outweighs what answers the prompt. 0: age does not matter."),
	also("IMPORTANCE_BOOT", weight("IMPORTANCE_BONUS", func(k *Knobs) any { return &k.ImportanceBonus },
		"How much it counts that a chunk is marked as important.",
		"Higher: marked chunks score nearer to 1. 0: the mark does not matter to the score; pins stay in any case.")),
	number("MIN_CHUNKS_TO_KEEP", scoring, "chunks", 0, 100_000, func(k *Knobs) any { return &k.MinChunksToKeep },
		"So many of the last chunks always stay.",
		"Higher: the end of the conversation is safer, and less room is left for what is relevant."),
	ratio("MEMFAS_MIN_SCORE", memfas, 0, func(k *Knobs) any { return &k.MemfasMinScore },
		"A similarity to the prompt below this counts as none.",
		"Higher: words that only happen to be shared count less. 0: every shared word counts."),
	in(memfas, weight("MEMFAS_WEIGHT", func(k *Knobs) any { return &k.MemfasWeight },
		"How much the similarity to the prompt counts.",
		"Higher: what answers the prompt stays, however old. Lower: age and marks decide.")),
	ratio("CURATION_TRIGGER_PCT", memfas, leastTrigger, func(k *Knobs) any { return &k.CurationTrigger },
		"The share of the window at which curation begins: what the prompt does not need leaves.",
		"Lower: irrelevant chunks leave sooner, and compaction comes later. Higher: the reverse."),
	toggle("COLD_STORAGE_ENABLED", storage, func(k *Knobs) any { return &k.ColdStorageEnabled },
		"Whether dropped chunks go to cold storage; where they do not, nothing is dropped.",
		"false: compaction can only summarise, and says so."),
	folder("COLD_STORAGE_PATH", storage, func(k *Knobs) any { return &k.ColdStoragePath },
		"Where dropped chunks are: always the tree's own folder.",
		"Nothing: another place is not used."),
	number("RECOVERABLE_FOR_DAYS", storage, "days", 1, 36_500, func(k *Knobs) any { return &k.RecoverableForDays },
		"How long a dropped chunk can be recovered, from its drop on; then it goes to the trash.",
		"Higher: old chunks can still be recovered, and cold storage grows. Chunks that were dropped already keep their day."),
	toggle("SUMMARIZE_MEDIUM_CHUNKS", summaries, func(k *Knobs) any { return &k.SummarizeMediumChunks },
		"Whether chunks between RELEVANCE_CUTOFF and KEEP_THRESHOLD are summarised.",
		"false: they stay as they are while the budget allows it."),
	number("SUMMARY_TARGET_TOKENS", summaries, "tokens", 1, 1_000_000, func(k *Knobs) any { return &k.SummaryTargetTokens },
		"How long a summary is to be.",
		"Higher: summaries tell more, and a compaction frees less."),
	{Name: "SUMMARY_MODEL", Section: summaries, Unit: "model", field: func(k *Knobs) any { return &k.SummaryModel },
		Means: "The model that is wished for summaries; only a user's own configuration can grant it.",
		Moves: "Nothing by itself: what a tree says opens no connection."},
	folder("LOG_PATH", logging, func(k *Knobs) any { return &k.LogPath },
		"Where the logs are: always the tree's own folder.",
		"Nothing: another place is not used."),
	toggle("LOG_COMPACTION", logging, func(k *Knobs) any { return &k.LogCompaction },
		"Whether each compaction is written to compaction.jsonl.",
		"false: past compactions cannot be counted."),
	toggle("LOG_CURATION", logging, func(k *Knobs) any { return &k.LogCuration },
		"Whether each curation is written to curation.jsonl.",
		"false: what curation saves cannot be counted."),
	toggle("LOG_DROPS", logging, func(k *Knobs) any { return &k.LogDrops },
		"Whether each drop is written to drops.jsonl; cold storage has the chunk in any case.",
		"false: tuning does not see the drops."),
	toggle("LOG_RECOVERY", logging, func(k *Knobs) any { return &k.LogRecovery },
		"Whether each recovery is written to recovery.jsonl.",
		"false: tuning does not see which drops were mistakes."),
}

// leastTrigger prevents a trigger that fires on an empty window.
const leastTrigger = 0.01

func ratio(name, section string, least float64, field func(*Knobs) any, means, moves string) Knob {
	return Knob{Name: name, Section: section, Unit: "ratio", least: least, most: 1, field: field, Means: means, Moves: moves}
}

func weight(name string, field func(*Knobs) any, means, moves string) Knob {
	return Knob{Name: name, Section: scoring, Unit: "weight", most: 1, field: field, Means: means, Moves: moves}
}

func number(name, section, unit string, least, most float64, field func(*Knobs) any, means, moves string) Knob {
	return Knob{Name: name, Section: section, Unit: unit, least: least, most: most, whole: true, field: field, Means: means, Moves: moves}
}

func toggle(name, section string, field func(*Knobs) any, means, moves string) Knob {
	return Knob{Name: name, Section: section, Unit: "switch", field: field, Means: means, Moves: moves}
}

func folder(name, section string, field func(*Knobs) any, means, moves string) Knob {
	return Knob{Name: name, Section: section, Unit: "path", field: field, Means: means, Moves: moves}
}

func also(spelling string, k Knob) Knob {
	k.Also = spelling
	return k
}

func in(section string, k Knob) Knob {
	k.Section = section
	return k
}

// AllKnobs returns the knobs in the order of the memfas plan.
func AllKnobs() []Knob { return slices.Clone(knobs) }

// FindKnob returns the knob with that name or other spelling.
func FindKnob(name string) (Knob, bool) {
	for _, k := range knobs {
		if name != "" && (k.Name == name || k.Also == name) {
			return k, true
		}
	}
	return Knob{}, false
}

// Default returns the default value in the notation of a file.
func (k Knob) Default() string {
	value, _ := DefaultKnobs().Get(k.Name)
	return value
}
