package engine

import (
	"bytes"
	"errors"
	"slices"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/validate"
)

// A reach is whose decision an effect is of, and so what the effect may write.
type reach int

const (
	ours    reach = iota // recorded by this round
	others               // by somebody else, in this working copy
	batch                // likewise, with many more: only what git ignores
	brought              // by git: only what git ignores
)

// markSuperseded is the effect of a decision on those who rely on what it supersedes.
const markSuperseded = "mark_superseded"

// errReach takes back what would be written beyond a reach.
var errReach = errors.New("git tracks what it would write")

// covers reports whether an effect of that reach may write the file called name.
func (r *round) covers(reach reach, name string) bool {
	return reach < batch || fs.IsLocal(name) || fs.Ignores(r.tx, name)
}

// within has an effect of decisions. It writes nothing where one of its files is beyond the reach,
// and returns errReach. What others wrote refuses no command: what may not be written is an error
// of the effect.
func (r *round) within(reach reach, do func() error) error {
	if reach == ours {
		return r.tx.Try(func(*fs.Tx) error { return do() })
	}
	before, saved := r.tx.Staged(), *r
	err := r.tx.Try(func(*fs.Tx) error {
		if err := do(); err != nil {
			return err
		}
		names := slices.DeleteFunc(differing(before, r.tx.Staged()), r.stands)
		if slices.ContainsFunc(names, func(name string) bool { return !r.covers(reach, name) }) {
			return errReach
		}
		return validate.Gate(r.tree.Tree, r.tx, names)
	})
	if err != nil {
		*r = saved
	}
	return err
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
