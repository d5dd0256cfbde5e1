package fs

import (
	"context"
	"fmt"
	"path"
	"time"
)

// A turn is the time for which a Tree holds the locks.
type turn struct {
	tree      *Tree
	locks     []*lock
	dirs      map[string]*dir
	displaced []displacement
	previous  string // the transaction that the next round has to take the place of
	incidents []Incident
	created   []Change      // files that the edit did not ask for; see ignore
	patience  time.Duration // how long an unfinished save may be waited for
	litter    bool          // something was left lying that the next holder has to clear away
}

// A displacement is a file that was exchanged out of its place and still lies
// where its successor was staged.
type displacement struct {
	from *dir
	file string
	name string
	seen version // its bytes when it was displaced
	// since is a time before seen was read: what is written to the file after it may
	// have come after seen.
	since time.Time
}

// savingError says that name has to settle first.
type savingError struct{ name string }

func (e *savingError) Error() string { return e.name + ": save in progress" }

// takeTurn takes the locks and puts in order what the last holder left: an
// interrupted transaction is finished, litter is cleared away.
func (t *Tree) takeTurn(ctx context.Context, patience time.Duration, place string) (*turn, error) {
	locks, err := t.takeLocks(ctx, place)
	if err != nil {
		return nil, err
	}
	h := &turn{tree: t, locks: locks, dirs: map[string]*dir{}, patience: patience}
	for _, l := range locks {
		last := l.read()
		err := h.recover(l.folder)
		if err == nil && last.state != free {
			err = h.clearStage(l.folder)
		}
		if err == nil {
			h.sweep(l, last.state != free)
		}
		if err != nil {
			h.end()
			return nil, fmt.Errorf("recover %s: %w", l.folder, err)
		}
	}
	return h, nil
}

// move records that the transaction goes on, for those who wait for the lock.
func (h *turn) move() {
	for _, l := range h.locks {
		l.write(held)
	}
}

// end gives the locks back, and only then tells of incidents.
func (h *turn) end() {
	h.ring()
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

// dir is the open directory name, made where it is missing.
func (h *turn) dir(name string) (*dir, error) {
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

// sync makes the directory that name stands in durable.
func (h *turn) sync(name string) error {
	d, err := h.dir(path.Dir(name))
	if err == nil {
		err = syncDir(d.File)
	}
	if err != nil {
		return fmt.Errorf("%s: written, but not known to be on disk: %w", name, err)
	}
	return nil
}

// settled waits, under the lock, for bytes that were displaced in the middle of
// a save.
func (h *turn) settled(ctx context.Context, name, where string) (version, error) {
	deadline := time.Now().Add(h.tree.saveTime.patience)
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
