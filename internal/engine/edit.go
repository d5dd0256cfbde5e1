package engine

import (
	"cmp"
	"context"

	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// An Edit is one atomic change of the active session's hot context, of any number
// of steps. It is of no use after the function that it was given to.
type Edit struct{ round *round }

// Edit changes the hot context of the active session: all that edit does or none
// of it, done again on newer documents where somebody else was faster, so that
// edit may run several times. agent is who acts, "" for whom the tree names. Every
// item carries its agent and time. Where no session is active one begins. An
// error of edit leaves everything as it was.
func (t *Tree) Edit(ctx context.Context, agent string, edit func(*Edit) error) (Outcome, error) {
	return t.doInSession(ctx, agent, func(r *round) error { return edit(&Edit{r}) })
}

// hot changes the hot context.
func (e *Edit) hot(change func(*session.Hot) error) error {
	id, err := e.round.activeSession()
	if err != nil {
		return err
	}
	return e.round.editHot(id, change)
}

// Context returns the hot context as it stands after the steps so far.
func (e *Edit) Context() (schema.HotContext, error) {
	if err := e.round.renderBehind(); err != nil {
		return schema.HotContext{}, err
	}
	var now schema.HotContext
	err := e.hot(func(h *session.Hot) error { now = h.Context(); return nil })
	return now, err
}

// AddAction adds a pending action; see Tree.AddAction.
func (e *Edit) AddAction(a schema.Action) (schema.Action, error) { return e.round.addAction(a) }

// FinishAction takes the pending action that which names by its id or by unique
// text off the lists; a blocked one is refused unless force is set.
func (e *Edit) FinishAction(which string, force bool) (schema.Action, error) {
	return e.round.finishAction(which, force)
}

// Decide records a decision in the Ledger and shows it in the hot context.
func (e *Edit) Decide(d schema.Decision) (schema.Decision, error) {
	err := e.round.decide(&d)
	return d, err
}

// AddConstraint adds a constraint, or returns the one of that text.
func (e *Edit) AddConstraint(c schema.Constraint) (schema.Constraint, error) {
	return addItem(e.round, records.Constraint, &c, fields{&c.ID, &c.Constraint, &c.Agent, &c.Created})
}

// RemoveConstraint removes the constraint that which names.
func (e *Edit) RemoveConstraint(which string) (schema.Constraint, error) {
	c, err := removeItem[schema.Constraint](e.round, records.Constraint, which)
	if err == nil {
		e.round.removed = append(e.round.removed, cmp.Or(c.ID, c.Constraint))
	}
	return c, err
}

// AddNote adds something to remember, or returns the note of that text.
func (e *Edit) AddNote(n schema.Note) (schema.Note, error) {
	return addItem(e.round, records.Note, &n, fields{&n.ID, &n.Note, &n.Agent, &n.Created})
}

// RemoveNote forgets the note that which names.
func (e *Edit) RemoveNote(which string) (schema.Note, error) {
	return removeItem[schema.Note](e.round, records.Note, which)
}

// TouchFile makes path the file that was edited last, and function, unless it is
// "", the one that is being worked on.
func (e *Edit) TouchFile(path, function string) (files schema.FileContext, err error) {
	err = e.hot(func(h *session.Hot) error {
		if err := h.Touch(path, function, e.round.actor(), schema.FormatTime(e.round.at)); err != nil {
			return err
		}
		if now := h.Context().CurrentFileContext; now != nil {
			files = *now
		}
		return nil
	})
	return files, err
}
