package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/copies"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// copyTime limits the time that a command spends on copies. The next command makes the
// rest.
const copyTime = 3 * time.Second

// CopiesOff reports whether a tree's configuration switches copies off. An unreadable
// configuration does.
func CopiesOff(r fs.Reader) bool {
	c, err := readConfig(r)
	return err != nil || c.Copies == schema.CopiesOff
}

// copyOut updates the copies after a transaction was published. It removes the copies
// of removed files, and if due is set or a file was removed, it copies what changed
// since the last time. A failure becomes a note.
func (t *Tree) copyOut(ctx context.Context, out *Outcome, due bool) {
	if t.DryRun || t.edge.Copies == "" {
		return
	}
	var removed []string
	for _, c := range out.Changes {
		if c.Before != nil && c.After == nil && copies.Kept(c.Name) {
			removed = append(removed, c.Name)
		}
		due = due || c.Name == fs.ActiveSession
	}
	if (due || len(removed) > 0) && !CopiesOff(t.Tree) {
		err := runLimited(ctx, func(ctx context.Context) error {
			_, err := copies.Copy(ctx, t.Tree, t.edge.Copies, t.edge.Now())
			return err
		})
		if note := t.copyFailure(err); note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	if len(removed) == 0 {
		return
	}
	err := runLimited(ctx, func(ctx context.Context) error { return copies.Forget(ctx, t.Tree, t.edge.Copies, removed) })
	if err != nil {
		out.Notes = append(out.Notes, fmt.Sprintf("the copies of %d files that were removed could not be removed: %v", len(removed), err))
	}
}

// runLimited runs a function for at most copyTime, and ends it early enough before ctx
// ends that the caller still gets an answer.
func runLimited(ctx context.Context, run func(context.Context) error) error {
	patience := copyTime
	if end, ok := ctx.Deadline(); ok {
		patience = min(patience, time.Until(end)/3)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return run(ctx)
}

// A copyNote is the stored result of the last attempt to copy.
type copyNote struct {
	Failed string `json:"failed"`
}

// CopyFailure returns why the last try to copy failed, "" if it did not.
func CopyFailure(r fs.Reader) string {
	var last copyNote
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		if src, err := r.Read(fs.LocalName(home, fs.CopiesFile)); err == nil && jsonedit.Decode(src, &last) == nil {
			break
		}
	}
	return last.Failed
}

// copyFailure stores the result of an attempt to copy, and returns a note for people:
// the failure, once for as long as it stays the same.
func (t *Tree) copyFailure(err error) (note string) {
	for _, passing := range []error{git.ErrNoRepository, git.ErrNotInstalled, context.DeadlineExceeded, context.Canceled, fs.ErrBusy} {
		if errors.Is(err, passing) {
			return "" // nothing is at risk, or the next attempt continues
		}
	}
	var now copyNote
	if err != nil {
		now.Failed = err.Error()
	}
	if now.Failed == CopyFailure(t.Tree) {
		return ""
	}
	home, homeErr := Home(t.Tree)
	if text, err := jsonedit.Marshal(now); err == nil && homeErr == nil {
		_ = t.WriteLocal(fs.LocalName(home, fs.CopiesFile), text) // otherwise the note is repeated once
	}
	if err == nil {
		return ""
	}
	return fmt.Sprintf("conversations and cold storage could not be copied outside of the tree: %v; 'forgemind doctor' says more", err)
}

// CopyNow updates the copies of the tree, without a time limit.
func (t *Tree) CopyNow(ctx context.Context) (copies.Report, error) {
	report, err := copies.Copy(ctx, t.Tree, t.edge.Copies, t.edge.Now())
	t.copyFailure(err)
	return report, err
}

// restoreBatch is the number of bytes that one transaction restores, unless a single
// file is larger.
const restoreBatch = 256 << 20

// RestoreCopies restores files that the copies have and the tree lacks; see
// copies.MakePlan. If it is interrupted, the next call continues.
func (t *Tree) RestoreCopies(ctx context.Context, from string) (copies.Plan, Outcome, error) {
	var all Outcome
	plan, err := copies.MakePlan(ctx, t.Tree, t.edge.Copies, from)
	if err != nil || t.DryRun || len(plan.Files) == 0 {
		return plan, all, err
	}
	dir, err := fs.OpenCopyDir(plan.Dir)
	if err != nil {
		return plan, all, err
	}
	defer dir.Close()
	for rest := plan.Files; len(rest) > 0 && err == nil; {
		n, size := 1, rest[0].Bytes
		for ; n < len(rest) && size+rest[n].Bytes <= restoreBatch; n++ {
			size += rest[n].Bytes
		}
		var out Outcome
		out, err = t.do(ctx, func(r *WorkingSet) error { return r.restoreCopies(dir, rest[:n]) })
		all.Changes, all.Notes = append(all.Changes, out.Changes...), append(all.Notes, out.Notes...)
		rest = rest[n:]
	}
	return plan, all, err
}

// restoreCopies stages files from the copies. A file that exists in the tree and is not
// a prefix of its copy stays.
func (r *WorkingSet) restoreCopies(dir *fs.CopyDir, files []copies.File) error {
	var names []string
	for _, f := range files {
		now, err := r.readIfExists(f.Name)
		if err != nil {
			return err
		}
		data, err := dir.ReadCopy(f.Name)
		if err != nil {
			return err
		}
		if now == nil && len(data) > 0 || len(now) < len(data) && bytes.HasPrefix(data, now) {
			r.tx.Restore(f.Name, data) // including its errors
			names = append(names, f.Name)
		}
	}
	var refused *validate.RefusedError
	switch err := validate.CheckWrite(r.tree.Tree, r.tx, names); {
	case errors.As(err, &refused):
		r.addNote(fmt.Sprintf("what was restored has errors, as it had before: %v", err))
	case err != nil:
		return err
	}
	index, err := session.Index(r.tx)
	if err != nil {
		return err
	}
	if index != nil {
		r.tx.Write(fs.SessionIndex, index)
	}
	// Old messages fire nothing now.
	r.memory.Floor, r.compacted, r.settled = 0, true, true
	return r.countTokens()
}
