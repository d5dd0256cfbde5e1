package forgemind

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// A Strategy decides which messages leave a conversation.
type Strategy string

// The strategies.
const (
	StrategyRelevance      Strategy = compact.Relevance      // messages that do not matter for the prompt leave
	StrategyAdaptive       Strategy = compact.Adaptive       // by the usage of the window
	StrategyPSD            Strategy = compact.PSD            // preserve, summarize, discard by importance
	StrategySessionSummary Strategy = compact.SessionSummary // a summary replaces older messages
)

// CompactOptions select how a conversation is compacted. The zero value follows the tree's
// context-config.yaml.
type CompactOptions struct {
	Strategy Strategy // StrategyRelevance if it is empty
	// Prompt is the text that messages are compared with. If it is empty, the last user
	// message is used.
	Prompt string
	// Budget is the largest number of tokens of the conversation afterwards. 0 stands for the
	// number that brings the window below CURATION_TRIGGER_PCT, once BeforeResponse was
	// called.
	Budget int
}

// check returns an *OptionError if an option has an invalid value.
func (o CompactOptions) check() error {
	known := []Strategy{StrategyRelevance, StrategyAdaptive, StrategyPSD, StrategySessionSummary}
	switch {
	case o.Strategy != "" && !slices.Contains(known, o.Strategy):
		return &OptionError{"Strategy", string(o.Strategy), fmt.Sprintf("one of %s", known)}
	case o.Budget < 0:
		return &OptionError{"Budget", strconv.Itoa(o.Budget), "a number of tokens, or 0"}
	}
	return nil
}

// A Compaction is the result of Compact.
type Compaction struct {
	ID           string // "" if no message left the conversation
	TokensBefore int    // of the conversation, by the tree's counter
	TokensAfter  int
	Kept         int      // messages that stayed, word for word
	Summarised   int      // messages that are in the summary in short, and in cold storage
	Dropped      int      // messages that are only in cold storage
	Handed       bool     // SetContext was called with the conversation
	Notes        []string // for people: why there is nothing to do, why the result is too large
}

// Compact shortens the conversation, and calls SetContext if it changed, by Compact or by
// another program. What leaves it is in cold storage before anything is cut; decisions, pins
// and the last messages stay. The messages of a session of `.quaid/` only leave the program's
// window: in the tree they stay in the window of the session or in its archive.
//
// If SetContext fails, the tree is compacted and the program's window is not; the next
// Compact calls SetContext again. The error is an *OptionError if an option has an invalid
// value.
func (w *Window) Compact(ctx context.Context, o CompactOptions) (Compaction, error) {
	if err := o.check(); err != nil {
		return Compaction{}, err
	}
	strategy := string(cmp.Or(o.Strategy, StrategyRelevance))
	return w.shorten(ctx, func() (engine.Compacted, engine.Outcome, error) {
		c := engine.Compaction{Strategy: strategy, Budget: o.Budget, Now: true, Prompt: o.Prompt}
		if c.Budget == 0 && w.limit > 0 {
			var err error
			if c.Budget, err = w.budget(ctx, c); err != nil {
				return engine.Compacted{}, engine.Outcome{}, err
			}
		}
		if w.talk == nil {
			return w.tree.tree.Compact(ctx, c)
		}
		done, out, err := w.tree.tree.Plan(ctx, w.talk.messages, c)
		if err == nil && !done.Empty() {
			w.talk, w.handed = w.talk.without(done, w.tree), ""
		}
		return done, out, err
	})
}

// without returns the talk after a Plan: a summary of the messages that left, with the open
// work, and the messages that stay.
func (t *talk) without(done engine.Compacted, tree *Tree) *talk {
	after := *t
	after.messages = nil
	for _, s := range done.Steps {
		if s.Verdict == compact.Kept {
			after.messages = append(after.messages, t.messages[s.Index])
		}
	}
	session.InOrder(after.messages)
	if done.Empty() {
		return &after
	}
	text, work := done.Plan.Summary, tree.openWork(after.session)
	if work != "" && text == "" {
		text = "# Session summary\n"
	}
	if text += work; text != "" {
		m := schema.Message{ID: summaryID(done.ID), Role: "system", Agent: "forgemind", Kind: summaryKind, Content: text, Timestamp: done.To}
		if len(after.messages) > 0 {
			m.Timestamp = after.messages[0].Timestamp
		}
		after.messages = append([]schema.Message{m}, after.messages...)
	}
	return &after
}

