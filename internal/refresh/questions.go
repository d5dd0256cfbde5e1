package refresh

import (
	"context"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// awaiting is the status of a question that nobody has answered.
const awaiting = "awaiting_answer"

// Ask adds an open question to the State and the hot context, or the one that
// there is, and returns it as recorded.
func (t *Tree) Ask(ctx context.Context, q schema.Question) (schema.Question, Outcome, error) {
	var asked schema.Question
	out, err := t.do(ctx, func(r *round) (err error) {
		asked = q
		if err := maskRecord(r, &asked); err != nil {
			return err
		}
		hot := r.shown()
		for _, there := range hot.OpenQuestions {
			if there.Question == asked.Question && asked.ID == "" {
				asked = there // asking twice asks once
				return nil
			}
		}
		if asked.ID == "" {
			if asked.ID, err = r.newID("Q-"); err != nil {
				return err
			}
		}
		r.sign(&asked.AskedBy)
		fill(&asked.AskedAt, schema.FormatTime(r.at))
		fill(&asked.Status, awaiting)
		r.event.Agent = asked.AskedBy
		return r.both(
			func(src []byte) ([]byte, error) { return state.Ask(src, asked) },
			func(h *session.Hot) error {
				if err := r.refers(h, asked.Blocking); err != nil {
					return err
				}
				return h.Ask(asked)
			})
	})
	return asked, out, err
}

// Answer closes an open question: it leaves the State and the hot context, its
// answer is recorded as a clarification, and no action waits for it any more.
func (t *Tree) Answer(ctx context.Context, id, answer, by string) (schema.Clarification, Outcome, error) {
	var c schema.Clarification
	out, err := t.do(ctx, func(r *round) error {
		var q schema.Question
		err := r.either(
			func(src []byte) (out []byte, err error) {
				out, q, err = state.Answer(src, id)
				return out, err
			},
			func(h *session.Hot) error {
				shown, err := h.Answer(id)
				if q.ID == "" {
					q = shown
				}
				return err
			})
		if err != nil {
			return err
		}
		c = schema.Clarification{
			ID: q.ID, Question: q.Question, Answer: answer, Context: q.Context,
			AskedBy: q.AskedBy, AskedAt: q.AskedAt, AnsweredBy: by, AnsweredAt: schema.FormatTime(r.at),
		}
		r.sign(&c.AnsweredBy)
		r.mask(&c.Answer, &c.AnsweredBy)
		r.event.Agent = c.AnsweredBy
		r.counted.Clarifications++
		return r.writeClarification(c)
	})
	return c, out, err
}

// writeClarification writes c as a file of its own. The name holds the question's id
// and what derives from the content: two answers to one question are two files.
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
	return nil
}
