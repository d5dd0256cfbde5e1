package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Recovery selects chunks of cold storage: one by its id, or those that match a
// query.
type Recovery struct {
	ChunkID string
	Query   string
	Limit   int // the most chunks; 0 is all
}

// Recover finds chunks, the best first, and logs the recovery: a dropped message that
// is needed again was dropped by mistake, and `tune` counts it. The error is
// cold.ErrUnknown if cold storage lacks the id. If only the log cannot be written,
// Recover returns the chunks and the error.
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

// Recovered logs that somebody recovered chunks, and the query.
func (t *Tree) Recovered(ctx context.Context, found []cold.Found, query string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error { return r.logRecovered(found, query, manual) })
}

// Find finds chunks, the best first, and writes nothing but derived indexes.
func Find(tree *fs.Tree, what Recovery) ([]cold.Found, error) {
	if strings.TrimSpace(what.Query) != "" {
		most := 0
		if what.Limit > 0 { // a copy of each may be found as well, and tool outputs before it
			most = 4*what.Limit + 50
		}
		found, err := cold.Recover(tree, what.Query, most)
		if found = TalkFirst(WithoutCopies(found)); what.Limit > 0 && len(found) > what.Limit {
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

// WithoutCopies leaves out messages that recovered a chunk and were dropped again, if
// that chunk is among found as well.
func WithoutCopies(found []cold.Found) []cold.Found {
	there := map[string]bool{}
	for _, f := range found {
		there[f.ChunkID] = true
	}
	return slices.DeleteFunc(found, func(f cold.Found) bool {
		m, ok := session.MessageOfChunk(f.Chunk)
		of := recoveredChunk(m)
		return ok && of != "" && there[of]
	})
}

// OutputWeight is the factor for the score of a tool's output, relative to messages. An output
// repeats the words of a query more often and answers it less.
const OutputWeight = 0.4

// TalkFirst multiplies the scores of tools' outputs by OutputWeight, and sorts again.
func TalkFirst(found []cold.Found) []cold.Found {
	for i := range found {
		if f := &found[i]; isOutput(f.Chunk) {
			f.Score, f.Match = math.Round(1000*OutputWeight*f.Score)/1000, OutputWeight*f.Match
		}
	}
	slices.SortStableFunc(found, func(a, b cold.Found) int { return cmp.Compare(b.Score, a.Score) })
	return found
}

// isOutput reports whether a chunk is an output of a tool.
func isOutput(c schema.Chunk) bool {
	m, ok := session.MessageOfChunk(c)
	return c.DropReason == compact.OldOutput || ok && IsOutput(m)
}

// IsOutput reports whether a message is an output of a tool.
func IsOutput(m schema.Message) bool { return m.Role == "tool" || m.Kind == compact.ToolOutput }

// The causes of a recovery, as the log names them.
const (
	manual    = "manual"
	automatic = "automatic"
)

// logRecovered logs that chunks were recovered, and for which prompt.
func (r *WorkingSet) logRecovered(found []cold.Found, prompt, trigger string) error {
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
