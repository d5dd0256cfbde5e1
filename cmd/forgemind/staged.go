package main

import (
	"fmt"
	"path/filepath"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
)

// documents returns what is to be judged of a tree: the documents on disk or, with
// --staged, those that the next commit records. The caller calls done in the end.
func (j *judgement) documents(tree *fs.Tree) (docs fs.Reader, done func(), err error) {
	if !j.c.Bool("staged") {
		return onDisk(tree)
	}
	staged, err := git.Index(j.c.Context, tree.Root(), j.Getenv("GIT_INDEX_FILE"))
	if err != nil {
		return nil, nil, err
	}
	if len(staged.Unmerged) > 0 {
		staged.Close()
		return nil, nil, withHint(fmt.Errorf("%s: a merge left it in conflict, and git commits nothing before that is resolved", inline(j.shownIn(tree, staged.Unmerged[0]))),
			"resolve it, and stage it with 'git add'; without --staged the files are judged as they stand")
	}
	return staged, func() { staged.Close() }, nil
}

// since returns the revision that --against names; "" where it names a file, or nothing.
func (j *judgement) since() string {
	rev := j.c.String("against")
	if earlier, _ := j.earlierState(rev); earlier != nil {
		return ""
	}
	return rev
}

// changed returns the names of docs that differ from --against, where that is a revision,
// or else from the last commit.
func (j *judgement) changed(tree *fs.Tree, docs fs.Reader) ([]string, error) {
	if staged, ok := docs.(*git.Staged); ok {
		return staged.Changed(j.since())
	}
	changed, err := git.Changed(j.c.Context, tree.Root(), j.since(), tree.Everything())
	if err != nil {
		return nil, err
	}
	return changed, j.noteHidden(tree)
}

// noteHidden tells of documents of which the next commit records something else than what
// stands on disk, and is judged.
func (j *judgement) noteHidden(tree *fs.Tree) error {
	staged, err := git.Index(j.c.Context, tree.Root(), "")
	if err != nil {
		return err
	}
	defer staged.Close()
	hidden, err := staged.Hidden(tree.Everything())
	if len(hidden) > 0 {
		j.hidden += len(hidden)
		j.note("forgemind: warning: what is staged differs from %s, first from %s; --staged judges what the next commit records",
			count(len(hidden), "file"), inline(j.shownIn(tree, hidden[0])))
	}
	return err
}

// shownIn returns the path, seen from the working directory, of a document of tree.
func (j *judgement) shownIn(tree *fs.Tree, name string) string {
	return filepath.ToSlash(j.shown(filepath.Join(tree.Root(), filepath.FromSlash(name))))
}
