package git

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
)

// ErrIgnore says that git was not asked what it ignores: it would have read a pipe, or a
// file of any size, as a list of patterns.
var ErrIgnore = errors.New("no small plain file, so git is not asked what it ignores")

// maxIgnore is how large a list of patterns may be, in bytes.
const maxIgnore = 1 << 20

// ignoresAreSmall returns ErrIgnore if one of the lists of patterns that git reads for what
// r shows of the tree at root is no plain file of at most maxIgnore.
func ignoresAreSmall(root string, r Reader) error {
	for _, name := range []string{".forgemind/.local/.gitignore", ".quaid/.local/.gitignore"} { // which r does not show
		if err := isSmall(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for name := range r.Names(".") {
		if path.Base(name) != ".gitignore" {
			continue
		}
		if err := isSmall(filepath.Join(root, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for dir := root; ; dir = filepath.Dir(dir) {
		if err := isSmall(filepath.Join(dir, ".gitignore")); err != nil {
			return err
		}
		if dir == filepath.Dir(dir) || stands(filepath.Join(dir, ".git")) {
			return nil
		}
	}
}

func isSmall(file string) error {
	if fi, err := os.Stat(file); err == nil && !fi.IsDir() && (!fi.Mode().IsRegular() || fi.Size() > maxIgnore) {
		return fmt.Errorf("%s: %w", file, ErrIgnore)
	}
	return nil
}
