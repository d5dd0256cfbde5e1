package fs

import (
	"bytes"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Foreign is the error of a search that a repository ended: a tree lies above it that
// is not its own. It is ErrNoTree.
type Foreign struct {
	Repository string // the top directory of the repository
	Tree       string // the project directory above it
}

func (e *Foreign) Error() string {
	return fmt.Sprintf("%s: no .forgemind or .quaid folder in this repository, and the tree in %s is not its own", filepath.ToSlash(e.Repository), filepath.ToSlash(e.Tree))
}

func (e *Foreign) Is(target error) bool { return target == ErrNoTree }

// Find returns the project directory of dir: the nearest, walking up, that
// holds `.forgemind/` or `.quaid/`. A repository that does not hold it ends the
// search, but for a worktree or a submodule of the repository that does. The error is
// ErrNoTree if there is none, a *Foreign where a repository ended the search, and an
// Unread one if the system does not say whether a folder is there.
func Find(dir string) (string, error) {
	root, _, err := find(dir)
	return root, err
}

// FindFirst returns the project directory of the first of dirs, absolute paths, that has
// one, and that one of dirs. A repository that is not the tree's own ends the search among
// dirs too: what is done there is none of another tree's business. Errors are those of Find.
func FindFirst(dirs ...string) (root, dir string, err error) {
	err = ErrNoTree
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			continue
		}
		var foreign *Foreign
		if root, err = Find(dir); err == nil || errors.As(err, &foreign) {
			return root, filepath.Clean(dir), err
		}
	}
	return "", "", err
}

// Nested returns the top directory of the worktree or submodule between dir and the
// project directory that Find returns for it, the innermost one; "" if there is none.
func Nested(dir string) string {
	_, repositories, err := find(dir)
	if err != nil || len(repositories) == 0 {
		return ""
	}
	return repositories[0]
}

// Repository returns the top directory of the repository that dir, an absolute path, stands
// in; "" if it stands in none.
func Repository(dir string) string {
	for !isRepository(dir) {
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// find is Find; it also returns the top directories of the repositories between dir and
// root, the innermost first.
func find(dir string) (root string, repositories []string, err error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, fmt.Errorf("find %s: %w", dir, err)
	}
	for dir = start; ; dir = filepath.Dir(dir) {
		held, err := holdsTree(dir)
		switch {
		case err != nil:
			return "", nil, fmt.Errorf("cannot look for a tree: %w", err)
		case held:
			if top := foreign(repositories, dir); top != "" {
				return "", nil, &Foreign{top, dir}
			}
			return dir, repositories, nil
		case isRepository(dir):
			repositories = append(repositories, dir)
		}
		if dir == filepath.Dir(dir) {
			return "", nil, fmt.Errorf("%s: %w", start, ErrNoTree)
		}
	}
}

// holdsTree reports whether one of the two folders stands in dir. The error is Unread.
func holdsTree(dir string) (bool, error) {
	for _, folder := range folders {
		// A link counts: to walk past it would find another project's tree.
		fi, err := os.Lstat(filepath.Join(dir, folder))
		if err == nil && (fi.IsDir() || fi.Mode()&iofs.ModeSymlink != 0) {
			return true, nil
		}
		if Unread(err) {
			return false, err
		}
	}
	return false, nil
}

// isRepository reports whether dir is the top of the working tree of a repository of git,
// Mercurial or Jujutsu, or a bare one of git. What git does not take for one is none.
func isRepository(dir string) bool {
	git := filepath.Join(dir, ".git")
	if fi, err := os.Stat(git); err == nil && (fi.Mode().IsRegular() || isGitDir(git)) {
		return true
	}
	return isGitDir(dir) || stands(filepath.Join(dir, ".hg", "store")) || stands(filepath.Join(dir, ".jj", "repo"))
}

// isGitDir reports whether git keeps a repository in dir.
func isGitDir(dir string) bool {
	return stands(filepath.Join(dir, "objects")) && stands(filepath.Join(dir, "refs")) && stands(filepath.Join(dir, "HEAD"))
}

func stands(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// foreign returns the outermost of repositories, sorted from the innermost, that is neither
// a worktree nor a submodule of the repository of root, nor of one that is; "" if all are.
func foreign(repositories []string, root string) string {
	if len(repositories) == 0 {
		return ""
	}
	own := Repository(root)
	if own == "" {
		return repositories[len(repositories)-1]
	}
	known := []string{own}
	for _, top := range slices.Backward(repositories) {
		if !slices.ContainsFunc(known, func(outer string) bool { return isPart(top, outer) }) {
			return top
		}
		known = append(known, top)
	}
	return ""
}

// isPart reports whether the repository of top is a worktree or a submodule of the one of
// outer: git keeps it in that one's directory, or `.gitmodules` names it.
func isPart(top, outer string) bool {
	inner, common := gitDir(top), commonDir(gitDir(outer))
	if rel, err := filepath.Rel(common, inner); err == nil && filepath.IsLocal(rel) {
		return true
	}
	rel, err := filepath.Rel(outer, top)
	return err == nil && slices.Contains(submodules(outer), filepath.ToSlash(rel))
}

// gitDir returns the directory in which git keeps the repository of top, with no link in
// it.
func gitDir(top string) string {
	git := filepath.Join(top, ".git")
	if !stands(git) {
		git = top // a bare one
	} else if to, ok := bytes.CutPrefix(readSmall(git), []byte("gitdir: ")); ok {
		git = from(top, string(bytes.TrimRight(to, "\r\n")))
	}
	return Unlinked(git)
}

// commonDir returns the directory of the repository that the worktree of the git directory
// dir is one of: dir itself for the main one.
func commonDir(dir string) string {
	to := strings.TrimRight(string(readSmall(filepath.Join(dir, "commondir"))), "\r\n")
	if to == "" {
		return dir
	}
	return Unlinked(from(dir, to))
}

// submodules returns the paths that `.gitmodules` of the repository of top names.
func submodules(top string) (paths []string) {
	for line := range strings.Lines(string(readSmall(filepath.Join(top, ".gitmodules")))) {
		if key, value, ok := strings.Cut(line, "="); ok && strings.EqualFold(strings.TrimSpace(key), "path") {
			paths = append(paths, strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return paths
}

// from returns path, seen from dir.
func from(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// Unlinked returns path with its links followed; path itself where they lead nowhere.
func Unlinked(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// readSmall returns what a plain file of at most 1 MiB holds; nil where there is none.
func readSmall(path string) []byte {
	if fi, err := os.Stat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() > 1<<20 {
		return nil
	}
	src, _ := os.ReadFile(path)
	return src
}
