package fs

import (
	"context"
	"os"
)

// A Relation is the result of comparing a file of a tree with its copy in a CopyDir.
type Relation int

// The relations of a file and its copy.
const (
	CopyHeld    Relation = iota // the file contains the whole copy
	CopyMissing                 // the file does not exist
	CopyAhead                   // the file is JSONL, and a prefix of the copy
	CopyDiffers                 // each has bytes that the other lacks
)

// Compare compares a copy with the file in the tree. It reads no bytes of the file
// beyond the length of the copy.
func (c *CopyDir) Compare(ctx context.Context, t *Tree, name string) (Relation, error) {
	file, here, err := t.openFile(name)
	if isNotExist(err) {
		return CopyMissing, nil
	}
	if err != nil {
		return CopyHeld, err
	}
	defer file.Close()
	copied, there, err := c.open(copyOf(name), os.O_RDONLY)
	if err != nil {
		return CopyHeld, err
	}
	defer copied.Close()
	if here.size == there.size && here.changed.Equal(there.changed) {
		return CopyHeld, nil
	}
	same, err := sameStart(ctx, file, copied, min(here.size, there.size))
	switch {
	case err != nil:
		return CopyHeld, err
	case same && here.size == there.size, same && here.size > there.size && isJSONL(name):
		return CopyHeld, nil
	case same && here.size < there.size && isJSONL(name):
		return CopyAhead, nil
	}
	return CopyDiffers, nil
}
