package mcp

import (
	"cmp"
	"errors"
	iofs "io/fs"
	"strings"
	"syscall"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// advised returns the message of an error followed by a hint.
func advised(err error) string {
	if what := advice(err); what != "" {
		return err.Error() + "; " + what
	}
	return err.Error()
}

// advice returns a hint for an error that names the tools, or "" if the error needs none.
func advice(err error) string {
	var refused *validate.RefusedError
	var unknown *engine.UnknownDecisionError
	var superseded *engine.SupersededError
	var gone *engine.UnknownSessionError
	var missing *session.UnknownError
	var absent *state.UnknownError
	var several *session.AmbiguousError
	switch {
	case errors.As(err, &refused):
		return "nothing was changed; validate shows what is wrong in the tree, and 'forgemind explain " + refused.Findings[0].Rule + "' tells about the rule"
	case errors.As(err, &unknown):
		var ids []string
		for _, d := range unknown.Known {
			ids = append(ids, d.ID)
		}
		return didYouMean(unknown.ID, ids, "decision_list lists those there are")
	case errors.As(err, &superseded):
		return "supersede that one instead"
	case errors.As(err, &gone):
		return didYouMean(gone.ID, gone.Known, "session_list lists those there are")
	case errors.As(err, &missing) && missing.What == "project":
		return didYouMean(missing.Which, missing.Known, "there are "+cmp.Or(clip(strings.Join(missing.Known, ", "), 400), "none"))
	case errors.As(err, &missing):
		return didYouMean(missing.Which, missing.Known, "work_list lists those there are")
	case errors.As(err, &absent):
		return didYouMean(absent.ID, absent.Known, "work_list lists those there are")
	case errors.As(err, &several):
		return "name one by its id, or by more of its text: " + clip(strings.Join(several.Among, ", "), 400)
	case is[*artifact.UnknownError](err):
		return "'forgemind artifact list' lists them"
	case errors.Is(err, cold.ErrUnknown):
		return "search finds what there is"
	case errors.Is(err, engine.ErrNoSession):
		return "'forgemind session new' begins one, or the tool session with action new"
	case errors.Is(err, state.ErrNoState):
		return "'forgemind init' adds what a tree lacks"
	case errors.Is(err, engine.ErrUnfit), is[*jsonedit.SyntaxError](err):
		return "validate says what is wrong with it"
	case errors.Is(err, git.ErrAuthor):
		return "nothing was changed; call again"
	case errors.Is(err, fs.ErrBusy):
		return "another program is writing to this tree; call again in a few seconds, or ask 'forgemind doctor' who holds the lock"
	case errors.Is(err, syscall.EROFS), errors.Is(err, iofs.ErrPermission):
		return "this server may not write there: nothing was changed; tell the user"
	case errors.Is(err, fs.ErrUnsettled):
		return "a program is in the middle of saving this file; call again when it is done"
	}
	return ""
}

// is reports whether err is or wraps an error of type T.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
