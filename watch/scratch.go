package watch

import (
	"path"
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// ignored says whether name is of no interest: it stands outside the two
// folders or in one of `.local/` and `.git/`, or is what an editor leaves
// beside the file that it saves.
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

// scratch knows the litter of vim, emacs, JetBrains and of our own writes by
// the last part of its name.
func scratch(base string) bool {
	switch {
	case base == "4913", // vim asks whether it may create files
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
