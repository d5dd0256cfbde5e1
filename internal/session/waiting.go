package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/schema"
)

// Actions returns the pending actions of a State and of a hot context, each once: those of
// one of them, then what the other has besides.
func Actions(one, other []schema.Action) []schema.Action {
	return inEither(one, other, func(a schema.Action) (id, text string) { return a.ID, a.Action })
}

// Questions returns the open questions of both, as Actions does.
func Questions(one, other []schema.Question) []schema.Question {
	return inEither(one, other, func(q schema.Question) (id, text string) { return q.ID, q.Question })
}

// inEither returns the items of both lists. An item is known by its id; one that has none,
// by its text, and one that has neither is left out.
func inEither[T any](one, other []T, name func(T) (id, text string)) []T {
	all := slices.Concat(one, other)
	ids, texts := map[string]bool{}, map[string]bool{}
	for _, v := range all {
		if id, text := name(v); id != "" {
			texts[strings.TrimSpace(text)] = true
		}
	}
	return slices.DeleteFunc(all, func(v T) bool {
		id, text := name(v)
		if text = strings.TrimSpace(text); id == "" {
			known := text == "" || texts[text]
			texts[text] = true
			return known
		}
		known := ids[id]
		ids[id] = true
		return known
	})
}
