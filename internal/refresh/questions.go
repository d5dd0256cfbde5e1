package refresh

import (
	"context"
	"errors"

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
		hot := r.shown()
		for _, there := range hot.OpenQuestions {
			if there.Question == q.Question && q.ID == "" {
				asked = there // asking twice asks once
				return nil
			}
		}
		if asked.ID == "" {
			if asked.ID, err = r.newID("Q-"); err != nil {
				return err
			}
		}
		fill(&asked.AskedBy, r.agent())
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
		fill(&c.AnsweredBy, bosses(r.config)[0])
		r.event.Agent = c.AnsweredBy
		line, err := jsonedit.Value(c)
		if err != nil {
			return err
		}
		r.tx.Append(folder(r.tx)+"/"+fs.ClarificationsFile, line)
		r.counted.Clarifications++
		return nil
	})
	return c, out, err
}

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
	fill(&a.CreatedBy, r.actor())
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

// shown is the hot context of the active session; empty where there is none that
// can be read.
func (r *round) shown() schema.HotContext {
	id, err := r.activeSession()
	if err != nil || id == "" {
		return schema.HotContext{}
	}
	hot, _, err := r.knownOf(id)
	if err != nil {
		return schema.HotContext{}
	}
	return hot
}

// refers holds that ids are those of questions and actions. Where there is a
// State it is the judge of that, for it may hold more of them.
func (r *round) refers(h *session.Hot, ids []string) error {
	if _, err := r.tx.Read(fs.State); !missing(err) {
		return err
	}
	return h.Refer(ids)
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
	id, err := r.activeSession()
	if err != nil || id == "" {
		return which
	}
	src, err := r.tx.Read(session.HotContext(id))
	if err != nil {
		return which
	}
	if h, err := session.ReadHot(src); err == nil {
		if a, err := h.FinishAction(which); err == nil && a.ID != "" {
			return a.ID
		}
	}
	return which
}

// both changes the State and the hot context of the active session, or the one
// that there is; state.ErrNoState where there is neither.
func (r *round) both(inState func([]byte) ([]byte, error), inHot func(*session.Hot) error) error {
	err := edit(r.tx, fs.State, inState)
	if err != nil && !missing(err) {
		return err
	}
	stateless := err != nil
	id, err := r.activeSession()
	switch {
	case err != nil:
		return err
	case id != "":
		return r.editHot(id, inHot)
	case stateless && hasSessions(r.tx):
		return ErrNoSession
	case stateless:
		return state.ErrNoState
	}
	return nil
}

// either is both for what may stand in only one of them: what is unknown to both
// is an error.
func (r *round) either(inState func([]byte) ([]byte, error), inHot func(*session.Hot) error) error {
	var unknown error
	found := 0
	note := func(err error) error {
		var inState *state.Unknown
		var inHot *session.Unknown
		switch {
		case errors.As(err, &inState), errors.As(err, &inHot):
			if unknown == nil {
				unknown = err
			}
			return nil
		case err == nil:
			found++
		}
		return err
	}
	err := r.both(
		func(src []byte) ([]byte, error) {
			out, err := inState(src)
			if err != nil {
				return src, note(err)
			}
			found++
			return out, nil
		},
		func(h *session.Hot) error { return note(inHot(h)) })
	if err == nil && found == 0 {
		return unknown
	}
	return err
}

// newID is a new id that stands neither in the State nor in the hot context.
func (r *round) newID(prefix string) (string, error) {
	s, _ := r.readState()
	taken := map[string]bool{}
	for _, q := range s.OpenQuestions {
		taken[q.ID] = true
	}
	for _, a := range s.PendingActions {
		taken[a.ID] = true
	}
	shown := func(string) bool { return false }
	if id, err := r.activeSession(); err == nil && id != "" {
		if src, err := r.tx.Read(session.HotContext(id)); err == nil {
			if h, err := session.ReadHot(src); err == nil {
				shown = h.Taken
			}
		}
	}
	return schema.NewID(prefix, r.tree.edge.Random, func(id string) bool { return taken[id] || shown(id) })
}

// fill gives what is empty a value.
func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
