package watch

import (
	"path"
	"slices"
)

// attendTo begins to look at files beside the folders, and ends looking at those before.
func (w *Watcher) attendTo(names []string) {
	former := w.beside
	w.beside = names
	w.mu.Lock()
	for _, name := range former {
		if !slices.Contains(names, name) && ignored(name) {
			delete(w.known, name)
		}
	}
	w.mu.Unlock()
	w.listenBeside()
	for _, name := range names {
		if !slices.Contains(former, name) && ignored(name) {
			w.note(name, nil)
		}
	}
}

// listenBeside listens to the directories of the files beside the folders.
func (w *Watcher) listenBeside() {
	if w.ears == nil {
		return
	}
	w.ears.attend(w.beside)
	for _, name := range w.beside {
		dir := path.Dir(name)
		if w.ears.dirs[dir] {
			continue
		}
		if err := w.ears.add(dir); err != nil {
			w.poll(why(err))
			return
		}
	}
}
