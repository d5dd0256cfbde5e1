package git

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Repo is the repository that contains a directory. The zero Repo means that there is
// none.
type Repo struct {
	dir string // git's directory for this working tree
}

// Find returns the repository that contains root. It returns the zero Repo if there is
// none, or if git is needed to find it and is not installed.
func Find(root string) Repo {
	dir, err := filepath.Abs(root)
	if err != nil {
		return Repo{}
	}
	for {
		git := filepath.Join(dir, ".git")
		entry, err := os.Stat(git)
		switch {
		case err == nil && !entry.IsDir(): // a worktree or a submodule
			return ask(root)
		case err == nil && stands(filepath.Join(git, "objects")):
			return Repo{git}
		}
		above := filepath.Dir(dir)
		if above == dir {
			return Repo{}
		}
		dir = above
	}
}

func ask(root string) Repo {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	out, err := run(ctx, root, nil, "rev-parse", "--absolute-git-dir")
	if err != nil {
		return Repo{}
	}
	return Repo{filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))}
}

// Busy returns the operation that git is in the middle of, such as "a merge
// (MERGE_HEAD)", "" if there is none. It is fast: it only checks whether a few files
// exist.
func (r Repo) Busy() string {
	if r.dir == "" {
		return ""
	}
	for _, m := range [...]struct{ file, what string }{
		{"index.lock", "a change of the index"},
		{"MERGE_HEAD", "a merge"},
		{"CHERRY_PICK_HEAD", "a cherry-pick"},
		{"REVERT_HEAD", "a revert"},
		{"rebase-merge", "a rebase"},
		{"rebase-apply", "a rebase or the applying of patches"},
	} {
		if stands(filepath.Join(r.dir, m.file)) {
			return m.what + " (" + m.file + ")"
		}
	}
	return ""
}

// Index returns a stamp of the repository's index and of the ignore files of root and
// its parents, and the time of the last change of any of these.
func (r Repo) Index(root string) (stamp string, changed time.Time) {
	files := []string{filepath.Join(r.dir, "index"), filepath.Join(r.dir, "info", "exclude"), filepath.Join(root, ".gitignore"), filepath.Join(filepath.Dir(r.dir), ".gitignore")}
	for _, file := range files {
		fi, err := os.Stat(file)
		if err != nil {
			stamp += "- "
			continue
		}
		stamp += strconv.FormatInt(fi.Size(), 10) + "/" + strconv.FormatInt(fi.ModTime().UnixNano(), 10) + " "
		if fi.ModTime().After(changed) {
			changed = fi.ModTime()
		}
	}
	return stamp, changed
}

func stands(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
