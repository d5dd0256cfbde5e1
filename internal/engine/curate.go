package engine

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// curate is an action: messages that do not answer the prompt move from the
// conversation to cold storage. It moves messages at most once in a transaction.
func curate(r *WorkingSet, _ cause) error {
	if r.compacted {
		return nil
	}
	if r.tooLong() {
		return nil
	}
	o := r.compactOptions()
	o.Strategy, o.Curate = compact.Relevance, true
	done, err := r.carryOut(o, r.logCuration)
	r.out.Notes = append(r.out.Notes, done.Notes...)
	if err == nil && done.Empty() {
		r.compacted = false // a compaction that is due at the same time may still run
	}
	return err
}

// logCuration notes in the logs what a curation found and dropped.
func (r *WorkingSet) logCuration(done Compacted, o compact.Options, chunks []schema.Chunk) error {
	dropped, err := r.logDrops(done, o, chunks)
	if err != nil {
		return err
	}
	before, found := hitRatios(done, o.Knobs)
	return r.log(fs.CurationLog, schema.LogCuration{
		Timestamp: schema.FormatTime(r.at), Event: "memfas_curation", Query: done.Prompt,
		HitsFound: schema.Int(found), TotalHitsBeforeCuration: schema.Int(before),
		TokenSavings: schema.Int(max(0, done.TokensBefore-done.TokensAfter)), DropsTriggered: schema.Int(dropped),
	})
}

// hitRatios returns the number of messages that answered the prompt, and the number of
// those that stay.
func hitRatios(done Compacted, k schema.Knobs) (before, after int) {
	for _, s := range done.Steps {
		if s.Parts == nil || relevance.Thousandths(s.Parts.Similarity) < max(1, relevance.Thousandths(k.MemfasMinScore)) {
			continue
		}
		before++
		if s.Verdict == compact.Kept {
			after++
		}
	}
	return before, after
}
