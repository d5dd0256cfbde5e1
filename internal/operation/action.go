package operation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// AddAction adds a pending action; see the function AddAction.
func (e *Edit) AddAction(a schema.Action) (schema.Action, error) { return addAction(e.set, a) }

// FinishAction closes the pending action named which, by its id or by unique text. The error
// is a *BlockedError if the action is blocked, unless force is set.
func (e *Edit) FinishAction(which string, force bool) (schema.Action, error) {
	return finishAction(e.set, which, force)
}

// AddAction adds a pending action, or finds the existing one with that text, and returns it
// as recorded. An entry of its blocked_by that has the form of the id of a question or an
// action must be one (else the error is a *session.UnknownError); others are text.
func AddAction(ctx context.Context, t *engine.Tree, a schema.Action) (schema.Action, engine.Outcome, error) {
	var added schema.Action
	out, err := t.Change(ctx, a.CreatedBy, func(w *engine.WorkingSet) (err error) {
		added, err = addAction(w, a)
		return err
	})
	return added, out, err
}

func addAction(w *engine.WorkingSet, a schema.Action) (schema.Action, error) {
	if err := engine.MaskRecord(w, &a); err != nil {
		return a, err
	}
	if err := w.NeedLists(); err != nil {
		return a, err
	}
	a.Action = strings.TrimSpace(a.Action)
	there, found, err := w.ItemWith(records.Action, a.Action)
	switch {
	case err != nil:
		return a, err
	case found && there.Detected() && (a.ID == "" || a.ID == there.ID): // a person confirms a detected action
		a.ID, a.Message = there.ID, there.Members.Text("message")
	case found && a.ID == "":
		return decoded[schema.Action](there)
	default:
		if err := w.AssignID(&a.ID, records.Action); err != nil {
			return a, err
		}
	}
	w.Sign(&a.CreatedBy)
	a.Created = cmp.Or(a.Created, w.Now())
	a.BlockedBy = distinct(a.BlockedBy)
	if err := waits(w, a.BlockedBy); err != nil {
		return a, err
	}
	if err := w.Link(a.ID); err != nil { // records may have referred to the id before it existed
		return a, err
	}
	return a, w.Add(records.Action, a.ID, a)
}

// waits checks that each of ids with the form of an id is that of a question or an action,
// and makes records of the questions.
func waits(w *engine.WorkingSet, ids []string) error {
	open, err := w.Items(records.Question)
	if err != nil {
		return err
	}
	pending, err := w.Items(records.Action)
	if err != nil {
		return err
	}
	for _, id := range ids {
		has := func(it views.Item) bool { return it.ID == id }
		if i := slices.IndexFunc(open, has); i >= 0 {
			if _, err := w.RecordOf(records.Question, open[i]); err != nil {
				return err
			}
		} else if formed(id) && !slices.ContainsFunc(pending, has) {
			return unknown("question or action", id, open, pending)
		}
	}
	return nil
}

// formed reports whether a text has the form of the ids of questions and actions.
func formed(s string) bool {
	given := strings.HasPrefix(s, records.Question.Prefix) || strings.HasPrefix(s, records.Action.Prefix)
	return given && schema.ValidID(s)
}

// distinct returns list without blanks and repetitions.
func distinct(list []string) []string {
	var out []string
	for _, s := range list {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// FinishAction closes the pending action named which, by its id or by unique text; it no
// longer blocks other actions. The error is a *BlockedError if the action is blocked, unless
// force is set.
func FinishAction(ctx context.Context, t *engine.Tree, which, agent string, force bool) (schema.Action, engine.Outcome, error) {
	var done schema.Action
	out, err := t.Change(ctx, agent, func(w *engine.WorkingSet) (err error) {
		done, err = finishAction(w, which, force)
		return err
	})
	return done, out, err
}

func finishAction(w *engine.WorkingSet, which string, force bool) (schema.Action, error) {
	if err := w.NeedLists(); err != nil {
		return schema.Action{}, err
	}
	it, err := find(w, records.Action, which)
	if err != nil {
		return schema.Action{}, err
	}
	done, err := decoded[schema.Action](it)
	if err != nil {
		return done, err
	}
	by, err := blockers(w, it)
	if err != nil {
		return done, err
	}
	if len(by) > 0 && !force {
		return done, &BlockedError{ID: cmp.Or(it.ID, it.Text), By: by}
	}
	if err := w.Close(records.Action, it, records.Done, records.Done); err != nil {
		return done, err
	}
	w.NoteDone(schema.Done{
		ID: done.ID, Action: done.Action, Priority: done.Priority, Created: done.Created, Agent: done.CreatedBy,
		Completed: w.Now(), CompletedBy: w.Actor(),
	})
	return done, nil
}

// blockers returns what blocks an action: ids of questions and actions, or texts. A question
// may block it although the action does not name the question. If the action has one text,
// that question asks it, so its answer unblocks the action.
func blockers(w *engine.WorkingSet, it views.Item) ([]string, error) {
	by := it.Named("blocked_by")
	open, err := w.Items(records.Question)
	if err != nil {
		return nil, err
	}
	for _, q := range open {
		if q.ID != "" && it.ID != "" && q.Names("blocking", it.ID) {
			by = append(by, q.ID)
		}
	}
	if by = distinct(by); len(by) == 1 && !schema.ValidID(by[0]) && wasAsked(w, it.ID) {
		by = nil
	}
	return by, nil
}

// wasAsked reports whether a question that blocked an action is closed.
func wasAsked(w *engine.WorkingSet, action string) bool {
	return action != "" && slices.ContainsFunc(w.Records(records.Question), func(r records.Record) bool {
		var q schema.Question
		return !r.InForce() && r.Decode(&q) == nil && slices.Contains(q.Blocking, action)
	})
}
