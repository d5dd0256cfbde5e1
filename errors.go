package forgemind

import (
	"errors"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/assemble"
	"github.com/forgemind/forgemind/internal/cold"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/session"
)

var (
	// ErrNoTree reports that neither a directory nor one above it has a tree.
	ErrNoTree = fs.ErrNoTree
	// ErrNoSession reports that a tree has no session yet; the first change begins one.
	ErrNoSession = engine.ErrNoSession
	// ErrUnknownChunk reports that cold storage does not have a chunk.
	ErrUnknownChunk = cold.ErrUnknown
)

// cause is the error that an error of this package was made from.
type cause struct{ err error }

func (c cause) Error() string { return c.err.Error() }

// Unwrap returns the underlying error, which may be one of package fs.
func (c cause) Unwrap() error { return c.err }

// A VersionConflictError reports that the hot context of a session changed since the
// caller read it.
type VersionConflictError struct {
	Session  string // id
	Expected int    // version that the caller named
	Version  int    // version that the hot context has
	cause
}

// An UnknownDecisionError reports that no decision has an id.
type UnknownDecisionError struct {
	ID string
	cause
}

// A SupersededError reports that a decision was superseded before.
type SupersededError struct {
	ID string // of the decision
	By string // id of the decision that superseded it
	cause
}

// A NotFoundError reports that no record of a kind has an id or a text.
type NotFoundError struct {
	Kind  Kind
	Which string   // the requested id or text
	Known []string // ids or texts of the existing records
	cause
}

// An AmbiguousError reports that several records match a text.
type AmbiguousError struct {
	Kind  Kind
	Which string   // the requested id or text
	Among []string // ids and texts of the matching records
	cause
}

// A BudgetError reports that a context exceeds its budget of tokens.
type BudgetError struct {
	Need, Have int // tokens
	cause
}

// An OptionError reports an option with an invalid value.
type OptionError struct {
	Option  string // name of the field
	Value   string // the given value
	Allowed string // in words
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("%s %q is not admitted; expected %s", e.Option, e.Value, e.Allowed)
}

// apiError converts an error of an internal package to one of this package, if there is one
// for it.
func apiError(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[ours](err); ok {
		return err // a callback may return an error of this package
	}
	if e, ok := errors.AsType[*engine.VersionError](err); ok {
		return &VersionConflictError{e.Session, e.Expected, e.Version, cause{err}}
	}
	if e, ok := errors.AsType[*engine.UnknownDecisionError](err); ok {
		return &UnknownDecisionError{e.ID, cause{err}}
	}
	if e, ok := errors.AsType[*engine.SupersededError](err); ok {
		return &SupersededError{e.ID, e.By, cause{err}}
	}
	if e, ok := errors.AsType[*session.UnknownError](err); ok {
		return &NotFoundError{Kind(e.What), e.Which, e.Known, cause{err}}
	}
	if e, ok := errors.AsType[*session.AmbiguousError](err); ok {
		return &AmbiguousError{Kind(e.What), e.Which, e.Among, cause{err}}
	}
	if e, ok := errors.AsType[*assemble.TooSmallError](err); ok {
		return &BudgetError{e.Need, e.Have, cause{err}}
	}
	return err
}

// ours is an error of this package.
type ours interface {
	error
	ours()
}

func (cause) ours() {}
