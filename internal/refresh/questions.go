package refresh

import (
	"context"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/schema"
)

// awaiting is the status of a question that nobody has answered.
const awaiting = "awaiting_answer"

// Ask adds an open question and returns it as recorded.
func (t *Tree) Ask(ctx context.Context, q schema.Question) (schema.Question, Outcome, error) {
	var asked schema.Question
	out, err := t.do(ctx, func(r *round) (err error) {
		asked = q
		if asked.ID == "" {
			if asked.ID, err = r.newID("Q-"); err != nil {
				return err
			}
		}
		fill(&asked.AskedBy, r.agent())
		fill(&asked.AskedAt, schema.FormatTime(r.at))
		fill(&asked.Status, awaiting)
		return r.changeState(func(src []byte) ([]byte, error) { return state.Ask(src, asked) })
	})
	return asked, out, err
}

// Answer closes an open question: it leaves the State, its answer is recorded
// as a clarification, and no action waits for it any more.
func (t *Tree) Answer(ctx context.Context, id, answer, by string) (schema.Clarification, Outcome, error) {
	var c schema.Clarification
	out, err := t.do(ctx, func(r *round) error {
		var q schema.Question
		err := r.changeState(func(src []byte) (out []byte, err error) {
			out, q, err = state.Answer(src, id)
			return out, err
		})
		if err != nil {
			return err
		}
		c = schema.Clarification{
			ID: q.ID, Question: q.Question, Answer: answer, Context: q.Context,
			AskedBy: q.AskedBy, AskedAt: q.AskedAt, AnsweredBy: by, AnsweredAt: schema.FormatTime(r.at),
		}
		fill(&c.AnsweredBy, bosses(r.config)[0])
		line, err := jsonedit.Value(c)
		if err != nil {
			return err
		}
		r.tx.Append(fs.Clarifications, line)
		r.counted.Clarifications++
		return nil
	})
	return c, out, err
}

// AddAction adds a pending action and returns it as recorded.
func (t *Tree) AddAction(ctx context.Context, a schema.Action) (schema.Action, Outcome, error) {
	var added schema.Action
	out, err := t.do(ctx, func(r *round) (err error) {
		added = a
		if added.ID == "" {
			if added.ID, err = r.newID("ACT-"); err != nil {
				return err
			}
		}
		fill(&added.CreatedBy, r.agent())
		fill(&added.Created, schema.FormatTime(r.at))
		return r.changeState(func(src []byte) ([]byte, error) { return state.AddAction(src, added) })
	})
	return added, out, err
}

// FinishAction takes a pending action off the list; what it blocked is free.
// A blocked one is refused unless force is set.
func (t *Tree) FinishAction(ctx context.Context, id string, force bool) (schema.Action, Outcome, error) {
	var done schema.Action
	out, err := t.do(ctx, func(r *round) error {
		return r.changeState(func(src []byte) (out []byte, err error) {
			out, done, err = state.FinishAction(src, id, force)
			return out, err
		})
	})
	return done, out, err
}

// changeState changes the State; a tree without one is state.ErrNoState.
func (r *round) changeState(change func([]byte) ([]byte, error)) error {
	err := edit(r.tx, fs.State, change)
	if missing(err) {
		return state.ErrNoState
	}
	return err
}

// newID is a new id that stands nowhere in the State.
func (r *round) newID(prefix string) (string, error) {
	s, _ := r.readState()
	taken := map[string]bool{}
	for _, q := range s.OpenQuestions {
		taken[q.ID] = true
	}
	for _, a := range s.PendingActions {
		taken[a.ID] = true
	}
	return schema.NewID(prefix, r.tree.edge.Random, func(id string) bool { return taken[id] })
}

// fill gives what is empty a value.
func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
