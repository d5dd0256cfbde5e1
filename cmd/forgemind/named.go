package main

import (
	"errors"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// idOf returns the id of the item that which names by its id or by a unique part of its text.
// It returns which itself if there is none, so that a later lookup reports it, and an error
// if there are several.
func idOf[T any](what, which string, all []T, name func(T) (id, text string)) (string, error) {
	i, err := session.Find(what, which, all, name)
	if several := (*session.AmbiguousError)(nil); errors.As(err, &several) {
		return "", err
	}
	if err != nil {
		return which, nil
	}
	id, _ := name(all[i])
	return id, nil
}

func nameOfDecision(d schema.Decision) (id, text string) { return d.ID, d.Decision }

func nameOfQuestion(q schema.Question) (id, text string) { return q.ID, q.Question }
