package watch

import (
	"strings"

	"github.com/forgemind/forgemind/fs"
)

// ignored says whether name is of no interest: it stands outside the two
// folders or in one of `.local/` and `.git/`, or is litter that a program
// leaves beside documents; see fs.IsLitter.
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
	return fs.IsLocal(name) || fs.IsLitter(name)
}
