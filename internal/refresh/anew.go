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

// keepLock acquires the lock of watchers again after a folder was recreated, because the old lock
// was in the old folder. The error is fs.ErrBusy if another watcher was faster.
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
		return nil // the folder is being removed; the next pass handles it
	}
	l.unlock()
	l.unlock, l.told = unlock, false
	return nil
}

// settle waits until no name is added to or removed from a folder that is being recreated. The
// program that copies it must find no file of ours there.
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

// reopen opens the project directory that is now at the old path.
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
	l.told, l.repo = false, git.Repo{}
	return nil
}
