package condense

import (
	"errors"

	"github.com/forgemind/forgemind/internal/git"
)

// ErrUnmerged is a document that a merge left with both sides in it.
var ErrUnmerged = errors.New("it holds the markers of an unfinished merge")

// Unmerged reports whether both sides of a merge stand in src.
func Unmerged(src []byte) bool {
	found := false
	well := git.SideBySide(src, func(_ []byte, s git.Side) { found = found || s != git.Both })
	return found && well
}

// merged returns why a document can't be read: ErrUnmerged where that is why.
func merged(src []byte, err error) error {
	if Unmerged(src) {
		return ErrUnmerged
	}
	return err
}
