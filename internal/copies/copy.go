package copies

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"path"
	"strings"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/session"
)

// Kept reports whether copies are made of the file called name if git ignores it.
func Kept(name string) bool {
	switch fs.Place(name) {
	case fs.DocChunk, fs.DocSessionMeta, fs.DocHotContext, fs.DocActiveSession:
		return true
	case fs.DocMessage:
		return name == fs.Messages || strings.HasPrefix(name, fs.Sessions+"/")
	}
	return name == session.SummaryFile(path.Base(path.Dir(name)))
}

// dirs returns the folders that can hold such files.
func dirs() []string {
	return []string{fs.Messages, fs.Forgemind + "/" + fs.ColdDir, fs.Quaid + "/" + fs.ColdDir, fs.ActiveSession, fs.Sessions}
}

// names returns the names of the files of a tree that are copied. The errors are those of package
// git.
func names(ctx context.Context, tree *fs.Tree) ([]string, error) {
	if git.Find(tree.Root()) == (git.Repo{}) { // without starting git
		return nil, fmt.Errorf("%s: %w", tree.Root(), git.ErrNoRepository)
	}
	ignored, err := git.Ignored(ctx, tree.Root(), dirs()...)
	var kept []string
	for _, name := range ignored {
		if Kept(name) {
			kept = append(kept, name)
		}
	}
	return kept, err
}

// Values of File.Change.
const (
	Made     = "made"
	Extended = "extended"
	Replaced = "replaced"
)

// A File is a file that was copied or restored.
type File struct {
	Name   string `json:"id"`
	Change string `json:"change"` // made, extended or replaced
	Bytes  int64  `json:"bytes"`  // bytes written
}

// A Report describes the work of Copy.
type Report struct {
	Dir       string // the folder with the copies; "" if there was nothing to copy
	Files     []File // files whose copies changed
	Unchanged int    // number of files that were up to date
}

// Copy brings the copies of a tree below home up to date. If ctx ends early, Copy returns its
// error, and the next call continues. The error is git.ErrNoRepository if no git repository holds
// the tree, and fs.ErrBusy if another process was copying until ctx ended. Other errors are those
// of the disk.
func Copy(ctx context.Context, tree *fs.Tree, home string, now time.Time) (Report, error) {
	list, err := names(ctx, tree)
	if err != nil || len(list) == 0 {
		return Report{}, err
	}
	origin, err := originOf(tree)
	if err != nil {
		return Report{}, err
	}
	report := Report{Dir: origin.dir(home)}
	dir, err := fs.LockCopyDir(ctx, report.Dir)
	if err != nil {
		return report, err
	}
	defer dir.Close()
	for _, name := range list {
		done, err := dir.Update(ctx, tree, name)
		switch {
		case errors.Is(err, iofs.ErrNotExist), errors.Is(err, fs.ErrIrregular): // not a file of ours, or removed meanwhile
			continue
		case err != nil:
			return report, fmt.Errorf("copy %s: %w", name, err)
		case done.Changed:
			report.Files = append(report.Files, File{name, changeOf(name, done), done.Written})
		default:
			report.Unchanged++
		}
	}
	return report, writeOrigin(dir, origin, now)
}

// changeOf returns the value of File.Change for an update of a copy.
func changeOf(name string, done fs.CopyUpdate) string {
	switch {
	case done.Made:
		return Made
	case done.Replaced || path.Ext(name) != ".jsonl":
		return Replaced
	}
	return Extended
}

// Forget removes the copies of files that a command removed from the tree, and former copies of
// them. Former copies of a conversation can hold messages that are now in cold storage, so they are
// removed as well. Without a folder of copies Forget does nothing.
func Forget(ctx context.Context, tree *fs.Tree, home string, names []string) error {
	origin, err := originOf(tree)
	if err != nil {
		return err
	}
	dir, err := fs.OpenCopyDir(origin.dir(home))
	if err != nil && !fs.IsUnread(err) { // there can be no copies
		return nil
	}
	if err == nil {
		dir.Close()
		dir, err = fs.LockCopyDir(ctx, origin.dir(home))
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	for _, name := range names {
		err = errors.Join(err, dir.RemoveCopy(name))
		if fs.Place(name) == fs.DocChunk {
			id := path.Base(path.Dir(name))
			err = errors.Join(err, dir.RemoveFormer(session.Window(id)), dir.RemoveFormer(session.ArchiveFile(id)), dir.RemoveFormer(fs.Messages))
		}
	}
	return err
}

func isMissing(err error) bool { return errors.Is(err, iofs.ErrNotExist) }
