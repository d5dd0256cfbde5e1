package refresh

import (
	"cmp"
	"context"

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
	var now schema.HotContext
	err := e.hot(func(h *session.Hot) error { now = h.Context(); return nil })
	return now, err
}

// signed fills in who made an item, and when.
func (e *Edit) signed(agent, at *string) {
	e.round.sign(agent)
	fill(at, schema.FormatTime(e.round.at))
}

// identified fills in an id that the hot context has not.
func (e *Edit) identified(id *string, prefix string, h *session.Hot) (err error) {
	if *id == "" {
		*id, err = schema.NewID(prefix, e.round.tree.edge.Random, h.Taken)
	}
	return err
}

// AddGoal adds a goal and returns it as it stands: an empty ID, Agent, Created,
// Status (pending) or Priority (medium) is filled in. A goal of that text that is
// there already is returned instead.
func (e *Edit) AddGoal(g schema.Goal) (schema.Goal, error) {
	e.signed(&g.Agent, &g.Created)
	if err := maskRecord(e.round, &g); err != nil {
		return g, err
	}
	err := e.hot(func(h *session.Hot) (err error) {
		if err = e.identified(&g.ID, "goal-", h); err != nil {
			return err
		}
		g, err = h.AddGoal(g)
		return err
	})
	return g, err
}

// UpdateGoal changes the goal that which names by its id or by unique text. One
// that becomes complete leaves the hot context, with what else is changed of it.
func (e *Edit) UpdateGoal(which string, change session.GoalChange) (g schema.Goal, err error) {
	complete := change.Status != nil && *change.Status == session.Complete
	if complete {
		change.Status = nil
	}
	if !complete || change != (session.GoalChange{}) {
		err = e.hot(func(h *session.Hot) (err error) {
			g, err = h.UpdateGoal(which, change)
			return err
		})
		which = cmp.Or(g.ID, g.Goal)
	}
	if err != nil || !complete {
		return g, err
	}
	return e.CompleteGoal(which)
}

// CompleteGoal takes the goal that which names off the hot context; it is kept
// among the completed ones of the session's metadata.
func (e *Edit) CompleteGoal(which string) (g schema.Goal, err error) {
	err = e.hot(func(h *session.Hot) (err error) {
		g, err = h.CompleteGoal(which)
		return err
	})
	if err != nil {
		return g, err
	}
	g.Status = session.Complete
	e.round.done = append(e.round.done, schema.Done{
		ID: g.ID, Goal: g.Goal, Priority: g.Priority, Created: g.Created, Agent: g.Agent, ParentGoalID: g.ParentGoalID,
		Completed: schema.FormatTime(e.round.at), CompletedBy: e.round.actor(),
	})
	return g, nil
}

// AddAction adds a pending action, to the State as well where there is one.
func (e *Edit) AddAction(a schema.Action) (schema.Action, error) { return e.round.addAction(a) }

// FinishAction takes the pending action that which names by its id or by unique
// text off the lists; a blocked one is refused unless force is set.
func (e *Edit) FinishAction(which string, force bool) (schema.Action, error) {
	return e.round.finishAction(which, force)
}

// Decide records a decision in the Ledger and shows it in the hot context.
func (e *Edit) Decide(d schema.Decision) (schema.Decision, error) {
	err := e.round.record(&d, "")
	return d, err
}

// AddConstraint adds a constraint, or returns the one of that text.
func (e *Edit) AddConstraint(c schema.Constraint) (schema.Constraint, error) {
	e.signed(&c.Agent, &c.Created)
	if err := maskRecord(e.round, &c); err != nil {
		return c, err
	}
	err := e.hot(func(h *session.Hot) (err error) {
		if err = e.identified(&c.ID, "con-", h); err != nil {
			return err
		}
		c, err = h.AddConstraint(c)
		return err
	})
	return c, err
}

// RemoveConstraint removes the constraint that which names.
func (e *Edit) RemoveConstraint(which string) (c schema.Constraint, err error) {
	err = e.hot(func(h *session.Hot) (err error) {
		c, err = h.RemoveConstraint(which)
		return err
	})
	if err == nil {
		e.round.removed = append(e.round.removed, cmp.Or(c.ID, c.Constraint))
	}
	return c, err
}

// AddNote adds something to remember, or returns the note of that text.
func (e *Edit) AddNote(n schema.Note) (schema.Note, error) {
	e.signed(&n.Agent, &n.Created)
	if err := maskRecord(e.round, &n); err != nil {
		return n, err
	}
	err := e.hot(func(h *session.Hot) (err error) {
		if err = e.identified(&n.ID, "note-", h); err != nil {
			return err
		}
		n, err = h.AddNote(n)
		return err
	})
	return n, err
}

// RemoveNote forgets the note that which names.
func (e *Edit) RemoveNote(which string) (n schema.Note, err error) {
	err = e.hot(func(h *session.Hot) (err error) {
		n, err = h.RemoveNote(which)
		return err
	})
	return n, err
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
