package fs

import (
	iofs "io/fs"
	"os"
	"path/filepath"
)

// Ours says whether the tree at root is of this user, or of the system's: whoever
// may write into a directory above can put a tree there for others to find. Its
// folders are asked, and where one is a link, what it leads to as well.
func Ours(root string) bool {
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

// Holds says whether the tree at root is the one that dir is in, by whatever links
// either is named.
func Holds(root, dir string) bool {
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
