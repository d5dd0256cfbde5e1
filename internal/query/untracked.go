package query

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// keptUntrackedName returns the name of the file with the last count and the values that it
// is based on.
func keptUntrackedName() string { return fs.LocalName(fs.Forgemind, "index", "untracked") }

// Untracked returns the number of record files that the repository of a tree does not track
// yet: no other clone gets them. It is 0 if there is no repository, or git fails. Untracked
// counts again if git's index or a folder of records changed.
func Untracked(ctx context.Context, tree *fs.Tree) int {
	repo := git.Find(tree.Root())
	if repo == (git.Repo{}) {
		return 0
	}
	by, keep := untrackedBy(tree, repo)
	if src, err := tree.Read(keptUntrackedName()); err == nil {
		kept, count, _ := strings.Cut(string(src), " ")
		if n, err := strconv.Atoi(count); err == nil && kept == by {
			return n
		}
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
	if keep && !tree.DryRun {
		_ = tree.WriteDerived(keptUntrackedName(), []byte(by+" "+strconv.Itoa(n))) // without it, the next count takes longer
	}
	return n
}

// largeFolders is the size of the folders of records, in bytes, above which git takes so long
// that a count is stored.
const largeFolders = 64 << 10

// untrackedBy returns the stamp of the files that determine which records are not tracked,
// and reports whether a count for it should be stored.
func untrackedBy(tree *fs.Tree, repo git.Repo) (stamp string, keep bool) {
	s := seen{tree: tree, hash: sha256.New(), settled: true}
	index, changed := repo.Index(tree.Root())
	fmt.Fprintln(s.hash, index)
	s.settled = tree.IsSettled(fs.Stamp{Written: changed.UnixNano()})
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for _, dir := range []string{
			".gitignore", "context", fs.DecisionsDir, fs.QuestionsDir, fs.ActionsDir, fs.GoalsDir, fs.ConstraintsDir, fs.NotesDir,
			fs.ClarificationsDir, fs.HandoffsDir, path.Base(fs.Progress),
		} {
			s.one(home + "/" + dir)
		}
		for _, dir := range []string{fs.ThreadsDir, fs.ChannelsDir} {
			s.below(home+"/"+dir, 3) // channel, thread or kind, files
		}
	}
	return hex.EncodeToString(s.hash.Sum(nil)[:16]), s.settled && s.folders > largeFolders
}

// below adds the stamps of a folder and of the folders in it, so many levels deep.
func (s *seen) below(dir string, levels int) {
	s.one(dir)
	if levels == 0 {
		return
	}
	entries, err := s.tree.Entries(dir)
	if err != nil {
		return
	}
	slices.SortFunc(entries, func(a, b fs.Entry) int { return cmp.Compare(a.Name, b.Name) })
	for _, e := range entries {
		if e.Dir {
			s.below(e.Name, levels-1)
		}
	}
}

// NotInGit returns the result of Untracked in words.
func NotInGit(n int) string {
	if n == 1 {
		return "1 record is not in git yet; a clone has it once it is committed"
	}
	return fmt.Sprintf("%d records are not in git yet; a clone has them once they are committed", n)
}