// Curate is a Compact that only drops messages that do not answer prompt. If prompt is empty,
// it is the user's last message. Call it if Status.NeedsCuration is set.
func (w *Window) Curate(ctx context.Context, prompt string) (Compaction, error) {
	return w.shorten(ctx, func() (engine.Compacted, engine.Outcome, error) { return w.tree.tree.Curate(ctx, prompt) })
}

// shorten reads new messages, shortens the conversation and hands it over.
func (w *Window) shorten(ctx context.Context, how func() (engine.Compacted, engine.Outcome, error)) (done Compaction, err error) {
	err = w.alone(ctx, func() error {
		_, notes, err := w.take(ctx)
		if err != nil {
			return err
		}
		plan, out, err := how()
		if err == nil {
			err = w.follow(nil)
		}
		if err != nil {
			return err
		}
		done = compaction(plan, append(notes, out.Notes...))
		done.Handed, err = w.handOver(ctx)
		return err
	})
	return done, err
}

// compaction returns a short form of the result of a Plan.
func compaction(plan engine.Compacted, notes []string) Compaction {
	done := Compaction{ID: plan.ID, TokensBefore: plan.TokensBefore, TokensAfter: plan.TokensAfter}
	for _, s := range plan.Steps {
		switch s.Verdict {
		case compact.Summarised:
			done.Summarised++
		case compact.Dropped:
			done.Dropped++
		default:
			done.Kept++
		}
	}
	done.Notes = append(plan.Notes, notes...)
	for _, note := range []string{plan.Alert, plan.Refused} {
		if note != "" {
			done.Notes = append(done.Notes, note)
		}
	}
	return done
}

// budget returns the tokens that the conversation may take so that the window, with the text
// that SetContext is given, falls below the start of curation. It returns 0 if the rest of the
// window fills it alone.
func (w *Window) budget(ctx context.Context, c engine.Compaction) (int, error) {
	k, err := health.Knobs(w.tree.tree)
	if err != nil {
		return 0, err
	}
	goal := share(k.CurationTrigger, w.limit) - 1
	const tries = 5
	c.Budget = goal - w.others
	for range tries {
		if c.Budget <= 0 {
			return 0, nil
		}
		messages, text, err := w.costs(ctx, c)
		over := text - (goal - w.beside)
		if err != nil || over <= 0 {
			return c.Budget, err
		}
		c.Budget = min(c.Budget, messages) - over
	}
	return max(0, c.Budget), nil
}

// costs returns the tokens of the conversation after a compaction: of its messages, and of
// its text.
func (w *Window) costs(ctx context.Context, c engine.Compaction) (messages, text int, err error) {
	of := w.talk
	if of == nil {
		of = &talk{}
		if of.messages, _, err = w.tree.conversation(); err != nil {
			return 0, 0, err
		}
	}
	done, _, err := w.tree.tree.Plan(ctx, of.messages, c)
	if err != nil {
		return 0, 0, err
	}
	after, _, err := w.context(of.without(done, w.tree))
	return done.TokensAfter, after.Tokens, err
}

// HandOver calls SetContext with the tree's conversation if that differs from the one in the
// program's window, as Status.Outdated reports, and reports whether it did. It compacts
// nothing.
func (w *Window) HandOver(ctx context.Context) (handed bool, err error) {
	err = w.alone(ctx, func() error {
		if _, _, err := w.take(ctx); err != nil {
			return err
		}
		handed, err = w.handOver(ctx)
		return err
	})
	return handed, err
}

// handOver gives the conversation to the program unless the program has it.
func (w *Window) handOver(ctx context.Context) (bool, error) {
	c, version, err := w.context(w.talk)
	if err != nil || version == w.handed {
		return false, err
	}
	if w.with.SetContext == nil {
		w.handed = version
		return false, nil
	}
	if err := w.with.SetContext(ctx, c); err != nil {
		return false, fmt.Errorf("set context: %w", err)
	}
	w.handed = version
	if w.known.texts == nil {
		w.known.texts = map[sum]bool{}
	}
	w.known.texts[sumOf(c.Text)] = true
	return true, nil
}
