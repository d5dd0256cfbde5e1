package state

import (
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const actions = "/pending_actions"

// AddAction adds a pending action under an id of its own. The questions in its
// blocked_by name it under blocking from now on. An entry that has the form of
// a question's or an action's id must be one (else *Unknown); others are text.
func AddAction(src []byte, a schema.Action) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if err := newRecord(doc, "action", a.ID); err != nil {
		return nil, err
	}
	given := distinct(a.BlockedBy)
	var asked []string
	for _, id := range given {
		if n := index(doc, questions, id); n >= 0 {
			asked = append(asked, fmt.Sprintf("%s/%d", questions, n))
		} else if recordID(id) && index(doc, actions, id) < 0 {
			return nil, unknown(doc, "question or action", id, questions, actions)
		}
	}
	// Some may have named the id before there was an action of it.
	a.BlockedBy = distinct(append(given, naming(doc, questions, blocking, a.ID)...))
	value, err := jsonedit.Value(a)
	if err != nil {
		return nil, err
	}
	if src, err = jsonedit.Append(src, actions, value); err != nil {
		return nil, err
	}
	for _, question := range asked {
		if src, err = refer(src, question, blocking, a.ID); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// A Blocked is an action that waits for something.
type Blocked struct {
	ID string
	By []string // ids of questions and actions, or texts
}

func (e *Blocked) Error() string {
	const most = 5
	var by []string
	for _, b := range e.By[:min(len(e.By), most)] {
		if !schema.ValidID(b) || len(b) > 60 {
			b = cut(b)
		}
		by = append(by, b)
	}
	if more := len(e.By) - most; more > 0 {
		by = append(by, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("action %s is blocked by %s", cut(e.ID), strings.Join(by, ", "))
}

// FinishAction takes a pending action off the list and returns it as it stood.
// What waited for it is free of it, and no question blocks it any more. A
// *Blocked is one that waits for something itself, unless force is set; an
// *Unknown is one that is not pending.
func FinishAction(src []byte, id string, force bool) ([]byte, schema.Action, error) {
	var a schema.Action
	out, err := take(src, "action", actions, id, &a)
	if err != nil {
		return nil, schema.Action{}, err
	}
	if force {
		return out, a, nil
	}
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, schema.Action{}, err
	}
	// A question may block it that it does not name.
	if by := distinct(append(a.BlockedBy[:len(a.BlockedBy):len(a.BlockedBy)], naming(doc, questions, blocking, id)...)); len(by) > 0 {
		return nil, a, &Blocked{ID: id, By: by}
	}
	return out, a, nil
}

// recordID says whether a text has the form that the ids of questions and
// actions have.
func recordID(s string) bool {
	return (strings.HasPrefix(s, "Q-") || strings.HasPrefix(s, "ACT-")) && schema.ValidID(s)
}
