package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Recovery is what is asked of cold storage: a chunk by its id, or those that
// answer a query.
type Recovery struct {
	ChunkID string
	Query   string
	Limit   int // at most so many; 0 is all
}

// Recover finds chunks, the best first, and notes in the log that they were
// needed: a drop that has to be recovered was a mistake, and `tune` counts it.
// cold.ErrUnknown is an id that cold storage has not. Where only the log could not
// be written, the chunks are returned with the error.
func (t *Tree) Recover(ctx context.Context, what Recovery) (found []cold.Found, out Outcome, err error) {
	found, note, err := t.FindMeant(ctx, what)
	if err != nil || len(found) == 0 {
		out, err = noting(out, note, err)
		return found, out, err
	}
	out, err = t.Recovered(ctx, found, what.Query)
	out, err = noting(out, note, err)
	return found, out, err
}

// Recovered notes in the log that somebody recovered chunks, and for which query.
func (t *Tree) Recovered(ctx context.Context, found []cold.Found, query string) (Outcome, error) {
	return t.do(ctx, func(r *round) error { return r.logRecovered(found, query, manual) })
}

// Find finds chunks, the best first, and writes nothing but derived indexes.
func Find(tree *fs.Tree, what Recovery) ([]cold.Found, error) {
	if strings.TrimSpace(what.Query) != "" {
		found, err := cold.Recover(tree, what.Query, 2*what.Limit) // for each, its copy may come as well
		if found = WithoutCopies(found); what.Limit > 0 && len(found) > what.Limit {
			found = found[:what.Limit]
		}
		return found, err
	}
	chunk, err := cold.Get(tree, what.ChunkID)
	if err != nil {
		return nil, err
	}
	return []cold.Found{{Chunk: chunk, Score: 1}}, nil
}

// WithoutCopies leaves out messages that brought a chunk back and left again,
// where that chunk is found as well.
func WithoutCopies(found []cold.Found) []cold.Found {
	there := map[string]bool{}
	for _, f := range found {
		there[f.ChunkID] = true
	}
	return slices.DeleteFunc(found, func(f cold.Found) bool {
		m, ok := session.Left(f.Chunk)
		of := broughtBack(m)
		return ok && of != "" && there[of]
	})
}

// How a recovery came about, as the log says it.
const (
	manual    = "manual"
	automatic = "automatic"
)

// logRecovered notes in the log that chunks were recovered, and for what.
func (r *round) logRecovered(found []cold.Found, prompt, trigger string) error {
	for _, f := range found {
		err := r.log(fs.RecoveryLog, schema.LogRecovery{
			Timestamp: schema.FormatTime(r.at), Event: "chunk_recovered", ChunkID: f.ChunkID, SessionID: f.SessionID,
			Prompt: prompt, Score: min(1, max(0, f.Score)), Trigger: trigger,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
