package engine

import (
	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// curate is the action: what does not answer the prompt leaves the conversation
// for cold storage, and nothing else does. Once in a round something leaves.
func curate(r *round, f *firing) error {
	if r.compacted {
		return nil
	}
	if r.tooLong() {
		return nil
	}
	r.firing = f.Trigger
	o := r.compactOptions()
	o.Strategy, o.Curate = compact.Relevance, true
	done, err := r.carryOut(o, r.logCuration)
	r.out.Notes = append(r.out.Notes, done.Notes...)
	if err == nil && done.Empty() {
		r.compacted = false // the compaction that is due at the same time is another matter
	}
	return err
}

// logCuration notes in the logs what a curation found and dropped.
func (r *round) logCuration(done Compacted, o compact.Options, chunks []schema.Chunk) error {
	dropped, err := r.logDrops(done, o, chunks)
	if err != nil {
		return err
	}
	before, found := hits(done, o.Knobs)
	return r.log(fs.CurationLog, schema.LogCuration{
		Timestamp: schema.FormatTime(r.at), Event: "memfas_curation", Query: done.Prompt,
		HitsFound: schema.Int(found), TotalHitsBeforeCuration: schema.Int(before),
		TokenSavings: schema.Int(max(0, done.TokensBefore-done.TokensAfter)), DropsTriggered: schema.Int(dropped),
	})
}

// hits counts the messages that answered the prompt at all, and those of them
// that stay.
func hits(done Compacted, k schema.Knobs) (before, after int) {
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
