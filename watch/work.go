package watch

import (
	"errors"
	iofs "io/fs"
	"maps"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// secondLook is the time for which a name must be missing or empty before that is
// reported.
const secondLook = 100 * time.Millisecond

// work is the goroutine that checks files and sends Batches.
func (w *Watcher) work() {
	defer close(w.batches)
	defer w.stopListening()
	safety := time.NewTicker(w.options.ScanEvery)
	defer safety.Stop()
	poll, doubt := newAlarm(), newAlarm()
	for {
		// Alarms are set only while there is something to wait for: an unchanged tree
		// causes no wake-ups.
		poll.set(w.ears == nil || w.lost || w.retry, w.options.PollEvery)
		doubt.set(len(w.doubtful) > 0, secondLook)
		var out chan<- Batch
		batch := w.batch()
		if !batch.empty() {
			out = w.batches
		}
		var bursts <-chan burst
		if w.ears != nil {
			bursts = w.ears.bursts
		}
		select {
		case <-w.stop:
			return
		case b, open := <-bursts:
			if !open {
				w.poll("the system's notifications ended")
				continue
			}
			w.checkBurst(b)
		case <-w.rescan:
			if w.checkRoot() {
				w.everything()
			}
		case <-safety.C:
			w.scan()
		case <-poll.C:
			poll.markRung()
			w.scan()
		case <-doubt.C:
			doubt.markRung()
			w.decide(time.Now().Add(-secondLook))
		case out <- batch:
			w.next = Batch{}
			clear(w.names)
		}
		if w.next.Replaced {
			w.sendLast()
			return
		}
	}
}

// sendLast sends the last Batch.
func (w *Watcher) sendLast() {
	w.stopListening()
	select {
	case w.batches <- w.batch():
		<-w.stop
	case <-w.stop:
	}
}

// batch returns the next Batch.
func (w *Watcher) batch() Batch {
	b := w.next
	b.Names = slices.Sorted(maps.Keys(w.names))
	return b
}

// checkBurst checks the names of a burst.
func (w *Watcher) checkBurst(b burst) {
	switch {
	case !w.checkRoot():
	case b.all || b.names["."]:
		w.everything()
	default:
		names := slices.Sorted(maps.Keys(b.names))
		// First forget all directories with events: a directory that was moved is still
		// watched under its old name.
		for _, name := range names {
			if w.ears != nil && w.ears.dirs[name] {
				w.ears.forget(name)
				names = append(names, w.below(name)...)
			}
		}
		for _, name := range names {
			w.inspect(name)
		}
	}
}

// inspect checks one name of a burst and all names below it.
func (w *Watcher) inspect(name string) {
	fi, err := w.tree.Look(name)
	isDir := err == nil && fi.IsDir()
	top := name == fs.Forgemind || name == fs.Quaid
	switch {
	case isDir && w.gone && top:
		w.everything()
	case isDir:
		w.walk(name, w.look)
	case top:
		w.scheduleCheck(name)
		return
	}
	w.compare(name, fi, err, false)
}

// checkRoot reports whether the tree is still at its path. If it is back after it was
// missing, everything counts as new.
func (w *Watcher) checkRoot() bool {
	err := w.tree.CheckPath()
	switch {
	case err == nil && w.lost:
		w.lost = false
		w.everything()
		return true
	case err == nil:
		return true
	case errors.Is(err, fs.ErrReplaced):
		w.next.Replaced, w.next.All = true, true
	case !w.lost:
		w.lost = true
		w.scheduleCheck(".")
		if w.ears != nil {
			w.ears.forget(".")
		}
	}
	return false
}

// everything starts again: it watches every directory, records every document and sends
// a Batch with All set.
func (w *Watcher) everything() {
	w.next.All, w.next.Gone, w.gone, w.retry = true, false, false, false
	clear(w.doubtful)
	if w.ears != nil {
		w.ears.forget(".")
	}
	w.mu.Lock()
	former := w.known
	w.known = map[string]content{}
	w.mu.Unlock()
	w.walk(".", func(name string) { w.noteContent(name, former) })
	w.folders()
}

// scan checks for changes without notification: all names while polling, else those
// that may have been missed.
func (w *Watcher) scan() {
	if !w.checkRoot() {
		return
	}
	w.retry = false
	missing := map[string]bool{}
	for _, name := range w.below(".") {
		missing[name] = true
	}
	w.walk(".", func(name string) {
		delete(missing, name)
		w.checkIfChanged(name)
	})
	for name := range missing {
		w.look(name)
	}
	w.folders()
}

// folders reports a tree that is missing, and one that is back.
func (w *Watcher) folders() {
	folders, err := w.tree.Entries(".")
	switch {
	case err != nil:
	case len(folders) == 0 && !w.gone:
		w.scheduleCheck(".")
	case len(folders) > 0 && w.gone:
		w.everything()
	}
}

// scheduleCheck schedules a second check of name.
func (w *Watcher) scheduleCheck(name string) {
	if _, ok := w.doubtful[name]; !ok {
		w.doubtful[name] = time.Now()
	}
}

// decide makes the second check of the names that were doubtful at time t or before.
func (w *Watcher) decide(t time.Time) {
	stands := w.checkRoot()
	for _, name := range slices.Sorted(maps.Keys(w.doubtful)) {
		if w.doubtful[name].After(t) {
			continue
		}
		delete(w.doubtful, name)
		if name != "." && name != fs.Forgemind && name != fs.Quaid {
			fi, err := w.tree.Look(name)
			w.compare(name, fi, err, true)
			continue
		}
		folders, err := w.tree.Entries(".")
		if !w.gone && (!stands || err == nil && len(folders) == 0) {
			w.vanished()
			return
		}
	}
}

// vanished reports that the tree is missing and drops all other changes.
func (w *Watcher) vanished() {
	w.gone = true
	w.next = Batch{Gone: true}
	clear(w.names)
	clear(w.doubtful)
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.known)
}

// walk calls visit for each file at or below the directory dir. It watches a directory
// before it reads it, so that no change between the two is missed.
func (w *Watcher) walk(dir string, visit func(name string)) {
	if w.ears != nil && !w.ears.dirs[dir] {
		if err := w.ears.add(dir); err != nil {
			w.poll(listenFailure(err))
		}
	}
	entries, err := w.tree.Entries(dir)
	if err != nil {
		if w.ears != nil {
			w.ears.forget(dir) // gone again, or a link by now
		}
		gone := errors.Is(err, iofs.ErrNotExist) || errors.Is(err, iofs.ErrPermission) || errors.Is(err, fs.ErrIrregular)
		w.retry = w.retry || !gone
		return
	}
	for _, e := range entries {
		switch {
		case ignored(e.Name):
		case e.Dir:
			w.walk(e.Name, visit)
		default:
			visit(e.Name)
		}
	}
}

// poll changes to looking from time to time.
func (w *Watcher) poll(reason string) {
	w.stopListening()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode, w.reason = Polling, reason
}

// stopListening ends the listening.
func (w *Watcher) stopListening() {
	if w.ears != nil {
		w.ears.close()
		w.ears = nil
	}
}

// An alarm is a timer that runs once while it is needed.
type alarm struct {
	*time.Timer
	on bool
}

func newAlarm() *alarm {
	a := &alarm{Timer: time.NewTimer(time.Hour)}
	a.Stop()
	return a
}

func (a *alarm) set(on bool, after time.Duration) {
	switch {
	case on && !a.on:
		a.Reset(after)
	case !on:
		a.Stop()
	}
	a.on = on
}

// markRung records that the time is over.
func (a *alarm) markRung() { a.on = false }
