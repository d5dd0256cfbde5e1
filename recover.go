package forgemind

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/recall"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/sanitize"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Chunk is a message, or a passage of a long one, that left a conversation and is in cold
// storage.
type Chunk struct {
	ChunkID          string
	SessionID        string
	Timestamp        string // RFC 3339
	Content          string
	Tokens           int    // of Content
	Counter          string // name of the counter of Tokens
	DropReason       string
	RelevanceScore   float64 // ratio, for PromptAtDrop
	PromptAtDrop     string
	RecoverableUntil string // RFC 3339; "" means forever
	MessageID        string
	Part, Parts      int // of a long message, from 1; 0 if the chunk is the whole message
	Important        bool
}

func chunkOf(c schema.Chunk) Chunk {
	return Chunk{
		ChunkID: c.ChunkID, SessionID: c.SessionID, Timestamp: c.Timestamp, Content: c.Content, Tokens: int(c.Tokens), Counter: c.Counter,
		DropReason: c.DropReason, RelevanceScore: c.RelevanceScore, PromptAtDrop: c.PromptAtDrop, RecoverableUntil: c.RecoverableUntil,
		MessageID: c.MessageID, Part: int(c.Part), Parts: int(c.Parts), Important: c.Important,
	}
}

// A Found is a Chunk that answers a query. Its content is unchanged; see Sanitize.
type Found struct {
	Chunk
	Score float64 // higher is better; 1 for a chunk that was named by its id
}

// Recover returns the chunks that answer query best, at most limit (0 is all), the best
// first. The tree logs the recovery, because a drop that had to be recovered was a mistake;
// if only the log fails, Recover returns the chunks and the error. The conversation does not
// change: the program decides what to do with the chunks. An empty query finds none.
func (t *Tree) Recover(ctx context.Context, query string, limit int) ([]Found, error) {
	if strings.TrimSpace(query) == "" {
		return nil, ctx.Err()
	}
	return t.recover(ctx, engine.Recovery{Query: query, Limit: limit})
}

// RecoverChunk is Recover for one chunk by its id. The error is ErrUnknownChunk if there is
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
		found = append(found, Found{chunkOf(c.Chunk), c.Score})
	}
	return found, err
}

// Recover calls Recover of the Window's Tree. If the conversation belongs to a session, it also
// returns messages of this and of former sessions that are not in the program's window. These
// have no ChunkID, because they are not in cold storage, and are not in the recovery log.
func (w *Window) Recover(ctx context.Context, query string, limit int) (found []Found, err error) {
	if strings.TrimSpace(query) == "" {
		return nil, ctx.Err()
	}
	err = w.alone(ctx, func() error {
		if _, _, err := w.take(ctx); err != nil {
			return err
		}
		var unlogged error
		if found, unlogged = w.tree.Recover(ctx, query, limit); unlogged != nil && len(found) == 0 {
			return unlogged
		}
		said, err := w.absent(query, limit)
		found = best(query, append(found, said...), limit, len(said) > 0)
		return errors.Join(unlogged, err)
	})
	return found, err
}

// absent returns at most limit messages of sessions that match query and are not in the
// program's window; limit 0 means all. Without a session it returns none.
func (w *Window) absent(query string, limit int) (found []Found, err error) {
	if w.talk == nil {
		return nil, nil
	}
	held := map[string]bool{}
	for _, m := range w.talk.messages {
		held[m.ID] = true
	}
	hits, err := recall.Search(w.tree.tree.Tree, recall.Query{Words: query, Of: recall.Messages, Not: held, Limit: limit})
	for _, hit := range hits {
		m := hit.Message
		if hit.Beside || session.IsCompaction(*m) {
			continue
		}
		c := Chunk{SessionID: hit.Session, Timestamp: m.Timestamp, Content: m.Content, Tokens: int(m.Tokens), Counter: m.Counter, MessageID: m.ID}
		if c.Tokens == 0 || c.Counter != w.tree.counter.Name() {
			c.Tokens, c.Counter = w.tree.counter.Count(m.Content), w.tree.counter.Name()
		}
		found = append(found, Found{Chunk: c, Score: hit.Score})
	}
	return found, err
}

// best returns the limit best of found, best first; limit 0 means all. If mixed is true, found
// comes from two searches with different scores, and best scores it again.
func best(query string, found []Found, limit int, mixed bool) []Found {
	if mixed {
		texts := make([]relevance.Text, len(found))
		for i, f := range found {
			texts[i] = relevance.Text{Content: f.Content, Session: strconv.Itoa(i)} // no neighbors
		}
		for i, m := range relevance.Compare(query, texts) {
			found[i].Score = m.Similarity
		}
		slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(b.Score, a.Score) })
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found
}

// Sanitize returns text in a form that is safe to quote to an agent or to show in a terminal:
// tags, the tokens of chat templates and escape sequences are spelled out.
func Sanitize(text string) string { return sanitize.Text(text) }
