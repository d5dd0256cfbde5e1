package git

import (
	"context"
	"errors"
	"strings"
)

// A KeptFile is the content of a file as the repository keeps it.
type KeptFile struct {
	Rev     string // that `git checkout Rev -- NAME` takes; "" is the index
	Content []byte
}

// Kept returns the newest version of each of names, slash paths relative to root,
// that the repository keeps: that of HEAD, else that of the index, else that of
// the newest commit before HEAD that has it. Names that none of them has are not in
// the result. Errors are ErrNoRepository, ErrNotInstalled and what git says.
func Kept(ctx context.Context, root string, names []string) (map[string]KeptFile, error) {
	objects, err := openObjects(ctx, root)
	if err != nil {
		return nil, err
	}
	defer objects.close()
	kept := map[string]KeptFile{}
	ask := func(rev, name string) error {
		if strings.ContainsAny(name, "\n\x00") {
			return nil // no question that it could be asked with
		}
		found, err := objects.ask(rev+":./"+name, maxFile)
		if err == nil && found.kind == "blob" {
			kept[name] = KeptFile{rev, found.content}
		}
		if errors.Is(err, errMissing) || errors.Is(err, ErrTooLarge) {
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

// Elsewhere returns those of names that a commit wrote which any branch, tag or reflog
// has, such as that of a branch that was checked out before. Errors are those of Kept.
func Elsewhere(ctx context.Context, root string, names []string) (map[string]bool, error) {
	commits, err := lastCommits(ctx, root, names, "--all", "--reflog")
	elsewhere := map[string]bool{}
	for name := range commits {
		elsewhere[name] = true
	}
	return elsewhere, err
}

// lastCommits returns the newest commit that revisions reach and that wrote each of
// names, abbreviated.
func lastCommits(ctx context.Context, root string, names []string, revisions ...string) (map[string]string, error) {
	args := []string{"-c", "log.showSignature=false", "-c", "log.showRoot=true", "--literal-pathspecs", "log", "--no-show-signature", "--no-decorate",
		"--no-color", "--full-history", "-m", "--no-renames", "--no-ext-diff", "--ignore-submodules=all", "--relative", "--diff-filter=d",
		"-z", "--name-only", "--format=%x01%h"}
	args = append(append(args, revisions...), "--")
	commits := map[string]string{}
	for len(names) > 0 {
		n := min(len(names), maxPaths)
		out, err := run(ctx, root, nil, append(args[:len(args):len(args)], names[:n]...)...)
		if err != nil && unborn(ctx, root) {
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
