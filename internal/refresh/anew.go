package refresh

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/internal/git"
	"github.com/forgemind/forgemind/watch"
)

// keepLock takes the lock of watchers anew where a folder was made anew, for
// the lock that is held went with the old one. It fails with fs.ErrBusy where
// another watcher was faster.
func (l *loop) keepLock(ctx context.Context) error {
	if l.tree.Watched() {
		return nil
	}
	l.settle(ctx)
	unlock, err := l.tree.WatchLock()
	switch {
	case errors.Is(err, fs.ErrBusy):
		return err
	case err != nil:
		return nil // the folder is going; the next pass sees to it
	}
	l.unlock()
	l.unlock, l.told = unlock, false
	return nil
}

// settle waits until a folder that is being made anew is there as a whole:
// until no name comes or goes. What copies it must find nothing of ours there.
func (l *loop) settle(ctx context.Context) {
	var before []string
	for deadline := time.Now().Add(backGrace); ctx.Err() == nil && time.Now().Before(deadline); {
		var names []string
		for name := range l.tree.Names(".") {
			names = append(names, name)
		}
		if before != nil && slices.Equal(names, before) {
			return
		}
		before = append([]string{}, names...)
		wait(ctx, backEvery)
	}
}

// reopen opens the project directory that now stands at the old path.
func (l *loop) reopen() error {
	fresh, err := engine.Open(l.tree.Root(), l.tree.Edge())
	if err != nil {
		return err
	}
	watcher, err := watch.Open(fresh.Tree, watch.Options{Poll: l.poll})
	if err != nil {
		fresh.Close()
		return err
	}
	l.watcher.Close()
	l.tree.Tree.Close()
	l.tree.Tree, l.watcher = fresh.Tree, watcher
	l.told, l.loaded, l.repo = false, nil, git.Repo{}
	l.yieldToGit()
	return nil
}
