package forgemind

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/internal/compact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/health"
	"github.com/forgemind/forgemind/internal/session"
)

// CompactOptions are how a conversation is compacted. The zero value does what
// the tree's context-config.yaml says.
type CompactOptions struct {
	// Strategy is "relevance" where it is empty: what does not matter for Prompt
	// leaves. The others are "adaptive", "psd" and "session-summary".
	Strategy string
	// Prompt is what the conversation is about now; what the user said last where
	// it is empty.
	Prompt string
	// Budget is how many tokens the conversation may cost afterwards. 0 is what
	// brings the window below CURATION_TRIGGER_PCT, once BeforeResponse was asked.
	Budget int
}

// A Compaction is what Compact did.
type Compaction struct {
	ID           string // "" where nothing left the conversation
	TokensBefore int    // of the conversation, by the tree's counter
	TokensAfter  int
	Kept         int      // messages that stayed, word for word
	Summarised   int      // messages whose gist is in the summary; they are in cold storage
	Dropped      int      // messages that are in cold storage alone
	Handed       bool     // SetContext was given the conversation
	Notes        []string // for people: why nothing is to be done, why it is not enough
}

// Compact makes the conversation shorter, and hands it over to SetContext if that
// changed it, or somebody else did since. What leaves it is in cold storage before
// anything is cut, and decisions, pins and the last messages stay. The messages of a
// session of `.quaid/` leave the program's window alone: in the tree they stay in the
// window of the session or in its archive.
//
// Where SetContext fails the tree is compacted and the program's window is not:
// the next Compact hands it over again.
func (w *Window) Compact(ctx context.Context, o CompactOptions) (Compaction, error) {
	strategy := o.Strategy
	if strategy == "" {
		strategy = compact.Relevance
	}
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

// without is the talk after a Plan: a summary of what left, with the work that is
// open, and the messages that stay.
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
		m := Message{ID: summaryID(done.ID), Role: "system", Agent: "forgemind", Kind: summaryKind, Content: text, Timestamp: done.To}
		if len(after.messages) > 0 {
			m.Timestamp = after.messages[0].Timestamp
		}
		after.messages = append([]Message{m}, after.messages...)
	}
	return &after
}

// Curate is a Compact that goes no further than to drop what does not answer
// prompt, which is what the user said last where it is empty: what Status says by
// NeedsCuration.
func (w *Window) Curate(ctx context.Context, prompt string) (Compaction, error) {
	return w.shorten(ctx, func() (engine.Compacted, engine.Outcome, error) { return w.tree.tree.Curate(ctx, prompt) })
}

// shorten takes in what was said, makes the conversation shorter and hands it over.
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

// compaction is what came of a Plan, in short.
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

// budget is what the conversation may cost so that the window falls below where
// curation begins, as the text that SetContext is given; 0 where what else is in the
// window fills it by itself.
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

// costs are the tokens of the conversation after a compaction: of its messages, and
// of its text.
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

// HandOver gives SetContext the tree's conversation where that holds something
// else than the program was handed, as Status.Outdated says, and says whether it
// did. Nothing is compacted for it.
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

// handOver gives the program the conversation unless it has it.
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
