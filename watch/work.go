package watch

import (
	"errors"
	iofs "io/fs"
	"maps"
	"slices"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// secondLook is how long a name may be gone or empty before that counts.
const secondLook = 100 * time.Millisecond

// work is the goroutine that looks at what happened and hands out Batches.
func (w *Watcher) work() {
	defer close(w.batches)
	defer w.deafen()
	safety := time.NewTicker(w.options.ScanEvery)
	defer safety.Stop()
	poll, doubt := newAlarm(), newAlarm()
	for {
		// Alarms are set only while there is something to wait for: a tree at
		// rest wakes nobody.
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
			w.hear(b)
		case <-w.rescan:
			if w.stands() {
				w.everything()
			}
		case names := <-w.attend:
			w.attendTo(names)
		case <-safety.C:
			w.scan()
		case <-poll.C:
			poll.rang()
			w.scan()
		case <-doubt.C:
			doubt.rang()
			w.decide(time.Now().Add(-secondLook))
		case out <- batch:
			w.next = Batch{}
			clear(w.names)
		}
		if w.next.Replaced {
			w.leave()
			return
		}
	}
}

// leave hands out the last Batch.
func (w *Watcher) leave() {
	w.deafen()
	select {
	case w.batches <- w.batch():
		<-w.stop
	case <-w.stop:
	}
}

// batch is what is to be handed out next.
func (w *Watcher) batch() Batch {
	b := w.next
	b.Names = slices.Sorted(maps.Keys(w.names))
	return b
}

// hear looks at what notifications named.
func (w *Watcher) hear(b burst) {
	switch {
	case !w.stands():
	case b.all || b.names["."]:
		w.everything()
	default:
		names := slices.Sorted(maps.Keys(b.names))
		// First forget all directories that something happened to: one that was
		// moved is still listened to under its old name.
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

// inspect looks at one name of which something was heard, and at all that is
// below it.
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
		w.doubt(name)
		return
	}
	w.compare(name, fi, err, false)
}

// stands says whether the tree is still at its path. Where it is not, there is
// nothing to look at; where it is back, everything is new.
func (w *Watcher) stands() bool {
	err := w.tree.Here()
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
		w.doubt(".")
		if w.ears != nil {
			w.ears.forget(".")
		}
	}
	return false
}

// everything begins anew: it listens to every directory, takes note of every
// document and gives a Batch with All set.
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
	w.walk(".", func(name string) { w.note(name, former) })
	w.listenBeside()
	for _, name := range w.beside {
		w.note(name, former)
	}
	w.folders()
}

// scan looks for what was not heard: all of it while polling, else what fell
// through.
func (w *Watcher) scan() {
	if !w.stands() {
		return
	}
	w.retry = false
	missing := map[string]bool{}
	for _, name := range w.below(".") {
		missing[name] = true
	}
	w.walk(".", func(name string) {
		delete(missing, name)
		w.glance(name)
	})
	for name := range missing {
		w.look(name)
	}
	w.listenBeside()
	for _, name := range w.beside {
		w.glance(name)
	}
	w.folders()
}

// folders sees to it that a missing tree is reported, and one that is back.
func (w *Watcher) folders() {
	folders, err := w.tree.Entries(".")
	switch {
	case err != nil:
	case len(folders) == 0 && !w.gone:
		w.doubt(".")
	case len(folders) > 0 && w.gone:
		w.everything()
	}
}

// doubt has name looked at a second time.
func (w *Watcher) doubt(name string) {
	if _, ok := w.doubtful[name]; !ok {
		w.doubtful[name] = time.Now()
	}
}

// decide takes the second look at what was doubtful at time t or before.
func (w *Watcher) decide(t time.Time) {
	stands := w.stands()
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

// vanished reports that the tree is gone; nothing else matters then.
func (w *Watcher) vanished() {
	w.gone = true
	w.next = Batch{Gone: true}
	clear(w.names)
	clear(w.doubtful)
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.known)
}

// walk calls visit for each file at or below the directory dir. It listens to a
// directory before it reads it, so that nothing falls between.
func (w *Watcher) walk(dir string, visit func(name string)) {
	if w.ears != nil && !w.ears.dirs[dir] {
		if err := w.ears.add(dir); err != nil {
			w.poll(why(err))
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
	w.deafen()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode, w.reason = Polling, reason
}

// deafen ends the listening.
func (w *Watcher) deafen() {
	if w.ears != nil {
		w.ears.close()
		w.ears = nil
	}
}

// An alarm is a timer that is set once for as long as there is a reason.
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

// rang notes that the time is up.
func (a *alarm) rang() { a.on = false }
