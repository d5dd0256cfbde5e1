package fs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A lock is the write lock of one folder, as one transaction takes it.
//
// The lock file is made through os.Root but locked by path, so that the two are
// compared once it is ours: a `.local/` that is a link, or that was deleted and
// made again while we waited, would give two writers two locks.
type lock struct {
	tree   *Tree
	folder string
	place  string    // in the queue of those who wait; see newPlace
	began  time.Time // when the wait for the locks began
	flock  *flock.Flock
	holder *os.File
	record record
	state  string // what the next holder is to find: free, unless it has to clear away
}

// flockOf returns the lock of the file name. It opens the file by its path.
func (t *Tree) flockOf(name string) *flock.Flock {
	return flock.New(filepath.Join(t.path, filepath.FromSlash(name)), flock.SetFlag(lockFlags))
}

// take waits for the lock. It returns false if the folder does not exist.
func (l *lock) take(ctx context.Context) (bool, error) {
	for range 8 {
		standing, err := l.stands()
		if err != nil || standing == nil {
			return false, err
		}
		err = l.wait(ctx)
		if err == nil {
			var ours bool
			if ours, err = l.tree.isLockFile(l.flock, LocalName(l.folder, lockFile)); ours {
				return true, nil
			}
			unlock(l.flock)
		}
		switch {
		case err == nil || isNotExist(err):
		case errors.Is(err, ErrBusy) || ctx.Err() != nil:
			return false, err
		default:
			return false, fmt.Errorf("lock %s: %w", LocalName(l.folder, lockFile), err)
		}
	}
	return false, fmt.Errorf("lock %s: %w: the file does not stay", LocalName(l.folder, lockFile), ErrBusy)
}

// wait locks the lock file, once those who came first have had it.
func (l *lock) wait(ctx context.Context) error {
	if len(l.queue()) == 0 {
		if ok, err := l.flock.TryLock(); ok || err != nil {
			return err
		}
	}
	leave := l.enqueue(ctx)
	defer leave()
	if err := l.waitForOthers(ctx); err != nil {
		return err
	}
	return l.await(ctx, l.flock)
}

// await locks f, for which it waits in flock(2). It gives up with ErrBusy after
// the time that left returns, and when ctx ends.
func (l *lock) await(ctx context.Context, f *flock.Flock) error {
	if ok, err := f.TryLock(); ok || err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- f.Lock() }()
	timer := time.NewTimer(l.left())
	defer timer.Stop()
	for {
		var err error
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			err = ctx.Err()
		case <-timer.C:
			if left := l.left(); left > 0 {
				timer.Reset(left)
				continue
			}
			err = l.busy()
		}
		go func() { // flock(2) goes on, and is undone when it returns
			if <-done == nil {
				unlock(f)
			}
		}()
		return err
	}
}

// left returns how much longer to wait: LockTimeout in all, and HolderTimeout since
// the holder last wrote its record.
func (l *lock) left() time.Duration {
	moved := l.began
	if fi, err := l.tree.Look(LocalName(l.folder, holderFile)); err == nil && fi.ModTime().After(moved) {
		moved = fi.ModTime()
	}
	return min(l.tree.LockTimeout-time.Since(l.began), l.tree.HolderTimeout-time.Since(moved))
}

// stands looks at the lock file through the root, and makes it where it is
// missing. Nil means that there is no folder.
func (l *lock) stands() (os.FileInfo, error) {
	name := LocalName(l.folder, lockFile)
	fi, err := l.tree.lookLock(name, os.O_RDWR)
	if !isNotExist(err) {
		return fi, err
	}
	if ok, err := l.tree.makeLocal(l.folder); !ok || err != nil {
		return nil, err
	}
	return l.tree.lookLock(name, os.O_RDWR)
}

