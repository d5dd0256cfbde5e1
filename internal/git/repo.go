package git

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A Repo is the repository that a directory stands in. The zero Repo is none.
type Repo struct {
	dir string // where git keeps what is the working tree's own
}

// Find finds the repository that root stands in. Without one, or without git
// where git alone knows, it is the zero Repo.
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

// Busy says what git is in the middle of, such as "a merge (MERGE_HEAD)", ""
// if nothing. It is cheap: it only looks whether a few files stand.
func (r Repo) Busy() string {
	if r.dir == "" {
		return ""
	}
	for _, m := range [...]struct{ file, what string }{
		{"index.lock", "a change of the index"},
		{"HEAD.lock", "a change of HEAD"},
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

// Index returns what tells one state of the repository's index, and of what it ignores at
// root and above, from another, and when one of these changed last.
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
