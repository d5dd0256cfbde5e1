package operation

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/schema"
)

// An Edit is one atomic change of the active session's hot context, with any number of steps.
// It must not be used after the function that it was passed to.
type Edit struct{ set *engine.WorkingSet }

// Update changes the hot context of the active session: all changes of edit are made, or
// none. If another process changes the documents meanwhile, edit runs again with the new
// content. agent makes the change, "" for the author that the tree names. Every item has its
// agent and time. If no session is active, one begins. If edit returns an error, nothing
// changes.
func Update(ctx context.Context, t *engine.Tree, agent string, edit func(*Edit) error) (engine.Outcome, error) {
	return t.ChangeSession(ctx, agent, func(w *engine.WorkingSet) error { return edit(&Edit{w}) })
}

// Context returns the hot context after the steps so far.
func (e *Edit) Context() (schema.HotContext, error) { return e.set.HotContext() }

// Decide records a decision in the Ledger and shows it in the hot context.
func (e *Edit) Decide(d schema.Decision) (schema.Decision, error) {
	err := e.set.Decide(&d, "")
	return d, err
}

// step is Update with one step. It returns the result of the step.
func step[T any](ctx context.Context, t *engine.Tree, agent string, do func(*Edit) (T, error)) (T, engine.Outcome, error) {
	var item T
	out, err := Update(ctx, t, agent, func(e *Edit) (err error) {
		item, err = do(e)
		return err
	})
	return item, out, err
}
