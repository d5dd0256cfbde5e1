package operation

import (
	"context"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

// TouchFile records path as the file that was edited last; see Edit.TouchFile.
func TouchFile(ctx context.Context, t *engine.Tree, path, function, agent string) (schema.FileContext, engine.Outcome, error) {
	return step(ctx, t, agent, func(e *Edit) (schema.FileContext, error) { return e.TouchFile(path, function) })
}

// TouchFile records path as the file that was edited last and, unless function is "",
// function as the one that is being worked on.
func (e *Edit) TouchFile(path, function string) (files schema.FileContext, err error) {
	err = e.set.EditHot(func(h *session.Hot) error {
		if err := h.Touch(path, function, e.set.Actor(), e.set.Now()); err != nil {
			return err
		}
		if now := h.Context().CurrentFileContext; now != nil {
			files = *now
		}
		return nil
	})
	return files, err
}

// TouchFiles records files, by their paths relative to the project directory, as those that
// were edited last, in that order. It does nothing without an active session.
func TouchFiles(ctx context.Context, t *engine.Tree, agent string, files []string) error {
	if id, err := session.Active(t.Tree); err != nil || id == "" {
		return err
	}
	_, err := Update(ctx, t, agent, func(e *Edit) error {
		for _, file := range files {
			if _, err := e.TouchFile(file, ""); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}
