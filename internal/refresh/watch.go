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
	gitEvery  = 50 * time.Millisecond  // how often an operation of git is looked at
	gitTold   = time.Second            // so long it may last before people are told
	gitNoted  = 30 * time.Second       // so long before `status` says that the watcher is paused
	backEvery = 200 * time.Millisecond // how often a folder that comes back is looked at
	backGrace = 10 * time.Second       // so long its names may come and go
	tryAgain  = time.Second            // after a round that left a file for later, or failed; twice as long after each further one that did
	tryAtMost = time.Minute
	idleEvery = 24 * time.Hour // how often, at some change or other, is looked what lies idle
)

// A loop is one watcher at work.
type loop struct {
	tree     *engine.Tree
	unlock   func() // gives the lock of watchers back
	watcher  *watch.Watcher
	poll     bool
	tell     func(Occurrence)
	since    time.Time // when it began
	looked   time.Time // when it was looked last what lies idle
	checker  *validate.Checker
	faults   map[string]map[fault]int // how often each fault of a file was told
	waits    map[string]time.Time     // since when there is something in a file that is to be told
	changed  map[string]bool          // files that others changed since what is wrong in them was told
	due      <-chan time.Time         // when to look again at what waits; nil while nothing does
	compared map[string]bool          // names of the files of decisions that are to be compared with HEAD
	altered  []validate.Finding       // of those that differ from it
	invalid  bool                     // there are errors, or a view is torn
	own      map[string]fs.Change     // what the last round wrote, until the next batch
	repo     git.Repo                 // zero while there is none
	loaded   []string                 // Names of the files that the watcher was told to attend to
	told     bool                     // Ready was told of this watcher
	gone     bool                     // the folders were last seen missing
	again    bool                     // the tree is to be looked at again soon
	failure  string                   // what a pass failed with that is to be made again; "" where none is
	pause    time.Duration            // until it is made again

	replaced bool // another directory stands at the path, and is not opened yet
}

func newLoop(t *engine.Tree, tell func(Occurrence)) *loop {
	return &loop{
		tree: t, tell: tell, checker: validate.NewChecker(t, validate.Options{}), faults: map[string]map[fault]int{},
		waits: map[string]time.Time{}, changed: map[string]bool{}, compared: map[string]bool{}, own: map[string]fs.Change{},
	}
}

// Watch acts on changes as they happen, until ctx ends. It tells what happens
// through tell. A second watcher of one tree fails with fs.ErrBusy.
func Watch(ctx context.Context, t *engine.Tree, poll bool, tell func(Occurrence)) error {
	unlock, err := t.WatchLock()
	if err != nil {
		return err
	}
	l := newLoop(t, tell)
	l.unlock, l.poll, l.since = unlock, poll, t.Edge().Now().UTC()
	defer func() { l.unlock() }()
	l.yieldToGit()
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
				return errors.New("the watcher ended by itself")
			}
			again, fault := l.pass(ctx, batch)
			if err = fault; again != nil || batch.All || batch.Gone { // else a pass that failed before is still to be made again
				retry = again
			}
		case <-l.due:
			var again <-chan time.Time
			if again, err = l.settled(ctx); again != nil {
				retry = again
			}
		case <-retry:
			retry, err = l.pass(ctx, watch.Batch{All: true})
		}
		if err != nil {
			return err
		}
	}
}

// Once makes one pass over the whole tree, as a watcher does at its start, and
// returns whether a document is invalid that its effects have not mended.
func Once(ctx context.Context, t *engine.Tree, tell func(Occurrence)) (invalid bool, err error) {
	l := newLoop(t, tell)
	if err := l.look(ctx, watch.Batch{All: true}); err != nil {
		return false, err
	}
	return l.invalid, nil
}
