package git

import (
	"context"
	"errors"
	"strings"
)

// A KeptFile is the content of a file as the repository keeps it.
type KeptFile struct {
	Rev     string // the argument of `git checkout Rev -- NAME`; "" is the index
	Content []byte
}

// Kept returns, for each of names, slash paths relative to root, the newest version in
// the repository: that of HEAD, else that of the index, else that of the newest commit
// before HEAD that has it. Names without a version are not in the result. Errors are
// ErrNoRepository, ErrNotInstalled and those of git.
func Kept(ctx context.Context, root string, names []string) (map[string]KeptFile, error) {
	objects, err := openObjects(ctx, place{dir: root})
	if err != nil {
		return nil, err
	}
	defer objects.close()
	kept := map[string]KeptFile{}
	ask := func(rev, name string) error {
		if strings.ContainsAny(name, "\n\x00") {
			return nil // a name with a newline cannot be asked for
		}
		found, err := objects.ask(rev+":./"+name, maxFile)
		if err == nil && found.kind == "blob" {
			kept[name] = KeptFile{rev, found.content}
		}
		if errors.Is(err, errMissing) || errors.Is(err, errTooLarge) {
			return nil
		}
		return err
	}
	var missing []string
	for _, name := range names {
		for _, rev := range []string{"HEAD", ""} {
			if _, ok := kept[name]; ok {
				break
			}
			if err := ask(rev, name); err != nil {
				return nil, err
			}
		}
		if _, ok := kept[name]; !ok {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return kept, nil
	}
	commits, err := lastCommits(ctx, root, missing, "HEAD")
	for name, commit := range commits {
		if err := ask(commit, name); err != nil {
			return nil, err
		}
	}
	return kept, err
}

// maxPaths is the largest number of paths in one git command.
const maxPaths = 200

// OnAnyBranch returns those of names that a commit of any branch, tag or reflog changed,
// such as one of a branch that was checked out before. Errors are those of Kept.
func OnAnyBranch(ctx context.Context, root string, names []string) (map[string]bool, error) {
	commits, err := lastCommits(ctx, root, names, "--all", "--reflog")
	elsewhere := map[string]bool{}
	for name := range commits {
		elsewhere[name] = true
	}
	return elsewhere, err
}

// lastCommits returns, for each of names, the abbreviated id of the newest commit
// reachable from revisions that changed it.
func lastCommits(ctx context.Context, root string, names []string, revisions ...string) (map[string]string, error) {
	args := []string{"-c", "log.showSignature=false", "-c", "log.showRoot=true", "--literal-pathspecs", "log", "--no-show-signature", "--no-decorate",
		"--no-color", "--full-history", "-m", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "--relative", "--diff-filter=d",
		"-z", "--name-only", "--format=%x01%h"}
	args = append(append(args, revisions...), "--")
	commits := map[string]string{}
	for len(names) > 0 {
		n := min(len(names), maxPaths)
		out, err := run(ctx, root, nil, append(args[:len(args):len(args)], names[:n]...)...)
		if err != nil && hasNoCommit(ctx, root) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		commit := ""
		for field := range strings.SplitSeq(string(out), "\x00") {
			if id, ok := strings.CutPrefix(field, "\x01"); ok {
				commit = id
			} else if name := strings.TrimPrefix(field, "\n"); name != "" && commits[name] == "" {
				commits[name] = commit
			}
		}
		names = names[n:]
	}
	return commits, nil
}
