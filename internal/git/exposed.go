package git

import (
	"bytes"
	"context"
)

// Exposed returns the names in the directories dirs, which are meant to be kept out
// of git, that the repository of root tracks, and those that the next "git add
// --all" would add. Errors are ErrNoRepository, ErrNotInstalled, ErrIgnore and what git says.
func Exposed(ctx context.Context, root string, r Reader, dirs ...string) (tracked, addable []string, err error) {
	if tracked, err = listFiles(ctx, root, dirs, "--cached"); err != nil {
		return nil, nil, err
	}
	addable, err = Untracked(ctx, root, r, dirs...)
	return tracked, addable, err
}

// Untracked returns the names in the directories dirs that the repository of root neither
// tracks nor ignores. r shows the tree at root. Errors are those of Exposed.
func Untracked(ctx context.Context, root string, r Reader, dirs ...string) ([]string, error) {
	if err := ignoresAreSmall(root, r); err != nil {
		return nil, err
	}
	return listFiles(ctx, root, dirs, "--others", "--exclude-standard")
}

// listFiles returns the names in dirs, all where there are none, that "git ls-files"
// gives with flags.
func listFiles(ctx context.Context, root string, dirs []string, flags ...string) ([]string, error) {
	args := append([]string{"ls-files", "-z"}, flags...)
	out, err := run(ctx, root, nil, append(append(args, "--"), dirs...)...)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names, nil
}
