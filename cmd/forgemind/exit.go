package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/artifact"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/internal/state"
	"github.com/forgemind/forgemind/validate"
)

// The exit codes.
const (
	exitDone     = 0 // done, nothing wrong
	exitFindings = 1 // findings of severity error, or the asked-for thing does not hold
	exitUsage    = 2 // wrong usage
	exitFailed   = 3 // could not do it
)

// errFindings ends a command with exit code 1 where what is wrong has been
// said already.
var errFindings = errors.New("there are findings of severity error")

// An unmetError ends a command with exit code 1: what was asked for does not
// hold, and the message says so.
type unmetError struct{ msg string }

func (e *unmetError) Error() string { return e.msg }

// A usageError is a command line that does not say what to do.
type usageError struct {
	msg  string
	hint string // usually the usage line
}

func (e *usageError) Error() string { return e.msg }

// A hintedError carries advice for the person who reads it.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

// withHint adds advice to err.
func withHint(err error, format string, args ...any) error {
	return &hintedError{err, fmt.Sprintf(format, args...)}
}

// report tells people about err and returns the exit code that its type asks
// for.
func (p *program) report(err error) int {
	var usage *usageError
	var unmet *unmetError
	code, hint := exitFailed, hintFor(err)
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	case errors.As(err, &usage):
		code, hint = exitUsage, usage.hint
	case errors.As(err, &unmet), unheld(err):
		code = exitFindings
	}
	var refused *validate.Refused
	if errors.As(err, &refused) {
		for i := range refused.Findings {
			refused.Findings[i].File = p.at(refused.Findings[i].File)
		}
	}
	for line := range strings.SplitSeq(err.Error(), "\n") { // one for each of joined errors
		fmt.Fprintf(p.err, "forgemind: error: %s\n", line)
	}
	if hint != "" {
		fmt.Fprintf(p.err, "forgemind: hint: %s\n", strings.ReplaceAll(hint, "\n", "\n  "))
	}
	return code
}

// unheld says whether err is no failure of ours: what was asked for does not
// hold, or would break what does.
func unheld(err error) bool {
	return is[*validate.Refused](err) || is[*engine.UnknownDecision](err) || is[*engine.Superseded](err) ||
		is[*engine.Unavailable](err) || is[*state.Unknown](err) || is[*engine.Blocked](err) || is[*artifact.Unknown](err) ||
		is[*session.Unknown](err) || is[*session.Ambiguous](err) || is[*engine.Moved](err) ||
		errors.Is(err, engine.ErrFirstLayer) || errors.Is(err, artifact.ErrEssential) || errors.Is(err, session.ErrCircle) ||
		errors.Is(err, engine.ErrNoSession)
}

// is says whether err is, or wraps, an error of type T.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}

// hintFor is the advice that err carries, or that its kind has.
func hintFor(err error) string {
	var hinted *hintedError
	switch {
	case errors.As(err, &hinted):
		return hinted.hint
	case is[*fs.Foreign](err):
		return "'forgemind init' makes a tree here; --tree DIR works on that one"
	case errors.Is(err, fs.ErrNoTree):
		return "'forgemind init' makes a tree here; --tree DIR names one elsewhere"
	case errors.Is(err, state.ErrNoState):
		return "'forgemind init' adds what a tree lacks"
	case errors.Is(err, engine.ErrNoSession):
		return "'forgemind sessions new' begins one"
	case errors.Is(err, engine.ErrUnfit), is[*jsonedit.SyntaxError](err):
		return "'forgemind validate' says what is wrong with it"
	case errors.Is(err, git.ErrOwner):
		return "if you trust it, 'git config --global --add safe.directory DIR' with its top directory lets git read it"
	case errors.Is(err, git.ErrAuthor):
		return "nothing was changed; try again, or set GIT_AUTHOR_NAME to the name that is to be recorded"
	case errors.Is(err, fs.ErrBusy):
		return "another program is writing to this tree; wait for it, or ask 'forgemind doctor' who holds the lock"
	case errors.Is(err, fs.ErrUnsettled):
		return "a program is in the middle of saving this file; try again when it is done"
	}
	return ""
}
