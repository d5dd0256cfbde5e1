package forgemind

import (
	"context"
	"fmt"
	"math"

	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
)

// A Status is how full a context window is, and what is to be done about it. The
// thresholds are those of the tree's context-config.yaml, unless config.json sets
// them for the policy memfas.
type Status struct {
	Tokens int     // in the window now
	Limit  int     // tokens that it may hold
	Ratio  float64 // Tokens to Limit

	NeedsCuration   bool // CURATION_TRIGGER_PCT is reached: Curate after the response
	NeedsCompaction bool // COMPACTION_TRIGGER_PCT is reached: Compact before it
	OverHardLimit   bool // MAX_CONTEXT_PCT is reached: an answer may have no room any more
	// Outdated says that the tree's conversation holds something else than the
	// program was handed: a trigger or another program compacted it, began a session
	// that continues it, or brought back from cold storage what the user asked for. HandOver hands it over, and so
	// does Compact.
	Outdated bool

	NextCompaction int      // tokens at which COMPACTION_TRIGGER_PCT is reached
	Added          int      // messages that were new to the tree
	Notes          []string // for people
}

// BeforeResponse is to be asked before each request to a model whose window holds
// maxTokens: it takes in what was said since, and says how full the window is. What
// the program's callbacks say of that is noted in the tree, where triggers may
// fire on it, as they do on what a command reports.
func (w *Window) BeforeResponse(ctx context.Context, maxTokens int) (status Status, err error) {
	if maxTokens < 1 {
		return status, fmt.Errorf("a window of %d tokens holds nothing", maxTokens)
	}
	err = w.alone(ctx, func() error {
		if status.Added, status.Notes, err = w.take(ctx); err != nil {
			return err
		}
		said := false
		if status.Tokens, said, err = w.count(ctx); err != nil {
			return err
		}
		talk, err := w.talkTokens() // before a trigger makes it less
		if err != nil {
			return err
		}
		w.others = max(0, status.Tokens-talk)
		text, _, err := w.context(w.talk)
		if err != nil {
			return err
		}
		w.beside = max(0, status.Tokens-text.Tokens)
		if said && status.Tokens > 0 {
			out, err := w.tree.tree.ReportUsage(ctx, "", status.Tokens, maxTokens)
			if err != nil {
				return err
			}
			status.Notes = append(status.Notes, out.Notes...)
		}
		k, err := health.Knobs(w.tree.tree)
		if err != nil {
			return err
		}
		_, latest, err := w.tree.conversation()
		if err != nil {
			return err
		}
		w.limit = maxTokens
		status.Limit, status.Ratio = maxTokens, float64(status.Tokens)/float64(maxTokens)
		status.NextCompaction = share(k.CompactionTrigger, maxTokens)
		status.NeedsCompaction = status.Tokens >= status.NextCompaction
		status.NeedsCuration = status.Tokens >= share(k.CurationTrigger, maxTokens)
		status.OverHardLimit = status.Tokens >= share(k.MaxContext, maxTokens)
		status.Outdated = latest != w.handed
		return ctx.Err()
	})
	return status, err
}

// share is how many tokens a part of a window is, rounded up.
func share(ratio float64, limit int) int {
	const fuzz = 1e-9 // 0.07 × 100 is not more than 7
	return int(math.Ceil(ratio*float64(limit) - fuzz))
}

// count returns how many tokens the window holds, and whether the program says so; if
// it does not, n is what the conversation costs.
func (w *Window) count(ctx context.Context) (n int, said bool, err error) {
	switch {
	case w.with.CountTokens != nil:
		n, err := w.with.CountTokens(ctx)
		if err == nil && n < 0 {
			err = fmt.Errorf("%d tokens", n)
		}
		if err != nil {
			return 0, false, fmt.Errorf("count tokens: %w", err)
		}
		return n, true, nil
	case w.with.GetContext != nil:
		text, err := w.with.GetContext(ctx)
		if err != nil {
			return 0, false, fmt.Errorf("get context: %w", err)
		}
		return w.tree.counter.Count(text), true, nil
	}
	n, err = w.talkTokens()
	return n, false, err
}

// talkTokens is what the conversation in the window costs, by the tree's counter.
func (w *Window) talkTokens() (int, error) {
	if w.talk != nil {
		return w.talk.tokens(w.tree), nil
	}
	return w.tree.talkTokens()
}

// talkTokens is what the tree's conversation costs, by its counter.
func (t *Tree) talkTokens() (int, error) {
	if known, ok := session.ReadTally(t.tree.Tree); ok && known.Counter == t.counter.Name() {
		return known.Tokens, nil
	}
	name, err := session.LiveName(t.tree)
	if err != nil {
		return 0, err
	}
	counted, err := session.Recount(t.tree.Tree, name, t.counter.Count, t.counter.Name())
	return counted.Tokens, err
}
