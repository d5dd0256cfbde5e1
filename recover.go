package forgemind

import (
	"context"
	"strings"

	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/schema"
)

// A Chunk is a message, or a passage of a long one, that left a conversation and
// is kept in cold storage.
type Chunk = schema.Chunk

// A Found is a Chunk that answers a query. Its content is word for word what was said;
// see Sanitize.
type Found struct {
	Chunk
	Score float64 // higher is better; 1 for one that was named
}

// ErrUnknownChunk is the id of a chunk that cold storage has not, or no more.
var ErrUnknownChunk = cold.ErrUnknown

// Recover finds the chunks that answer query best, at most limit (0 is all), the
// best first. It is noted in the tree's log, for a drop that had to be recovered
// was a mistake; where only that fails, the chunks come with the error. The
// conversation stays as it is: what to do with them is the program's. An empty
// query finds none.
func (t *Tree) Recover(ctx context.Context, query string, limit int) ([]Found, error) {
	if strings.TrimSpace(query) == "" {
		return nil, ctx.Err()
	}
	return t.recover(ctx, engine.Recovery{Query: query, Limit: limit})
}

// RecoverChunk is Recover of one chunk by its id. ErrUnknownChunk where there is
// none.
func (t *Tree) RecoverChunk(ctx context.Context, id string) (Found, error) {
	found, err := t.recover(ctx, engine.Recovery{ChunkID: id})
	if len(found) == 0 {
		return Found{}, err
	}
	return found[0], err
}

func (t *Tree) recover(ctx context.Context, what engine.Recovery) ([]Found, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	chunks, _, err := t.tree.Recover(ctx, what)
	var found []Found
	for _, c := range chunks {
		found = append(found, Found{c.Chunk, c.Score})
	}
	return found, err
}

// Recover is that of the Window's Tree.
func (w *Window) Recover(ctx context.Context, query string, limit int) ([]Found, error) {
	return w.tree.Recover(ctx, query, limit)
}

// Sanitize returns text that somebody said as it may be quoted to an agent or shown in
// a terminal: tags, the tokens of chat templates and escape sequences are spelled out.
func Sanitize(text string) string { return sanitize.Text(text) }
