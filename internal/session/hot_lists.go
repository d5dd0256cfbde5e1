package session

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// AddAction adds a pending action, whose id must be new. The questions in its
// blocked_by name it under blocking from now on. One of that text that is there
// already is returned as it stands; but one that was only detected, and has the
// id of a, becomes a.
func (h *Hot) AddAction(a schema.Action) (schema.Action, error) {
	a.Action = strings.TrimSpace(a.Action)
	err := h.whole(func() error {
		wanted, err := h.wanted(a)
		if err != nil {
			return err
		}
		if !wanted {
			added, err := add(h, actions, a.ID, a.Action, a)
			if err != nil || added.ID != a.ID || a.ID == "" {
				a = added
				return err
			}
		}
		return h.each(questions, func(record *jsonedit.Doc) ([]byte, error) {
			if id := word(record, 0, "id"); id == "" || !slices.Contains(a.BlockedBy, id) {
				return record.Src, nil
			}
			return refer(record, blocking, a.ID)
		})
	})
	return a, err
}

// wanted puts a in the place of the action of its id and text that was only
// detected, and says whether there is one.
func (h *Hot) wanted(a schema.Action) (bool, error) {
	all, err := h.items(actions)
	i := slices.IndexFunc(all, func(it item) bool { return it.id == a.ID && strings.TrimSpace(it.text) == a.Action })
	if err != nil || i < 0 || a.ID == "" || a.Origin == schema.OriginDetected ||
		word(&h.doc, all[i].node, "origin") != schema.OriginDetected {
		return false, err
	}
	return true, h.set(all[i].at, a)
}

// FinishAction takes the action that which names, by id or unique text, off the
// list. What waited for it is free of it, and no question blocks it any more.
// Whether it waits for something itself is not asked; see Blocked.
func (h *Hot) FinishAction(which string) (schema.Action, error) {
	var done schema.Action
	err := h.whole(func() (err error) {
		var id string
		if done, id, err = take[schema.Action](h, actions, which); err != nil {
			return err
		}
		return h.free(id)
	})
	return done, err
}

// Blocked lists what the action that which names waits for: ids of questions and
// actions, or texts.
func (h *Hot) Blocked(which string) ([]string, error) {
	it, err := h.find(actions, which)
	if err != nil {
		return nil, err
	}
	by := texts(&h.doc, h.doc.Member(it.node, blockedBy))
	open, _ := h.items(questions)
	for _, q := range open { // one may block it that it does not name
		if q.id != "" && it.id != "" && slices.Contains(texts(&h.doc, h.doc.Member(q.node, blocking)), it.id) && !slices.Contains(by, q.id) {
			by = append(by, q.id)
		}
	}
	return by, nil
}

// Ask adds an open question, whose id must be new. The actions in its blocking
// wait for it from now on, as far as they are there.
func (h *Hot) Ask(q schema.Question) error {
	return h.whole(func() error {
		if q.Question = strings.TrimSpace(q.Question); q.Question == "" {
			return errors.New("the question says nothing")
		}
		if _, err := h.items(questions); err != nil {
			return err
		}
		if err := h.unused(questions, q.ID); err != nil {
			return err
		}
		if err := h.append(questions.list, q); err != nil {
			return err
		}
		return h.each(actions, func(record *jsonedit.Doc) ([]byte, error) {
			if id := word(record, 0, "id"); id == "" || !slices.Contains(q.Blocking, id) {
				return record.Src, nil
			}
			return refer(record, blockedBy, q.ID)
		})
	})
}

// Answer takes the question of that id off the list. No action waits for it any
// more.
func (h *Hot) Answer(id string) (schema.Question, error) {
	var q schema.Question
	err := h.whole(func() error {
		all, err := h.items(questions)
		if err != nil {
			return err
		}
		e := &Unknown{What: questions.what, Which: id}
		for _, it := range all {
			if it.id == id && id != "" {
				if q, err = remove[schema.Question](h, questions, it); err != nil {
					return err
				}
				return h.free(id)
			}
			e.Known = append(e.Known, cmp.Or(it.id, it.text))
		}
		return e
	})
	return q, err
}

// Refer holds that each of ids that has the form of an action's or a question's
// id is one; another is an *Unknown. Others may be texts.
func (h *Hot) Refer(ids []string) error {
	known := map[string]bool{}
	e := &Unknown{What: "question or action"}
	for _, k := range []kind{questions, actions} {
		all, _ := h.items(k)
		for _, it := range all {
			if known[it.id] = true; it.id != "" {
				e.Known = append(e.Known, it.id)
			}
		}
	}
	for _, id := range ids {
		formed := (strings.HasPrefix(id, "Q-") || strings.HasPrefix(id, "ACT-")) && schema.ValidID(id)
		if formed && !known[id] {
			e.Which = id
			return e
		}
	}
	return nil
}

// AddConstraint adds a constraint; one of that text that is there already is
// returned as it stands.
func (h *Hot) AddConstraint(c schema.Constraint) (schema.Constraint, error) {
	c.Constraint = strings.TrimSpace(c.Constraint)
	return add(h, constraints, c.ID, c.Constraint, c)
}

// RemoveConstraint removes the constraint that which names by id or unique text.
func (h *Hot) RemoveConstraint(which string) (schema.Constraint, error) {
	c, _, err := take[schema.Constraint](h, constraints, which)
	return c, err
}

// AddNote adds something to remember; what is there already is returned.
func (h *Hot) AddNote(n schema.Note) (schema.Note, error) {
	n.Note = strings.TrimSpace(n.Note)
	return add(h, notes, n.ID, n.Note, n)
}

// RemoveNote forgets the note that which names by id or unique text.
func (h *Hot) RemoveNote(which string) (schema.Note, error) {
	n, _, err := take[schema.Note](h, notes, which)
	return n, err
}
