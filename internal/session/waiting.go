package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// Actions returns the pending actions of a State and of a hot context, each once: those of
// the hot context, then those of the State that are not among them.
func Actions(s schema.State, hot schema.HotContext) []schema.Action {
	return inEither(hot.PendingActions, s.PendingActions, func(a schema.Action) (id, text string) { return a.ID, a.Action })
}

// Questions returns the open questions of both, as Actions does.
func Questions(s schema.State, hot schema.HotContext) []schema.Question {
	return inEither(hot.OpenQuestions, s.OpenQuestions, func(q schema.Question) (id, text string) { return q.ID, q.Question })
}

// inEither returns a with what b has besides. An item is known by its id; one that has none,
// by its text, and one that has neither is left out.
func inEither[T any](a, b []T, name func(T) (id, text string)) []T {
	ids, texts := map[string]bool{}, map[string]bool{}
	return slices.DeleteFunc(slices.Concat(a, b), func(v T) bool {
		id, text := name(v)
		text = strings.TrimSpace(text)
		if id != "" && ids[id] || id == "" && (text == "" || texts[text]) {
			return true
		}
		ids[id], texts[text] = true, true
		return false
	})
}

// ActiveHot returns the hot context of the active session without what cannot be read of
// it, and reports whether there is one that can be read.
func ActiveHot(r fs.Reader) (hot schema.HotContext, ok bool) {
	id, err := Active(r)
	if err != nil || id == "" {
		return hot, false
	}
	src, err := r.Read(HotContext(id))
	if err != nil {
		return hot, false
	}
	h, err := ReadHot(src)
	if err != nil {
		return hot, false
	}
	return h.Context(), true
}
