package state

import (
	"fmt"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

const questions = "/open_questions"

// Ask adds an open question under an id of its own. The actions in its blocking
// wait for it from now on; an *Unknown is one that is not pending.
func Ask(src []byte, q schema.Question) ([]byte, error) {
	doc, err := jsonedit.Parse(src)
	if err != nil {
		return nil, err
	}
	if err := newRecord(doc, "question", q.ID); err != nil {
		return nil, err
	}
	given := distinct(q.Blocking)
	var waiting []string
	for _, id := range given {
		n := index(doc, actions, id)
		if n < 0 {
			return nil, unknown(doc, "action", id, actions)
		}
		waiting = append(waiting, fmt.Sprintf("%s/%d", actions, n))
	}
	// Some may have named the id before there was a question of it.
	q.Blocking = distinct(append(given, naming(doc, actions, blockedBy, q.ID)...))
	value, err := jsonedit.Value(q)
	if err != nil {
		return nil, err
	}
	if src, err = jsonedit.Append(src, questions, value); err != nil {
		return nil, err
	}
	for _, action := range waiting {
		if src, err = refer(src, action, blockedBy, q.ID); err != nil {
			return nil, err
		}
	}
	return src, nil
}

// Answer takes an open question off the list and returns it as it stood. No
// action waits for it any more. An *Unknown is one that is not open.
func Answer(src []byte, id string) ([]byte, schema.Question, error) {
	var q schema.Question
	out, err := take(src, "question", questions, id, &q)
	if err != nil {
		return nil, schema.Question{}, err
	}
	return out, q, nil
}
