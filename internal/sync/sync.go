package sync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/schema"
)

// Options are the choices of one sync.
type Options struct {
	NoPush bool // send nothing
	Patch  bool // with NoPush, put what would be sent into Report.Patch
	DryRun bool // change nothing, here or on the remote
	// Compose returns files to be sent that are written here once the remote has them, such as a
	// claim. Each try calls it after it took what is new. Its error ends the sync.
	Compose func() (map[string][]byte, error)
	Wait    func(time.Duration) // waits before another try; nil does not wait
	Jitter  func() float64      // from 0 to 1, for the time to wait; nil is 1
}

// A Report describes the work of a sync.
type Report struct {
	URL       string     `json:"url"`
	Branch    string     `json:"branch"`
	DryRun    bool       `json:"dry_run,omitzero"`
	Taken     []string   `json:"taken"`     // files that were written here
	Published []string   `json:"published"` // files that were sent
	Unsent    []string   `json:"unsent"`    // files that Options.NoPush kept here
	Merged    []string   `json:"merged"`    // files that both sides edited
	Conflicts []string   `json:"conflicts"` // FILE or FILE#POINTER that both sides edited, where this side's holds
	Rejected  []Rejected `json:"rejected"`  // what stays on the remote, told for the first time
	Held      []Rejected `json:"held"`      // what stays here
	Rewritten bool       `json:"rewritten"` // the branch was emptied or rewritten since the last sync
	Pushed    bool       `json:"pushed"`
	Patch     string     `json:"patch,omitzero"` // what was not sent, for 'git apply'; with Options.NoPush
	Tries     int        `json:"tries"`
}

// mostTries is the number of times that a sync begins again because somebody else was faster.
const mostTries = 20

// Run exchanges the files of the tree with the remote, until both have the same or something
// prevents it. The error is a *git.RejectedError if the remote refuses the push; what arrived before
// stays.
func Run(ctx context.Context, tree *engine.Tree, r *Remote, o Options) (Report, error) {
	all := Report{URL: r.URL, Branch: r.Branch, DryRun: o.DryRun, Taken: []string{}, Published: []string{}, Unsent: []string{}, Merged: []string{}, Conflicts: []string{}, Rejected: []Rejected{}, Held: []Rejected{}}
	for all.Tries < mostTries {
		all.Tries++
		e := exchange{tree: tree, remote: r, options: o, report: &all}
		err := e.run(ctx)
		if !errors.Is(err, git.ErrMoved) {
			return all, errors.Join(err, r.save())
		}
		if o.Wait != nil {
			part := 1.0
			if o.Jitter != nil {
				part = o.Jitter()
			}
			o.Wait(time.Duration(part * float64(min(all.Tries, 10)) * float64(100*time.Millisecond)))
		}
		if err := ctx.Err(); err != nil {
			return all, err
		}
	}
	return all, fmt.Errorf("%w %d times while this sync was under way", git.ErrMoved, all.Tries)
}

// An exchange is one try of a sync.
type exchange struct {
	tree    *engine.Tree
	remote  *Remote
	options Options
	report  *Report

	tip          string // commit of the remote's branch; "" if there is none
	theirs, base *git.Revision
	here, there  Blobs
	agreed       Blobs
	merged       map[string][]byte // files that both sides edited, joined
}

func (e *exchange) run(ctx context.Context) (err error) {
	if err := e.fetch(ctx); err != nil {
		return err
	}
	defer closeAll(e.theirs, e.base)
	if e.here, err = scan(e.tree.Tree); err != nil {
		return err
	}
	plan := makePlan(e.agreed, e.here, e.there)
	if err := e.take(ctx, plan); err != nil {
		return err
	}
	files, err := e.outgoing(plan)
	if err != nil {
		return err
	}
	composed, err := e.compose()
	if err != nil {
		return err
	}
	maps.Copy(files, composed)
	names := slices.Sorted(maps.Keys(files))
	switch {
	case e.options.NoPush:
		e.report.Unsent = append(e.report.Unsent[:0], names...)
	case e.options.DryRun:
		e.report.Published = names
	}
	if e.options.DryRun {
		return nil
	}
	if e.tip != "" { // this side has all of it now
		if err := e.remote.store.Agree(ctx, e.tip); err != nil {
			return err
		}
	}
	if len(files) == 0 || e.options.NoPush && !e.options.Patch {
		return nil
	}
	commit, err := e.commit(ctx, files)
	switch {
	case err != nil:
		return err
	case e.options.NoPush:
		patch, err := e.remote.store.Patch(ctx, e.tip, commit)
		e.report.Patch = string(patch)
		return err
	}
	if err := e.remote.store.Push(ctx, e.remote.URL, e.remote.Branch, git.Move{From: e.tip, To: commit}); err != nil {
		return err
	}
	e.report.Published, e.report.Pushed = names, true
	if err := e.keep(ctx, composed); err != nil {
		return fmt.Errorf("the remote has it, but it could not be written here; the next sync brings it: %w", err)
	}
	return e.remote.store.Agree(ctx, commit)
}

// fetch reads the branch of the remote, and what both sides had at the last sync.
func (e *exchange) fetch(ctx context.Context) (err error) {
	r := e.remote
	if e.tip, err = r.store.Fetch(ctx, r.URL, r.Branch); err != nil {
		return err
	}
	r.LastContact = schema.FormatTime(e.tree.Edge().Now())
	last := r.store.Agreed(ctx)
	if last != "" && (e.tip == "" || !r.store.Contains(ctx, e.tip, last)) {
		e.report.Rewritten = true
	}
	if e.theirs, e.there, err = r.files(ctx, e.tip); err != nil {
		return err
	}
	e.base, e.agreed, err = r.files(ctx, last)
	return err
}

// commit makes a commit of files on top of the remote's branch.
func (e *exchange) commit(ctx context.Context, files map[string][]byte) (string, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "an unknown machine"
	}
	message := fmt.Sprintf("sync: %d files from %s\n", len(files), host)
	return e.remote.store.Commit(ctx, git.NewCommit{Parent: e.tip, Files: files, Message: message, At: e.tree.Edge().Now()})
}
