package present

import (
	"errors"
	iofs "io/fs"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/operation"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// The kinds of errors.
const (
	Usage        = "usage"        // the request does not say what to do
	NotFound     = "not found"    // no item, file or tree of that name
	Conflict     = "conflict"     // something changed meanwhile, or a name has several meanings
	Precondition = "precondition" // the tree does not allow it now
	Busy         = "busy"         // another program is writing
	Invalid      = "invalid"      // a document is wrong, or would be
	IO           = "io"           // the rest: something could not be read, written or done
)

// A Problem describes an error to programs.
type Problem struct {
	Kind string // one of the kinds of errors
	// Unmet reports that everything worked, but what was asked for does not hold.
	// Other problems mean that the work could not be done.
	Unmet bool
	Hint  string // what to do, in words of the command line; "" for none
}

// A Classified error knows its problem.
type Classified interface {
	error
	Problem() Problem
}

// A Hinted error carries a hint for the person who reads it.
type Hinted interface {
	error
	Hint() string
}

// ProblemOf returns the problem that err is. Exit codes, HTTP statuses and errors of
// protocols come from it.
func ProblemOf(err error) Problem {
	problem := classify(err)
	var hinted Hinted
	switch {
	case errors.As(err, &hinted):
		problem.Hint = hinted.Hint()
	case problem.Hint == "":
		problem.Hint = hintFor(err)
	}
	return problem
}

func classify(err error) Problem {
	var classified Classified
	switch {
	case errors.As(err, &classified):
		return classified.Problem()
	case is[*engine.UnknownDecisionError](err), is[*engine.UnknownTriggerError](err), is[*state.UnknownError](err),
		is[*artifact.UnknownError](err), is[*session.UnknownError](err):
		return Problem{Kind: NotFound, Unmet: true}
	case is[*engine.UnknownSessionError](err), errors.Is(err, cold.ErrUnknown), errors.Is(err, fs.ErrNoTree),
		errors.Is(err, state.ErrNoState), errors.Is(err, iofs.ErrNotExist):
		return Problem{Kind: NotFound}
	case is[*engine.VersionError](err), is[*engine.SupersededError](err), is[*session.AmbiguousError](err):
		return Problem{Kind: Conflict, Unmet: true}
	case is[*validate.RefusedError](err):
		return Problem{Kind: Invalid, Unmet: true}
	case is[*jsonedit.SyntaxError](err), errors.Is(err, engine.ErrUnfit):
		return Problem{Kind: Invalid}
	case errors.Is(err, fs.ErrBusy), errors.Is(err, fs.ErrUnsettled):
		return Problem{Kind: Busy}
	case is[*engine.UnavailableError](err), is[*operation.BlockedError](err), errors.Is(err, engine.ErrFirstLayer), errors.Is(err, artifact.ErrEssential),
		errors.Is(err, session.ErrCircle), errors.Is(err, engine.ErrNoSession):
		return Problem{Kind: Precondition, Unmet: true}
	}
	return Problem{Kind: IO}
}

// hintFor returns the hint of a kind of error that carries none.
func hintFor(err error) string {
	switch {
	case errors.Is(err, fs.ErrNoTree):
		return "'forgemind init' makes a tree here; --tree DIR names one elsewhere"
	case errors.Is(err, state.ErrNoState):
		return "'forgemind init' adds what a tree lacks"
	case errors.Is(err, engine.ErrNoSession):
		return "'forgemind session new' begins one"
	case errors.Is(err, engine.ErrUnfit), is[*jsonedit.SyntaxError](err):
		return "'forgemind validate' reports the fault"
	case errors.Is(err, git.ErrAuthor):
		return "nothing was changed; try again, or set GIT_AUTHOR_NAME to the name that is to be recorded"
	case errors.Is(err, fs.ErrBusy):
		return "another program is writing to this tree; wait for it, or ask 'forgemind doctor' who holds the lock"
	case errors.Is(err, fs.ErrUnsettled):
		return "a program is in the middle of saving this file; try again when it is done"
	}
	return ""
}

// is reports whether err is, or wraps, an error of type T.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
