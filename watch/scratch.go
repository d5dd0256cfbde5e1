package watch

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// ignored reports whether name is not to be watched: it is outside the two folders, in
// `.local/` or `.git/`, or a temporary file of an editor.
func ignored(name string) bool {
	folder, rest, below := strings.Cut(name, "/")
	if folder != fs.Forgemind && folder != fs.Quaid {
		return true
	}
	if !below {
		return false
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".git" {
			return true
		}
	}
	return fs.IsLocal(name) || scratch(path.Base(name))
}

// scratch reports whether base is the name of a temporary file of vim, emacs, JetBrains
// or forgemind.
func scratch(base string) bool {
	switch {
	case base == "4913", // vim creates this file to test whether it may create files
		strings.HasSuffix(base, "~"),
		strings.HasPrefix(base, ".#"),
		len(base) > 1 && strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#"),
		strings.HasPrefix(base, ".fm-") && strings.HasSuffix(base, ".tmp"),
		strings.HasPrefix(base, "___jb_") && strings.HasSuffix(base, "___"):
		return true
	}
	swap, _ := path.Match(".*.sw?", base)
	return swap
}
