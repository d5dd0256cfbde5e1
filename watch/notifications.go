package watch

import (
	"errors"
	iofs "io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// notifications receives the system's notifications and turns them into bursts of names.
type notifications struct {
	root   string
	notify *fsnotify.Watcher
	bursts chan burst
	dirs   map[string]bool // the directories that are watched
	done   sync.WaitGroup
}

// listen creates an ears that watches no directory yet. hold is called for each
// notification if it is not nil.
func listen(root string, hold func()) (*notifications, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	e := &notifications{root: root, notify: notify, bursts: make(chan burst), dirs: map[string]bool{}}
	events := make(chan event)
	e.done.Go(func() { e.drain(events, hold) })
	e.done.Go(func() { settle(events, e.bursts) })
	return e, nil
}

func (e *notifications) close() {
	e.notify.Close()
	e.done.Wait()
}

// drain receives notifications as they come, because the system's queue is short. It
// only reads names.
func (e *notifications) drain(events chan<- event, hold func()) {
	defer close(events)
	failures := e.notify.Errors
	for {
		select {
		case n, open := <-e.notify.Events:
			if !open {
				return
			}
			if hold != nil {
				hold()
			}
			if n.Op == fsnotify.Chmod || n.Op == 0 {
				continue
			}
			if name := e.name(n.Name); name == "." || !ignored(name) {
				events <- event{name: name}
			}
		case err, open := <-failures:
			if !open {
				failures = nil // Events closes next
				continue
			}
			if errors.Is(err, syscall.EINVAL) {
				continue // a watch that ended by itself before it was removed
			}
			// The queue overflowed, or a notification could not be read: a scan of
			// everything finds what was lost.
			events <- event{all: true}
		}
	}
}

// name returns the Name of path.
func (e *notifications) name(path string) string {
	rel, err := filepath.Rel(e.root, path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (e *notifications) path(name string) string {
	return filepath.Join(e.root, filepath.FromSlash(name))
}

// add watches the directory name, but not its subdirectories. It returns nil if the
// directory no longer exists or cannot be read.
func (e *notifications) add(name string) error {
	switch err := e.notify.Add(e.path(name)); {
	case err == nil:
		e.dirs[name] = true
		return nil
	case errors.Is(err, iofs.ErrNotExist), errors.Is(err, iofs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return nil
	default:
		return err
	}
}

// forget stops watching the directory name and its subdirectories: after a move, their
// notifications would have the old name.
func (e *notifications) forget(name string) {
	for dir := range e.dirs {
		if name == "." || dir == name || strings.HasPrefix(dir, name+"/") {
			e.notify.Remove(e.path(dir)) // an error means that it is no longer watched
			delete(e.dirs, dir)
		}
	}
}

// listenFailure returns, for people, the reason why the system sends no notifications.
func listenFailure(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "no watch is left: the limit fs.inotify.max_user_watches is reached"
	case errors.Is(err, syscall.EMFILE):
		return "no watcher is left: the limit fs.inotify.max_user_instances, or that of open files, is reached"
	}
	return err.Error()
}