// lookLock looks at a lock file through the root, which is to come before it is
// opened by its path: what is no file of its own is ErrIrregular.
func (t *Tree) lookLock(name string, flag int) (os.FileInfo, error) {
	f, err := t.open(name, flag, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fi, err := f.Stat()
	if err == nil && (!fi.Mode().IsRegular() || links(fi) > 1) {
		err = fmt.Errorf("%s: %w", name, ErrIrregular)
	}
	return fi, err
}

// isLockFile reports whether what f has locked is the file name of the tree.
func (t *Tree) isLockFile(f *flock.Flock, name string) (bool, error) {
	locked, err := f.Stat()
	if err != nil {
		return false, err
	}
	standing, err := t.lookLock(name, os.O_RDWR)
	return err == nil && os.SameFile(locked, standing), err
}

// give gives the lock back.
func (l *lock) give() {
	if l.state != "" { // else it was never read
		l.write(l.state)
	}
	if l.holder != nil {
		l.holder.Close()
	}
	unlock(l.flock)
}

// unlock gives f back. A lock that the system did not release is held until the process
// ends, so that it is tried twice.
func unlock(f *flock.Flock) {
	if f.Unlock() != nil {
		f.Unlock()
	}
}

// busy says who has the lock.
func (l *lock) busy() error {
	text, err := l.tree.Read(LocalName(l.folder, holderFile))
	if r, ok := parseRecord(string(text)); err == nil && ok && r.state == held {
		return fmt.Errorf("%w: %s is held by pid %d for %s", ErrBusy, l.folder, r.pid, time.Since(r.since).Round(time.Millisecond))
	}
	return fmt.Errorf("%w: %s is held by another process", ErrBusy, l.folder)
}

// A record stands in the holder file, beside the lock. It is never synced: it
// is only of use between processes of one running system.
type record struct {
	state string
	pid   int
	since time.Time
	sweep time.Time // when displaced bytes are to be looked at again
}

const (
	held = "held" // found by the next holder, it means that the last one was killed
	free = "free"
)

func (r record) text() string {
	return fmt.Sprintf("%s %10d %20d %20d\n", r.state, r.pid, r.since.UnixNano(), r.sweep.UnixNano())
}

func parseRecord(text string) (record, bool) {
	var r record
	var since, sweep int64
	n, err := fmt.Sscanf(strings.TrimSpace(text), "%s %d %d %d", &r.state, &r.pid, &since, &sweep)
	r.since, r.sweep = time.Unix(0, since), time.Unix(0, sweep)
	return r, n == 4 && err == nil
}

// read gives what the last holder wrote, and writes that we are the holder now.
// Its failure costs a better message, and a search for litter.
func (l *lock) read() record {
	last := record{state: held}
	l.openHolder()
	if l.holder != nil {
		var buf [128]byte
		n, _ := l.holder.ReadAt(buf[:], 0)
		if r, ok := parseRecord(string(buf[:n])); ok {
			last = r
		}
	}
	l.state = free
	l.record = record{state: held, pid: os.Getpid(), since: time.Now(), sweep: last.sweep}
	l.write(held)
	return last
}

// write writes the record with state. A holder file that could not be opened
// before is tried again, for the next holder looks for litter only if told to.
func (l *lock) write(state string) {
	l.record.state = state
	l.openHolder()
	if l.holder != nil {
		l.holder.WriteAt([]byte(l.record.text()), 0)
	}
}

// openHolder opens the holder file unless it is open. A file that is not a
// plain one is left alone.
func (l *lock) openHolder() {
	if l.holder != nil {
		return
	}
	f, err := l.tree.open(LocalName(l.folder, holderFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	if m, err := stat(f); err != nil || m.plain(holderFile) != nil {
		f.Close()
		return
	}
	l.holder = f
}

// takeLocks takes the lock of every folder that exists, in name order. place is that of
// the transaction; see newPlace.
func (t *Tree) takeLocks(ctx context.Context, place string) ([]*lock, error) {
	began := time.Now()
	var taken []*lock
	for _, folder := range folders {
		l := &lock{tree: t, folder: folder, place: place, began: began, flock: t.flockOf(LocalName(folder, lockFile))}
		ok, err := l.take(ctx)
		if ok {
			taken = append(taken, l)
		}
		if err != nil {
			giveLocks(taken)
			return nil, err
		}
	}
	if len(taken) == 0 {
		return nil, fmt.Errorf("%s: %w", t.path, ErrNoTree)
	}
	return taken, nil
}

func giveLocks(taken []*lock) {
	for i := len(taken) - 1; i >= 0; i-- {
		taken[i].give()
	}
}
