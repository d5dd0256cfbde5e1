package engine

import (
	"cmp"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/schema"
)

// logCompaction writes to the logs what a compaction did and dropped. trigger is the
// trigger that compacted; "" for a person.
func (r *WorkingSet) logCompaction(done Compacted, o compact.Options, chunks []schema.Chunk, trigger string) error {
	dropped, err := r.logDrops(done, o, chunks)
	if err != nil {
		return err
	}
	return r.log(fs.CompactionLog, schema.LogCompaction{
		Timestamp: schema.FormatTime(r.at), Event: "compaction_triggered", Trigger: cmp.Or(trigger, "manual"),
		TokensBefore: schema.Int(done.TokensBefore), TokensAfter: schema.Int(done.TokensAfter),
		ChunksDropped: schema.Int(dropped), ChunksSummarized: schema.Int(len(chunks) - dropped), ConfigUsed: r.decidingSetting(done, trigger),
	})
}

// decidingSetting returns, in words, the setting that decided on a compaction.
func (r *WorkingSet) decidingSetting(done Compacted, trigger string) string {
	name := map[string]string{ThresholdTrigger: "COMPACTION_TRIGGER_PCT", LimitTrigger: "MAX_CONTEXT_PCT"}[trigger]
	if value, ok := r.knobs.Get(name); ok {
		return name + "=" + value
	}
	if done.Level != "" {
		return done.Strategy + ", " + done.Level
	}
	return done.Strategy
}

// logDrops logs the dropped chunks and returns their number. The other chunks were
// summarized.
func (r *WorkingSet) logDrops(done Compacted, o compact.Options, chunks []schema.Chunk) (dropped int, err error) {
	line := schema.LogDrop{Timestamp: schema.FormatTime(r.at), Event: "chunk_dropped", ColdStoragePath: done.Cold}
	if done.Strategy == compact.Relevance {
		line.ThresholdUsed, line.ConfigUsed = o.Knobs.RelevanceCutoff, o.Knobs.Deciding()
	}
	for _, c := range chunks {
		if !done.dropped[c.Line] {
			continue
		}
		line.ChunkID, line.SessionID, line.Reason, line.RelevanceScore = c.ChunkID, c.SessionID, c.DropReason, c.RelevanceScore
		line.Similarity, line.Hours, line.Important, line.Tokens = c.Similarity, c.Hours, c.Important, c.Tokens
		if err := r.log(fs.DropLog, line); err != nil {
			return dropped, err
		}
		dropped++
	}
	return dropped, nil
}
