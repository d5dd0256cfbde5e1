package session

import (
	"slices"
	"strings"

	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// ShowDetected adds actions that were detected in messages and have no record. If there are more
// than most of them, it removes the oldest; the messages still have them.
func (h *Hot) ShowDetected(found []schema.Action, most int) error {
	return h.whole(func() error {
		for _, a := range found {
			if err := h.append(actions.list, a); err != nil {
				return err
			}
		}
		all, err := h.items(actions)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(it item) bool { return word(&h.doc, it.node, "origin") != schema.OriginDetected })
		surplus := len(all) - most
		if surplus <= 0 {
			return nil
		}
		src, err := jsonedit.Filter(h.doc.Src, actions.list, func(_ *jsonedit.Doc, i int) bool {
			return !slices.ContainsFunc(all[:surplus], func(it item) bool { return it.node == i })
		})
		return h.become(src, err)
	})
}

// Plans reports whether an action with that text is pending.
func (h *Hot) Plans(text string) bool {
	all, _ := h.items(actions)
	return slices.ContainsFunc(all, func(it item) bool { return strings.EqualFold(it.text, text) })
}
