package fs

import (
	iofs "io/fs"
	"os"
	"path/filepath"
)

// IsOwned reports whether the tree at root belongs to this user or to the system. Anybody
// who may write into a parent directory could have put a tree there. It checks the
// folders of the tree, and the targets of folders that are links.
func IsOwned(root string) bool {
	for _, folder := range folders {
		at := filepath.Join(root, folder)
		fi, err := os.Lstat(at)
		if err == nil && fi.Mode()&iofs.ModeSymlink != 0 && ownedByUs(fi) {
			fi, err = os.Stat(at)
		}
		if err == nil && !ownedByUs(fi) || err != nil && !isNotExist(err) {
			return false
		}
	}
	return true
}

// Contains reports whether dir is in the tree at root, whatever links either path
// contains.
func Contains(root, dir string) bool {
	if isNearest(root, dir) {
		return true
	}
	real, err := filepath.EvalSymlinks(dir)
	return err == nil && real != dir && isNearest(root, real)
}

func isNearest(root, dir string) bool {
	found, err := Find(dir)
	if err != nil || found == root {
		return err == nil
	}
	a, errA := os.Stat(found)
	b, errB := os.Stat(root)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
