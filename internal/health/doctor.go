package health

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"slices"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/acted"
	"github.com/forgemind/forgemind/internal/git"
)

// A Check is one thing that `forgemind doctor` looked at.
type Check struct {
	ID      string `json:"id"`
	State   string `json:"state"` // ok, info, warning or error
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// Words of Check.State.
const (
	OK      = "ok"
	Info    = "info"
	Caution = "warning"
	Fault   = "error"
)

// Examine looks at what surrounds the documents of a tree. It changes nothing. gitWait is how
// long git may take to say what it ignores.
func Examine(ctx context.Context, tree *fs.Tree, gitWait time.Duration) []Check {
	return []Check{
		folders(tree),
		writeLock(ctx, tree),
		watcher(tree),
		decisionsActedOn(tree),
		incidents(tree),
		ignored(ctx, tree, gitWait),
		filesystem(tree),
		gitState(tree),
		gitHistory(ctx, tree),
		gitVersion(ctx),
	}
}

func folders(tree *fs.Tree) Check {
	var there []string
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if fi, err := tree.Look(folder); err == nil && fi.IsDir() {
			there = append(there, folder)
		}
	}
	return Check{ID: "tree", State: OK, Message: strings.Join(there, " and ") + " in " + tree.Root()}
}

// writeLock says who holds the lock of writers, without taking it.
func writeLock(_ context.Context, tree *fs.Tree) Check {
	c := Check{ID: "lock", State: OK, Message: "nobody is writing"}
	if holder, held := tree.Writer(); held {
		c.State = Info
		c.Message = fmt.Sprintf("pid %d is writing, for %s", holder.PID, time.Since(holder.Since).Round(time.Millisecond))
		if time.Since(holder.Since) > time.Minute {
			c.State = Caution
			c.Hint = "a lock is given back by the kernel when its process ends; look at what that process is doing"
		}
	}
	return c
}

// decisionsActedOn says since when decisions of others have effects in a working copy.
func decisionsActedOn(tree *fs.Tree) Check {
	c := Check{ID: "decisions", State: Info, Message: "this working copy has not noted yet which it acted on; the next command that writes takes those that stand here for acted on"}
	if set := acted.Read(tree); set.Known() {
		c.State, c.Message = OK, "those of others have their effects since "+set.Since
	}
	return c
}

func watcher(tree *fs.Tree) Check {
	c := Check{ID: "watch", State: Info, Message: "no watcher; commands fire triggers all the same"}
	if w, ok := ReadWatch(tree); ok && tree.Watched() {
		c.State, c.Message = OK, fmt.Sprintf("pid %d watches by %s", w.PID, w.Mode)
		if w.Why != "" {
			c.State, c.Message = Caution, c.Message+": "+w.Why
		}
	}
	return c
}

func incidents(tree *fs.Tree) Check {
	all, err := tree.Incidents()
	switch {
	case err != nil:
		return Check{ID: "leftovers", State: Fault, Message: err.Error()}
	case len(all) == 0:
		return Check{ID: "leftovers", State: OK, Message: "no save was put aside"}
	}
	last := all[len(all)-1]
	c := Check{
		ID: "leftovers", State: Caution,
		Message: fmt.Sprintf("saves were put aside: %d, the last of %s: %s", len(all), last.Name, last.What),
	}
	if last.Kept != "" {
		c.Hint = "compare " + last.Kept + " with the document, and carry over what is missing"
	}
	return c
}

// ignored looks whether git is kept from what belongs to this working copy alone.
func ignored(ctx context.Context, tree *fs.Tree, wait time.Duration) Check {
	var local []string
	missing := ""
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if fi, err := tree.Look(folder); err != nil || !fi.IsDir() {
			continue
		}
		local = append(local, fs.LocalName(folder))
		if _, err := tree.Look(folder + "/.gitignore"); errors.Is(err, iofs.ErrNotExist) {
			missing = folder
		}
	}
	within, cancel := git.Within(ctx, wait)
	defer cancel()
	tracked, addable, err := git.Exposed(within, tree.Root(), tree.Everything(), local...)
	c := Check{ID: "gitignore", State: Caution}
	switch {
	case len(tracked) > 0:
		c.Message = "git tracks what belongs to this working copy alone: " + few(tracked)
		c.Hint = "run 'git rm -r --cached --quiet " + strings.Join(foldersOf(local, tracked), " ") + "' in " + tree.Root() + " and commit that"
	case len(addable) > 0:
		c.Message = "git does not ignore what belongs to this working copy alone: " + few(addable)
		c.Hint = "remove the rule that brings it back from .gitignore; 'git check-ignore --verbose " + addable[0] + "' names it"
	case err != nil && !errors.Is(err, git.ErrNoRepository):
		c.Message = "whether git ignores " + strings.Join(local, " and ") + " is not known: " + err.Error()
	case missing != "":
		c.State, c.Message = Info, missing+"/.gitignore is missing; the first write makes it"
	case err != nil:
		c.State, c.Message = OK, "there is no git repository here"
	default:
		c.State, c.Message = OK, strings.Join(local, " and ")+": kept out of git"
	}
	return c
}

// foldersOf returns the folders that one of the names stands in.
func foldersOf(folders, names []string) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, folder+"/") })
	})
}

// few is the first names, and how many more there are.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

func filesystem(tree *fs.Tree) Check {
	if kind, remote := tree.Remote(); remote {
		return Check{
			ID: "filesystem", State: Caution, Message: "the tree is on " + kind,
			Hint: "locks may hold on one machine only: let one machine at a time write",
		}
	}
	return Check{ID: "filesystem", State: OK, Message: "the tree is on a local filesystem"}
}

func gitState(tree *fs.Tree) Check {
	if what := git.Find(tree.Root()).Busy(); what != "" {
		return Check{
			ID: "git", State: Info, Message: "git is in the middle of something: " + what,
			Hint: "a watcher waits for its end; commands do not",
		}
	}
	return Check{ID: "git", State: OK, Message: "git is at rest"}
}

// gitHistory looks whether all commits are there that others have.
func gitHistory(ctx context.Context, tree *fs.Tree) Check {
	shallow, err := git.Shallow(ctx, tree.Root())
	switch {
	case shallow:
		return Check{
			ID: "git-history", State: Caution, Message: "this clone is shallow: what older commits hold cannot be looked at",
			Hint: "'git fetch --unshallow' brings them; in CI, check out the whole history",
		}
	case errors.Is(err, git.ErrNoRepository), errors.Is(err, git.ErrNotInstalled):
		return Check{ID: "git-history", State: OK, Message: "there is no history of git here"}
	case err != nil:
		return Check{ID: "git-history", State: Caution, Message: "git's history cannot be looked at: " + err.Error()}
	}
	return Check{ID: "git-history", State: OK, Message: "git has the whole history"}
}

func gitVersion(ctx context.Context) Check {
	version, err := git.Version(ctx)
	if err != nil {
		return Check{ID: "git-version", State: Caution, Message: err.Error(), Hint: "--against a revision and --changed need git"}
	}
	return Check{ID: "git-version", State: OK, Message: version}
}
