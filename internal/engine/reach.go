package engine

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// A reach tells who wrote the decision of an effect, which bounds the files that the effect may write.
type reach int

const (
	ours    reach = iota // recorded by this round
	others               // by somebody else, in this working copy
	batch                // likewise, with many more: only what git ignores
	brought              // by git: only what git ignores
)

// The effects of a decision that no trigger has.
const (
	markSuperseded = "mark_superseded" // on those who rely on what it supersedes
	showInViews    = "show_in_views"
)

// errReach is the error of an effect that would write a file beyond its reach.
var errReach = errors.New("git tracks what it would write")

// covers reports whether an effect of that reach may write files.
func (r *round) covers(reach reach, names ...string) bool {
	if reach < batch {
		return true
	}
	names = slices.DeleteFunc(slices.Clone(names), fs.IsLocal)
	if slices.ContainsFunc(names, func(name string) bool { return !fs.Ignores(r.tx, name) }) {
		return false
	}
	held, _ := r.committed(names) // git may track what it would ignore
	return len(held) == 0
}

// within runs an effect, and takes all of it back if it fails. If one of its files is beyond the reach, nothing is
// written, and the error is errReach. What others wrote is judged here, so that it refuses no command: what may not
// be written is an error of the effect.
func (r *round) within(reach reach, do func() error) error {
	saved := *r
	saved.facts = nil // they were given the records that are taken back
	saved.rendered, saved.unreadable = maps.Clone(r.rendered), maps.Clone(r.unreadable)
	mark := r.tx.Mark()
	err := r.tx.Try(func(*fs.Tx) error {
		if err := do(); err != nil || reach == ours {
			return err
		}
		names := slices.DeleteFunc(r.tx.Since(mark), r.stands)
		if !r.covers(reach, names...) {
			return errReach
		}
		if err := r.canWrite(names); err != nil {
			return err
		}
		return validate.Gate(r.tree.Tree, r.tx, names)
	})
	if err != nil {
		told, compacted := r.out.Notes, r.compacted
		if *r = saved; reach == ours { // what is of others is looked at again, which tells the same
			r.out.Notes, r.compacted = told, compacted
		}
	}
	return err
}

// canWrite says why one of files cannot be written; nil where all can.
func (r *round) canWrite(names []string) error {
	for _, name := range names {
		if err := r.tree.CanWrite(name); err != nil {
			return err
		}
	}
	return nil
}

// tryFor runs what follows from files of others, and takes it back if it fails or cannot be written.
func (r *round) tryFor(do func() error) error {
	mark := r.tx.Mark()
	return r.tx.Try(func(*fs.Tx) error {
		if err := do(); err != nil {
			return err
		}
		return r.canWrite(r.tx.Since(mark))
	})
}

// stands reports whether a file is staged as it stands on disk.
func (r *round) stands(name string) bool {
	staged, err := r.tx.Read(name)
	if err != nil {
		return false
	}
	src, err := r.tree.ReadUnsettled(name)
	return err == nil && bytes.Equal(src, staged)
}
