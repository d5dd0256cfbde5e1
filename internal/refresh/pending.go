package refresh

import (
	"context"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// AddAction adds a pending action to the State and the hot context, or the one
// that there is, and returns it as recorded.
func (t *Tree) AddAction(ctx context.Context, a schema.Action) (schema.Action, Outcome, error) {
	var added schema.Action
	out, err := t.do(ctx, func(r *round) (err error) {
		r.event.Agent = a.CreatedBy
		added, err = r.addAction(a)
		return err
	})
	return added, out, err
}

func (r *round) addAction(a schema.Action) (added schema.Action, err error) {
	if err := maskRecord(r, &a); err != nil {
		return a, err
	}
	for _, there := range r.shown().PendingActions {
		switch {
		case there.Action != a.Action || there.ID == "" || a.ID != "":
		case there.Origin == schema.OriginDetected: // now somebody wants it
			a.ID, a.Message = there.ID, there.Message
		default:
			return there, nil // what is to be done twice is done once
		}
	}
	if a.ID == "" {
		if a.ID, err = r.newID("ACT-"); err != nil {
			return a, err
		}
	}
	r.sign(&a.CreatedBy)
	fill(&a.Created, schema.FormatTime(r.at))
	err = r.both(
		func(src []byte) ([]byte, error) { return state.AddAction(src, a) },
		func(h *session.Hot) (err error) {
			if err := r.refers(h, a.BlockedBy); err != nil {
				return err
			}
			a, err = h.AddAction(a)
			return err
		})
	return a, err
}

// FinishAction takes a pending action, by its id or, of a hot context, by unique
// text, off the lists; what it blocked is free. A blocked one is refused unless
// force is set.
func (t *Tree) FinishAction(ctx context.Context, which, agent string, force bool) (schema.Action, Outcome, error) {
	var done schema.Action
	out, err := t.do(ctx, func(r *round) (err error) {
		r.event.Agent = agent
		done, err = r.finishAction(which, force)
		return err
	})
	return done, out, err
}

func (r *round) finishAction(which string, force bool) (done schema.Action, err error) {
	id := r.actionNamed(which)
	err = r.either(
		func(src []byte) (out []byte, err error) {
			out, done, err = state.FinishAction(src, id, force)
			return out, err
		},
		func(h *session.Hot) error {
			by, err := h.Blocked(id)
			if err == nil && len(by) > 0 && !force {
				return &state.Blocked{ID: id, By: by}
			}
			shown, err := h.FinishAction(id)
			if done.Action == "" {
				done = shown
			}
			return err
		})
	if err != nil {
		return done, err
	}
	r.done = append(r.done, schema.Done{
		ID: done.ID, Action: done.Action, Priority: done.Priority, Created: done.Created, Agent: done.CreatedBy,
		Completed: schema.FormatTime(r.at), CompletedBy: r.actor(),
	})
	return done, nil
}

// actionNamed is the id of the action of the hot context that which names by its
// text; which where there is none.
func (r *round) actionNamed(which string) string {
	pending := r.shown().PendingActions
	i, err := session.Find("action", which, pending, func(a schema.Action) (id, text string) { return a.ID, a.Action })
	if err != nil || pending[i].ID == "" {
		return which
	}
	return pending[i].ID
}
