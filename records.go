package forgemind

import (
	"cmp"
	"context"
	"errors"
	iofs "io/fs"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/query"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

// AddGoal is [Edit.AddGoal] as a change of its own.
func (t *Tree) AddGoal(ctx context.Context, g Goal) (Goal, error) {
	return step(ctx, t, g.Agent, func(e *Edit) (Goal, error) { return e.AddGoal(g) })
}

// UpdateGoal is [Edit.UpdateGoal] as a change of its own. agent signs it.
func (t *Tree) UpdateGoal(ctx context.Context, agent, which string, change GoalChange) (Goal, error) {
	return step(ctx, t, agent, func(e *Edit) (Goal, error) { return e.UpdateGoal(which, change) })
}

// CompleteGoal is [Edit.CompleteGoal] as a change of its own. agent signs it.
func (t *Tree) CompleteGoal(ctx context.Context, agent, which string) (Goal, error) {
	return step(ctx, t, agent, func(e *Edit) (Goal, error) { return e.CompleteGoal(which) })
}

// AddConstraint is [Edit.AddConstraint] as a change of its own.
func (t *Tree) AddConstraint(ctx context.Context, c Constraint) (Constraint, error) {
	return step(ctx, t, c.Agent, func(e *Edit) (Constraint, error) { return e.AddConstraint(c) })
}

// RemoveConstraint is [Edit.RemoveConstraint] as a change of its own. agent signs it.
func (t *Tree) RemoveConstraint(ctx context.Context, agent, which string) (Constraint, error) {
	return step(ctx, t, agent, func(e *Edit) (Constraint, error) { return e.RemoveConstraint(which) })
}

// AddAction is [Edit.AddAction] as a change of its own.
func (t *Tree) AddAction(ctx context.Context, a Action) (Action, error) {
	return step(ctx, t, a.CreatedBy, func(e *Edit) (Action, error) { return e.AddAction(a) })
}

// FinishAction is [Edit.FinishAction] as a change of its own. agent signs it.
func (t *Tree) FinishAction(ctx context.Context, agent, which string, force bool) (Action, error) {
	return step(ctx, t, agent, func(e *Edit) (Action, error) { return e.FinishAction(which, force) })
}

// AddNote is [Edit.AddNote] as a change of its own.
func (t *Tree) AddNote(ctx context.Context, n Note) (Note, error) {
	return step(ctx, t, n.Agent, func(e *Edit) (Note, error) { return e.AddNote(n) })
}

// RemoveNote is [Edit.RemoveNote] as a change of its own. agent signs it.
func (t *Tree) RemoveNote(ctx context.Context, agent, which string) (Note, error) {
	return step(ctx, t, agent, func(e *Edit) (Note, error) { return e.RemoveNote(which) })
}

// step is an Update of one step.
func step[T any](ctx context.Context, t *Tree, agent string, do func(*Edit) (T, error)) (item T, err error) {
	_, err = t.Update(ctx, agent, func(e *Edit) (err error) {
		item, err = do(e)
		return err
	})
	return item, err
}

// AddQuestion records an open question, or returns the existing one with that text. An empty
// ID, AskedBy or AskedAt is filled in. The error is a *NotFoundError if an action that
// Blocking names is not pending.
func (t *Tree) AddQuestion(ctx context.Context, q Question) (Question, error) {
	asked, _, err := operation.Ask(ctx, t.tree, q.stored())
	return questionOf(asked), apiError(err)
}

// AnswerQuestion closes the open question with an id. It no longer blocks actions. by is the
// author of the answer. The error is a *NotFoundError if no open question has the id.
func (t *Tree) AnswerQuestion(ctx context.Context, by, id, answer string) (Answer, error) {
	c, _, err := operation.Answer(ctx, t.tree, id, answer, by)
	return Answer{ID: c.ID, Question: c.Question, Answer: c.Answer, AnsweredBy: c.AnsweredBy, AnsweredAt: c.AnsweredAt}, apiError(err)
}

// Goals returns the goals in force. A record that cannot be read is left out; Findings
// reports it. The same is true of the other lists.
func (t *Tree) Goals(ctx context.Context) ([]Goal, error) {
	hot, err := t.inForce(ctx)
	return each(hot.ActiveGoals, goalOf), err
}

// Constraints returns the constraints in force.
func (t *Tree) Constraints(ctx context.Context) ([]Constraint, error) {
	hot, err := t.inForce(ctx)
	return each(hot.ImportantConstraints, constraintOf), err
}

// Questions returns the open questions.
func (t *Tree) Questions(ctx context.Context) ([]Question, error) {
	hot, err := t.inForce(ctx)
	if err != nil {
		return nil, err
	}
	state, err := t.state()
	return union(each(state.OpenQuestions, questionOf), each(hot.OpenQuestions, questionOf), func(q Question) string { return cmp.Or(q.ID, q.Question) }), err
}

// Actions returns the pending actions.
func (t *Tree) Actions(ctx context.Context) ([]Action, error) {
	hot, err := t.inForce(ctx)
	if err != nil {
		return nil, err
	}
	state, err := t.state()
	return union(each(state.PendingActions, actionOf), each(hot.PendingActions, actionOf), func(a Action) string { return cmp.Or(a.ID, a.Action) }), err
}

// Notes returns the notes in force, including those of agents, in order of time.
func (t *Tree) Notes(ctx context.Context) ([]Note, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	all, err := query.Notes(t.tree.Tree)
	return each(all, func(n schema.NoteRecord) Note {
		return Note{ID: n.ID, Note: n.Note, Agent: n.Agent, Created: n.Created, Section: n.Section}
	}), apiError(err)
}

// inForce returns the items in force in the project: those of the session or, without one,
// those of the records.
func (t *Tree) inForce(ctx context.Context) (schema.HotContext, error) {
	if err := ctx.Err(); err != nil {
		return schema.HotContext{}, err
	}
	id, _, err := session.InForce(t.tree)
	if err != nil {
		return schema.HotContext{}, err
	}
	src, err := t.tree.Read(session.HotContext(id))
	if id == "" || errors.Is(err, iofs.ErrNotExist) {
		return views.Project(t.tree)
	}
	if err != nil {
		return schema.HotContext{}, err
	}
	hot, err := session.ReadHot(src)
	if err != nil {
		return schema.HotContext{}, err
	}
	return hot.Context(), nil
}

// state returns the State, which may show items that no session has; the zero State if
// there is none.
func (t *Tree) state() (s schema.State, err error) {
	src, err := t.tree.Read(fs.State)
	if errors.Is(err, iofs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	return s, jsonedit.Decode(src, &s)
}

// union returns the items of a, followed by those of b whose keys a lacks.
func union[T any](a, b []T, key func(T) string) []T {
	known := map[string]bool{}
	for _, item := range a {
		known[key(item)] = true
	}
	return append(a, slices.DeleteFunc(b, func(item T) bool { return known[key(item)] })...)
}
