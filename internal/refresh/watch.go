package refresh

import (
	"context"
	"errors"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/validate"
	"github.com/forgemind/forgemind/watch"
)

const (
	gitEvery  = 50 * time.Millisecond  // interval of checks while a git operation is in progress
	gitTold   = time.Second            // duration of a git operation after which it is reported
	gitNoted  = 30 * time.Second       // duration after which `status` shows the watcher as paused
	backEvery = 200 * time.Millisecond // interval of checks for a folder that was removed
	backGrace = 10 * time.Second       // longest wait for the names of a recreated folder to settle
	tryAgain  = time.Second            // wait after a failed pass; doubled after each further one
	tryAtMost = time.Minute
	idleEvery = 24 * time.Hour // shortest interval between checks for idle things
)

// A loop holds the state of one watcher.
type loop struct {
	tree     *engine.Tree
	unlock   func() // releases the lock of watchers
	watcher  *watch.Watcher
	poll     bool
	tell     func(Occurrence)
	since    time.Time                     // start of the watcher
	looked   time.Time                     // last check for idle things
	invalid  map[string]bool               // documents that had an error when last seen
	wrong    map[string][]validate.Finding // errors of decisions, by the view that shows them, or by decisions/
	treeDue  <-chan time.Time              // fires when the whole tree is to be judged; nil if it is not
	whole    treeJudgment                  // findings about several documents
	recorded map[string]bool               // ids of decisions that the Ledger was seen to have
	own      map[string]fs.Change          // writes of the last round, until the next batch
	repo     git.Repo                      // zero if there is none
	told     bool                          // Ready was reported
	gone     bool                          // the folders were missing when last checked
	failure  string                        // error of a pass that will be repeated; "" for none
	pause    time.Duration                 // wait until it is repeated

	replaced bool // another directory is at the path and is not opened yet
}

// Watch acts on changes until ctx ends, and reports events by calling tell. The error is fs.ErrBusy
// if another watcher of the tree is running.
func Watch(ctx context.Context, t *engine.Tree, poll bool, tell func(Occurrence)) error {
	unlock, err := t.WatchLock()
	if err != nil {
		return err
	}
	l := &loop{unlock: unlock, tree: t, poll: poll, tell: tell, since: t.Edge().Now().UTC(), invalid: map[string]bool{}, wrong: map[string][]validate.Finding{}, recorded: map[string]bool{}, own: map[string]fs.Change{}}
	defer func() { l.unlock() }()
	if l.watcher, err = watch.Open(t.Tree, watch.Options{Poll: poll}); err != nil {
		return err
	}
	defer func() { l.watcher.Close() }()
	var retry <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case batch, ok := <-l.watcher.Batches():
			if !ok {
				return errors.New("the watcher stopped")
			}
			again, fault := l.pass(ctx, batch)
			if err = fault; again != nil || batch.All || batch.Gone { // otherwise a pass that failed must still be repeated
				retry = again
			}
		case <-l.treeDue:
			l.treeDue = nil
			l.judgeTree()
		case <-retry:
			retry, err = l.pass(ctx, watch.Batch{All: true})
		}
		if err != nil {
			return err
		}
	}
}

// Once makes one pass over the whole tree, as a watcher does at its start. It reports whether a
// document is invalid and was not corrected by the effects.
func Once(ctx context.Context, t *engine.Tree, tell func(Occurrence)) (invalid bool, err error) {
	l := &loop{tree: t, tell: tell, invalid: map[string]bool{}, wrong: map[string][]validate.Finding{}, recorded: map[string]bool{}, own: map[string]fs.Change{}}
	if err := l.look(ctx, watch.Batch{All: true}); err != nil {
		return false, err
	}
	return len(l.invalid)+len(l.wrong) > 0, nil
}
