package engine

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/triggers"
)

// Needed returns the chunks of cold storage that a prompt needs, the best first, by the
// rule of the action recover_chunks: their score, as of a message said now, reaches
// KEEP_THRESHOLD. It writes nothing but derived indexes.
func Needed(tree *fs.Tree, prompt string, most int, here func(cold.Found) bool) ([]cold.Found, error) {
	k, err := health.Knobs(tree)
	if err != nil {
		return nil, err
	}
	found, err := Find(tree, Recovery{Query: prompt, Limit: 4 * most})
	if err != nil {
		return nil, err
	}
	keep := relevance.Thousandths(k.KeepThreshold)
	var needed []cold.Found
	for _, f := range found {
		if len(needed) == most {
			break
		}
		if relevance.Score(k, f.Match, 0, f.Important).Score >= keep && !isDerived(f.Chunk) && !here(f) {
			needed = append(needed, f)
		}
	}
	return needed, nil
}

// SaidIn returns the agent's session in which the message of a chunk was said; "" if it
// is not known.
func SaidIn(f cold.Found) string {
	m, ok := session.MessageOfChunk(f.Chunk)
	if !ok {
		return ""
	}
	return m.Session
}

// RecoveredFor logs that a prompt recovered chunks automatically.
func (t *Tree) RecoveredFor(ctx context.Context, found []cold.Found, prompt string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error { return r.logRecovered(found, prompt, automatic) })
}

// KeepState runs the action save_context_snapshot before an event outside of the tree.
// why names the event.
func (t *Tree) KeepState(ctx context.Context, agent, why string) (Outcome, error) {
	return t.do(ctx, func(r *WorkingSet) error {
		r.event.Agent, r.copies = agent, true
		return keepSnapshot(r, cause{Firing: triggers.Firing{Trigger: why}})
	})
}
