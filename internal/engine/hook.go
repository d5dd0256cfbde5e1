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

// Needed finds the chunks of cold storage that a prompt needs, the best first, as
// the action recover_chunks does: those whose score reaches KEEP_THRESHOLD as
// something that is said now. It writes nothing but derived indexes.
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
		if relevance.Score(k, f.Match, 0, f.Important).Score >= keep && !derived(f.Chunk) && !here(f) {
			needed = append(needed, f)
		}
	}
	return needed, nil
}

// SaidIn is the session that an agent says a chunk was said in; "" where nobody says.
func SaidIn(f cold.Found) string {
	m, ok := session.Left(f.Chunk)
	if !ok {
		return ""
	}
	return m.Session
}

// RecoveredFor notes in the log that a prompt brought chunks back by itself.
func (t *Tree) RecoveredFor(ctx context.Context, found []cold.Found, prompt string) (Outcome, error) {
	return t.do(ctx, func(r *round) error { return r.logRecovered(found, prompt, automatic) })
}

// KeepState is the action save_context_snapshot because something outside of the
// tree is about to happen, which why names.
func (t *Tree) KeepState(ctx context.Context, agent, why string) (Outcome, error) {
	return t.do(ctx, func(r *round) error {
		r.event.Agent = agent
		return keepSnapshot(r, &firing{Firing: triggers.Firing{Trigger: why}})
	})
}

// TouchFiles makes files, by their path from the project directory on, those that
// were edited last, in that order; a working copy without an active session has
// nowhere to say so.
func (t *Tree) TouchFiles(ctx context.Context, agent string, files []string) error {
	if id, err := session.Active(t.Tree); err != nil || id == "" {
		return err
	}
	_, err := t.Edit(ctx, agent, func(e *Edit) error {
		for _, file := range files {
			if _, err := e.TouchFile(file, ""); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
