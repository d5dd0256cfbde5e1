//go:build !linux

package fs

import (
	iofs "io/fs"
	"os"
)

func (t *Tree) open(name string, flag int, perm iofs.FileMode) (*os.File, error) {
	return t.openPlain(name, flag|nonblock, perm)
}

func (t *Tree) readAt(buf []byte, name string) ([]byte, meta, error) {
	return t.readPlain(buf, name)
}
