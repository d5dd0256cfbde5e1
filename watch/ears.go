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

// ears turn the system's notifications into bursts of names.
type ears struct {
	root   string
	notify *fsnotify.Watcher
	bursts chan burst
	dirs   map[string]bool // the directories that are listened to
	done   sync.WaitGroup

	mu     sync.Mutex
	beside map[string]bool // names that are of interest though they stand outside the folders
}

// listen begins to listen, to nothing yet. hold is called for each notification,
// if it is not nil.
func listen(root string, hold func()) (*ears, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	e := &ears{root: root, notify: notify, bursts: make(chan burst), dirs: map[string]bool{}}
	events := make(chan event)
	e.done.Go(func() { e.drain(events, hold) })
	e.done.Go(func() { settle(events, e.bursts) })
	return e, nil
}

func (e *ears) close() {
	e.notify.Close()
	e.done.Wait()
}

// drain takes notifications from the system as they come, for its queue is
// short. It looks at nothing but names.
func (e *ears) drain(events chan<- event, hold func()) {
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
			if name := e.name(n.Name); name == "." || !ignored(name) || e.attends(name) {
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
			// The queue was too short, or a notification could not be read:
			// whatever was lost, a look at everything finds it.
			events <- event{all: true}
		}
	}
}

// name is the Name at path.
func (e *ears) name(path string) string {
	rel, err := filepath.Rel(e.root, path)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

func (e *ears) path(name string) string { return filepath.Join(e.root, filepath.FromSlash(name)) }

// attend makes names of interest, wherever they stand.
func (e *ears) attend(names []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.beside = map[string]bool{}
	for _, name := range names {
		e.beside[name] = true
	}
}

func (e *ears) attends(name string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.beside[name]
}

// add listens to the directory name, not to those below it. That it is gone or
// closed to us is no error.
func (e *ears) add(name string) error {
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

// forget ends the listening to the directory name and those below it: after a
// move their notifications would come under the old name.
func (e *ears) forget(name string) {
	for dir := range e.dirs {
		if name == "." || dir == name || strings.HasPrefix(dir, name+"/") {
			e.notify.Remove(e.path(dir)) // an error says that it is forgotten already
			delete(e.dirs, dir)
		}
	}
}

// why says to people what keeps the system from notifying us.
func why(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "no watch is left: the limit fs.inotify.max_user_watches is reached"
	case errors.Is(err, syscall.EMFILE):
		return "no watcher is left: the limit fs.inotify.max_user_instances, or that of open files, is reached"
	}
	return err.Error()
}
