package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/forgemind/forgemind/internal/present"
)

// The exit codes.
const (
	exitDone     = 0 // success
	exitFindings = 1 // findings of severity error, or a condition that does not hold
	exitUsage    = 2 // wrong usage
	exitFailed   = 3 // failure
)

// errFindings ends a command with exit code 1 after the findings were printed.
var errFindings = errors.New("there are findings of severity error")

// An unmetError ends a command with exit code 1. It reports a condition that does not hold.
type unmetError struct{ msg string }

func (e *unmetError) Error() string { return e.msg }

// Problem implements present.Classified.
func (e *unmetError) Problem() present.Problem {
	return present.Problem{Kind: present.Precondition, Unmet: true}
}

// A problemError is an error of a kind that its text alone does not tell.
type problemError struct {
	msg     string
	problem present.Problem
}

func (e *problemError) Error() string { return e.msg }

// Problem implements present.Classified.
func (e *problemError) Problem() present.Problem { return e.problem }

// missing returns an error for an item that a tree does not have.
func missing(msg string) error {
	return &problemError{msg, present.Problem{Kind: present.NotFound, Unmet: true}}
}

// A usageError reports an invalid command line.
type usageError struct {
	msg  string
	hint string // usually the usage line
}

func (e *usageError) Error() string { return e.msg }

// Problem implements present.Classified.
func (e *usageError) Problem() present.Problem {
	return present.Problem{Kind: present.Usage, Hint: e.hint}
}

// A hintedError is an error with a hint for the person who reads it.
type hintedError struct {
	error
	hint string
}

func (e *hintedError) Unwrap() error { return e.error }

// Hint implements present.Hinted.
func (e *hintedError) Hint() string { return e.hint }

// withHint adds a hint to err.
func withHint(err error, format string, args ...any) error {
	return &hintedError{err, fmt.Sprintf(format, args...)}
}

// report prints err and returns the exit code of its problem.
func (p *program) report(err error) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFindings
	}
	problem := present.ProblemOf(err)
	if p.json && !p.out.begun {
		p.printJSON("error", errorReport{reportedError{problem.Kind, err.Error(), problem.Hint}})
		p.out.flush()
	}
	for line := range strings.SplitSeq(err.Error(), "\n") { // one line for each joined error
		fmt.Fprintf(p.err, "forgemind: error: %s\n", line)
	}
	if problem.Hint != "" {
		fmt.Fprintf(p.err, "forgemind: hint: %s\n", strings.ReplaceAll(problem.Hint, "\n", "\n  "))
	}
	return exitCode(problem)
}

// exitCode returns the exit code of a problem.
func exitCode(problem present.Problem) int {
	switch {
	case problem.Kind == present.Usage:
		return exitUsage
	case problem.Unmet:
		return exitFindings
	}
	return exitFailed
}

// is reports whether err is or wraps an error of type T.
func is[T error](err error) bool {
	var target T
	return errors.As(err, &target)
}
