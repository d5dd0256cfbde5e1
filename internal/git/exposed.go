package git

import (
	"bytes"
	"context"
)

// NotIgnored returns the names in the directories dirs, which are meant to be ignored,
// that the repository of root tracks, and those that the next "git add --all" would
// add. Errors are ErrNoRepository, ErrNotInstalled and those of git.
func NotIgnored(ctx context.Context, root string, dirs ...string) (tracked, addable []string, err error) {
	if tracked, err = listFiles(ctx, root, dirs, "--cached"); err != nil {
		return nil, nil, err
	}
	addable, err = Untracked(ctx, root, dirs...)
	return tracked, addable, err
}

// Untracked returns the names in the directories dirs that the repository of root neither
// tracks nor ignores. Errors are those of NotIgnored.
func Untracked(ctx context.Context, root string, dirs ...string) ([]string, error) {
	return listFiles(ctx, root, dirs, "--others", "--exclude-standard")
}

// listFiles returns the names in dirs, or all names if dirs is empty, that "git
// ls-files" lists with flags.
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

// Ignored returns the files in the directories dirs that git ignores and does not track.
// Errors are those of NotIgnored.
func Ignored(ctx context.Context, root string, dirs ...string) ([]string, error) {
	return listFiles(ctx, root, dirs, "--others", "--ignored", "--exclude-standard")
}
