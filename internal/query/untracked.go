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

// keptUntrackedName is where the last count stands, with what it was counted by.
func keptUntrackedName() string { return fs.LocalName(fs.Forgemind, "index", "untracked") }

// An UntrackedCount says how many files of records the repository of a tree does not track
// yet: no other clone gets them.
type UntrackedCount struct {
	Records int   // 0 where there is no repository
	Err     error // why git does not say
}

// String returns it in words; "" where git tracks every record.
func (u UntrackedCount) String() string {
	switch {
	case u.Err != nil:
		return "which records git does not track is not known: " + u.Err.Error()
	case u.Records == 0:
		return ""
	case u.Records == 1:
		return "1 record is not in git yet; a clone has it once it is committed"
	}
	return fmt.Sprintf("%d records are not in git yet; a clone has them once they are committed", u.Records)
}

// Untracked counts the records that git does not track. It counts again where git's index
// or a folder of records changed.
func Untracked(ctx context.Context, tree *fs.Tree) UntrackedCount {
	repo := git.Find(tree.Root())
	if repo == (git.Repo{}) {
		return UntrackedCount{}
	}
	by, keep := untrackedBy(tree, repo)
	if src, err := tree.Read(keptUntrackedName()); err == nil {
		kept, count, _ := strings.Cut(string(src), " ")
		if n, err := strconv.Atoi(count); err == nil && kept == by {
			return UntrackedCount{Records: n}
		}
	}
	names, err := git.Untracked(ctx, tree.Root(), tree.Everything(), fs.Forgemind, fs.Quaid)
	if err != nil {
		return UntrackedCount{Err: err}
	}
	n := 0
	for _, name := range names {
		if _, over := fs.PassedOver(tree, name); over {
			continue
		}
		switch fs.Place(name) {
		case fs.DocDecision, fs.DocQuestion, fs.DocAction, fs.DocGoal, fs.DocConstraint, fs.DocNote, fs.DocChange, fs.DocProjectRecord,
			fs.DocClarification, fs.DocHandoff, fs.DocThreadRecord, fs.DocPin, fs.DocProject:
			n++
		}
	}
	if keep && !tree.DryRun {
		_ = tree.Derive(keptUntrackedName(), []byte(by+" "+strconv.Itoa(n))) // without it the next count takes longer
	}
	return UntrackedCount{Records: n}
}

// largeFolders is how large the folders of records are, in bytes, of a tree in which git
// takes so long that a count is worth keeping.
const largeFolders = 64 << 10

// untrackedBy returns the stamp of what decides which records are not tracked, and reports
// whether a count by it is to be kept.
func untrackedBy(tree *fs.Tree, repo git.Repo) (stamp string, keep bool) {
	s := seen{tree: tree, hash: sha256.New(), settled: true}
	index, changed := repo.Index(tree.Root())
	fmt.Fprintln(s.hash, index)
	s.settled = tree.Settled(fs.Stamp{Written: changed.UnixNano()})
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		for _, dir := range []string{
			".gitignore", "context", fs.DecisionsDir, fs.QuestionsDir, fs.ActionsDir, fs.GoalsDir, fs.ConstraintsDir, fs.NotesDir,
			fs.ClarificationsDir, fs.HandoffsDir, path.Base(fs.Progress),
		} {
			s.one(home + "/" + dir)
		}
		for _, dir := range []string{fs.ThreadsDir, fs.ChannelsDir, fs.ProjectsDir} {
			s.below(home+"/"+dir, 3) // channel or project, thread or kind, files
		}
	}
	return hex.EncodeToString(s.hash.Sum(nil)[:16]), s.settled && s.folders > largeFolders
}

// below takes what is known of a folder and of the folders in it, so many levels deep.
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
