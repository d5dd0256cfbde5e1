package fs

import (
	"context"
	"fmt"
	"path"
	"time"
)

// A lockedWriter is the time during which a Tree holds the locks.
type lockedWriter struct {
	tree      *Tree
	locks     []*lock
	dirs      map[string]*dir
	displaced []displacement
	previous  string // the transaction that the next round replaces
	incidents []Incident
	created   []Change  // changes that the edit did not ask for; see ignore
	deadline  time.Time // how long to wait for an unfinished save
	litter    bool      // the next holder of the lock must clean up
}

// A displacement is a file that was exchanged and is still at the staged name of its
// successor.
type displacement struct {
	from *dir
	file string
	name string
	seen version // the bytes of the file when it was displaced
}

// A savingError reports that name is in the middle of a save.
type savingError struct{ name string }

func (e *savingError) Error() string { return e.name + ": save in progress" }

// takeTurn takes the locks and repairs what the last holder left: it finishes an
// interrupted transaction and removes leftover files.
func (t *Tree) takeTurn(ctx context.Context, deadline time.Time) (*lockedWriter, error) {
	locks, err := t.takeLocks(ctx)
	if err != nil {
		return nil, err
	}
	h := &lockedWriter{tree: t, locks: locks, dirs: map[string]*dir{}, deadline: deadline}
	for _, l := range locks {
		last := l.read()
		err := h.recover(l.folder)
		if err == nil && last.state != free {
			err = h.clearStage(l.folder)
		}
		if err == nil {
			h.sweepReplaced(l, last.state != free)
		}
		if err != nil {
			h.end()
			return nil, fmt.Errorf("recover %s: %w", l.folder, err)
		}
	}
	return h, nil
}

// end releases the locks, and then reports incidents.
func (h *lockedWriter) end() {
	h.keepReplaced()
	for _, d := range h.dirs {
		d.Close()
	}
	if h.litter {
		for _, l := range h.locks {
			l.state = held
		}
	}
	giveLocks(h.locks)
	if h.tree.Report != nil {
		for _, i := range h.incidents {
			h.tree.Report(i)
		}
	}
}

// dir returns the open directory name, and creates it if it is missing.
func (h *lockedWriter) dir(name string) (*dir, error) {
	if d, ok := h.dirs[name]; ok {
		return d, nil
	}
	d, err := h.tree.makeDirs(name)
	if err != nil {
		return nil, err
	}
	h.dirs[name] = d
	return d, nil
}

// sync makes the directory of name durable.
func (h *lockedWriter) sync(name string) error {
	d, err := h.dir(path.Dir(name))
	if err == nil {
		err = syncDir(d.File)
	}
	if err != nil {
		return fmt.Errorf("%s: written, but not known to be on disk: %w", name, err)
	}
	return nil
}

// settled waits, under the lock, until a displaced file is no longer in the middle of a
// save.
func (h *lockedWriter) settled(ctx context.Context, name, where string) (version, error) {
	deadline := time.Now().Add(patience)
	for {
		v, err := h.tree.version(where)
		if err != nil || !v.exists || !h.tree.unsettled(name, v) || time.Now().After(deadline) {
			return v, err
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return v, nil
		}
	}
}
