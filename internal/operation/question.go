package operation

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// awaiting is the status of a question without an answer.
const awaiting = "awaiting_answer"

// Ask adds an open question, or finds the existing one with that text, and returns it as
// recorded. The error is a *session.UnknownError if an action in its blocking is not pending.
func Ask(ctx context.Context, t *engine.Tree, q schema.Question) (schema.Question, engine.Outcome, error) {
	var asked schema.Question
	out, err := t.Change(ctx, "", func(w *engine.WorkingSet) (err error) {
		asked, err = ask(w, q)
		return err
	})
	return asked, out, err
}

func ask(w *engine.WorkingSet, q schema.Question) (schema.Question, error) {
	if err := engine.MaskRecord(w, &q); err != nil {
		return q, err
	}
	if err := w.NeedLists(); err != nil {
		return q, err
	}
	q.Question = strings.TrimSpace(q.Question)
	there, found, err := w.ItemWith(records.Question, q.Question)
	if err != nil {
		return q, err
	}
	if found && q.ID == "" { // the question exists
		return decoded[schema.Question](there)
	}
	if err := w.AssignID(&q.ID, records.Question); err != nil {
		return q, err
	}
	w.Sign(&q.AskedBy)
	q.AskedAt = cmp.Or(q.AskedAt, w.Now())
	q.Status = cmp.Or(q.Status, awaiting)
	w.SetAgent(q.AskedBy)
	q.Blocking = distinct(q.Blocking)
	if err := blocks(w, q.Blocking); err != nil {
		return q, err
	}
	if err := w.Link(q.ID); err != nil { // records may have referred to the id before it existed
		return q, err
	}
	return q, w.Add(records.Question, q.ID, q)
}

// blocks checks that each of ids is the id of a pending action, and makes records of these.
func blocks(w *engine.WorkingSet, ids []string) error {
	pending, err := w.Items(records.Action)
	if err != nil {
		return err
	}
	for _, id := range ids {
		i := slices.IndexFunc(pending, func(it views.Item) bool { return it.ID == id })
		if i < 0 {
			return unknown("action", id, pending)
		}
		if _, err := w.RecordOf(records.Action, pending[i]); err != nil {
			return err
		}
	}
	return nil
}

// unknown returns the error for an id that none of the items has.
func unknown(what, id string, items ...[]views.Item) error {
	e := &session.UnknownError{What: what, Which: id}
	for _, all := range items {
		for _, it := range all {
			if it.ID != "" {
				e.Known = append(e.Known, it.ID)
			}
		}
	}
	return e
}

// Answer closes an open question: its answer is recorded as a clarification, and the question
// no longer blocks actions. The error is a *session.UnknownError if no open question has the
// id.
func Answer(ctx context.Context, t *engine.Tree, id, answer, by string) (schema.Clarification, engine.Outcome, error) {
	var c schema.Clarification
	out, err := t.Change(ctx, "", func(w *engine.WorkingSet) error {
		if err := w.NeedLists(); err != nil {
			return err
		}
		open, err := w.Items(records.Question)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(open, func(it views.Item) bool { return it.ID == id && id != "" })
		if i < 0 {
			return unknown("question", id, open)
		}
		q, err := decoded[schema.Question](open[i])
		if err != nil {
			return err
		}
		c = schema.Clarification{
			ID: q.ID, Question: q.Question, Answer: answer, Context: q.Context,
			AskedBy: q.AskedBy, AskedAt: q.AskedAt, AnsweredBy: by, AnsweredAt: w.Now(),
		}
		w.Sign(&c.AnsweredBy)
		w.Mask(&c.Answer, &c.AnsweredBy)
		w.SetAgent(c.AnsweredBy)
		if _, err := w.RecordOf(records.Question, open[i]); err != nil {
			return err
		}
		if err := w.Link(id); err != nil {
			return err
		}
		return w.AddClarification(c)
	})
	return c, out, err
}
