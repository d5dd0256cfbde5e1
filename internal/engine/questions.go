package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// awaiting is the status of a question that nobody has answered.
const awaiting = "awaiting_answer"

// Ask adds an open question, or finds the one of that text, and returns it as recorded.
// An action in its blocking that is not pending is a *session.Unknown.
func (t *Tree) Ask(ctx context.Context, q schema.Question) (schema.Question, Outcome, error) {
	var asked schema.Question
	out, err := t.do(ctx, func(r *round) (err error) {
		asked, err = r.ask(q)
		return err
	})
	return asked, out, err
}

func (r *round) ask(q schema.Question) (schema.Question, error) {
	if err := maskRecord(r, &q); err != nil {
		return q, err
	}
	if err := r.placeOfWork(); err != nil {
		return q, err
	}
	q.Question = strings.TrimSpace(q.Question)
	there, found, err := r.same(records.Question, q.Question)
	if err != nil {
		return q, err
	}
	if found && q.ID == "" { // asking twice asks once
		return decoded[schema.Question](there)
	}
	if err := r.give(&q.ID, records.Question); err != nil {
		return q, err
	}
	r.sign(&q.AskedBy)
	fill(&q.AskedAt, schema.FormatTime(r.at))
	fill(&q.Status, awaiting)
	r.event.Agent = q.AskedBy
	q.Blocking = distinct(q.Blocking)
	if err := r.blocks(q.Blocking); err != nil {
		return q, err
	}
	if err := r.link(q.ID); err != nil { // some may have named it before it was asked
		return q, err
	}
	_, err = r.add(records.Question, q.ID, q)
	return q, err
}

// blocks holds that each of ids is that of a pending action, and that it has a record.
func (r *round) blocks(ids []string) error {
	pending, err := r.items(records.Action)
	if err != nil {
		return err
	}
	for _, id := range ids {
		i := slices.IndexFunc(pending, func(it views.Item) bool { return it.ID == id })
		if i < 0 {
			return unknown("action", id, pending)
		}
		if _, err := r.recordOf(records.Action, pending[i]); err != nil {
			return err
		}
	}
	return nil
}

// unknown returns the error of an id that none of the items has.
func unknown(what, id string, items ...[]views.Item) error {
	e := &session.Unknown{What: what, Which: id}
	for _, all := range items {
		for _, it := range all {
			if it.ID != "" {
				e.Known = append(e.Known, it.ID)
			}
		}
	}
	return e
}

// Answer closes the open question that which names by its id or by unique text: its answer
// is recorded as a clarification, and no action waits for it any more. The error is that of
// session.Find.
func (t *Tree) Answer(ctx context.Context, which, answer, by string) (schema.Clarification, Outcome, error) {
	var c schema.Clarification
	out, err := t.do(ctx, func(r *round) error {
		if err := r.placeOfWork(); err != nil {
			return err
		}
		it, err := r.find(records.Question, which)
		if err != nil {
			return err
		}
		q, err := decoded[schema.Question](it)
		if err != nil {
			return err
		}
		rec, err := r.recordOf(records.Question, it)
		if err != nil {
			return err
		}
		c = schema.Clarification{
			ID: rec.ID, Question: q.Question, Answer: answer, Context: q.Context,
			AskedBy: q.AskedBy, AskedAt: q.AskedAt, AnsweredBy: by, AnsweredAt: schema.FormatTime(r.at),
		}
		r.sign(&c.AnsweredBy)
		r.mask(&c.Answer, &c.AnsweredBy)
		r.event.Agent = c.AnsweredBy
		r.counted.Clarifications++
		if err := r.link(c.ID); err != nil {
			return err
		}
		return r.writeClarification(c)
	})
	return c, out, err
}

// writeClarification writes c as a file of its own, which closes its question. The name
// holds the question's id and what derives from the content: two answers to one question
// are two files.
func (r *round) writeClarification(c schema.Clarification) error {
	text, err := jsonedit.Marshal(c)
	if err != nil {
		return fmt.Errorf("clarification of %s: %w", c.ID, err)
	}
	stem := strings.ReplaceAll(c.ID, ".", "%2E")
	if !schema.ValidID(c.ID) {
		stem = "Q"
	}
	r.tx.Write(r.home+"/"+fs.ClarificationsDir+"/"+schema.DerivedID(stem+"-", text)+".json", text)
	r.facts, r.behind = nil, true
	return nil
}
