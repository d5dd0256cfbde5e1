package query

import (
	"context"
	"fmt"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// Untracked returns how many files of records the repository of a tree does not track
// yet: no other clone gets them. It is 0 where there is no repository, or git cannot say.
func Untracked(ctx context.Context, tree *fs.Tree) int {
	if git.Find(tree.Root()) == (git.Repo{}) {
		return 0
	}
	names, err := git.Untracked(ctx, tree.Root(), fs.Forgemind, fs.Quaid)
	if err != nil {
		return 0
	}
	n := 0
	for _, name := range names {
		switch fs.Place(name) {
		case fs.DocDecision, fs.DocQuestion, fs.DocAction, fs.DocGoal, fs.DocConstraint, fs.DocNote, fs.DocChange, fs.DocProjectRecord,
			fs.DocClarification, fs.DocHandoff, fs.DocThreadRecord, fs.DocPin:
			n++
		}
	}
	return n
}

// NotInGit says in words what Untracked returns.
func NotInGit(n int) string {
	if n == 1 {
		return "1 record is not in git yet; a clone has it once it is committed"
	}
	return fmt.Sprintf("%d records are not in git yet; a clone has them once they are committed", n)
}
