package fs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A lock is the write lock of one folder, as one Tree takes it.
//
// The lock file is made through os.Root but locked by its path, so the two are compared
// once the lock is taken. Otherwise two writers could hold two different locks if
// `.local/` is a link, or was deleted and made again during the wait.
type lock struct {
	tree   *Tree
	folder string
	slot   chan struct{} // held by one goroutine of this Tree at a time; flock does not separate goroutines
	flock  *flock.Flock
	holder *os.File
	beside os.FileInfo // the lock file that belongs to holder
	record record
	state  string // free, or held if the next holder has to clean up
}

func newLock(t *Tree, folder string) *lock {
	path := filepath.Join(t.path, folder, LocalDir, lockFile)
	return &lock{
		tree: t, folder: folder, slot: make(chan struct{}, 1),
		flock: flock.New(path, flock.SetFlag(lockFlags)),
	}
}

// acquire waits for the lock until expired or ctx ends. It returns false if the folder
// does not exist.
func (l *lock) acquire(ctx context.Context, expired <-chan struct{}) (bool, error) {
	select {
	case l.slot <- struct{}{}:
	default:
		select {
		case l.slot <- struct{}{}:
		case <-expired:
			return false, l.busy()
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	keep := false
	defer func() {
		if !keep {
			<-l.slot
		}
	}()
	for range 8 {
		standing, err := l.stat()
		if err != nil || standing == nil {
			return false, err
		}
		waits, err := l.wait(ctx, expired)
		if waits {
			keep = true
			return false, err
		}
		if err == nil {
			ours, err := l.ours()
			if ours {
				keep = true
				return true, nil
			}
			l.flock.Unlock()
			if err != nil && !isNotExist(err) {
				return false, err
			}
		} else if !isNotExist(err) {
			return false, fmt.Errorf("lock %s: %w", LocalName(l.folder, lockFile), err)
		}
	}
	return false, fmt.Errorf("lock %s: %w: the file does not stay", LocalName(l.folder, lockFile), ErrBusy)
}

// wait blocks in flock(2), which is fair; polling would starve under load. If the time
// is up, waits is true: a goroutine is still waiting. It gives the lock back when it
// gets it, and then frees the slot.
func (l *lock) wait(ctx context.Context, expired <-chan struct{}) (waits bool, err error) {
	if ok, err := l.flock.TryLock(); ok || err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() { done <- l.flock.Lock() }()
	select {
	case err := <-done:
		return false, err
	case <-expired:
		err = l.busy()
	case <-ctx.Done():
		err = ctx.Err()
	}
	go func() {
		if <-done == nil {
			l.flock.Unlock()
		}
		<-l.slot
	}()
	return true, err
}

// stat returns the lock file as seen through the root, and creates it if it is
// missing. It returns nil if there is no folder.
func (l *lock) stat() (os.FileInfo, error) {
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

// lookLock returns the lock file as seen through the root; call it before opening the
// file by its path. The error is ErrIrregular if it is not a regular file with one
// link.
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

// ours reports whether the file that we locked is the lock file of the tree.
func (l *lock) ours() (bool, error) {
	locked, err := l.flock.Stat()
	if err != nil {
		return false, err
	}
	standing, err := l.tree.lookLock(LocalName(l.folder, lockFile), os.O_RDWR)
	if err != nil || !os.SameFile(locked, standing) {
		return false, err
	}
	if l.beside == nil || !os.SameFile(l.beside, locked) {
		l.closeHolder()
		l.beside = locked
	}
	return true, nil
}

// release releases the lock.
func (l *lock) release() {
	l.write(l.state)
	l.flock.Unlock()
	<-l.slot
}

// close closes the lock's files. If a goroutine is still waiting for the lock, that
// goroutine closes them when it gets the lock; close does not wait for it.
func (l *lock) close() {
	l.closeHolder()
	select {
	case l.slot <- struct{}{}:
		l.flock.Close()
		<-l.slot
	default:
	}
}

// busy returns an error that names the process that has the lock.
func (l *lock) busy() error {
	text, err := l.tree.Read(LocalName(l.folder, holderFile))
	if r, ok := parseRecord(string(text)); err == nil && ok && r.state == held {
		return fmt.Errorf("%w: %s is held by pid %d for %s", ErrBusy, l.folder, r.pid, time.Since(r.since).Round(time.Millisecond))
	}
	return fmt.Errorf("%w: %s is held by another process", ErrBusy, l.folder)
}

// A record is the content of the holder file, beside the lock. It is never synced
// because it is only used between processes of one running system.
type record struct {
	state string
	pid   int
	since time.Time
	sweep time.Time // when displaced bytes are to be checked again
}

const (
	held = "held" // if the next holder finds it, the last one was killed
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

// read returns the record of the last holder, and writes that this process is the
// holder now. If that fails, the next holder has no exact message and does not clean
// up.
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

// write writes the record with state. It tries again to open a holder file that could
// not be opened before, because the next holder cleans up only if the record says so.
func (l *lock) write(state string) {
	l.record.state = state
	l.openHolder()
	if l.holder != nil {
		l.holder.WriteAt([]byte(l.record.text()), 0)
	}
}

// openHolder opens the holder file unless it is open. It ignores a file that is not
// regular.
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

func (l *lock) closeHolder() {
	if l.holder != nil {
		l.holder.Close()
		l.holder = nil
	}
}

// takeLocks takes the locks of all existing folders, in the order of their names.
func (t *Tree) takeLocks(ctx context.Context) ([]*lock, error) {
	expired := make(chan struct{})
	timer := time.AfterFunc(t.LockTimeout, func() { close(expired) })
	defer timer.Stop()
	var taken []*lock
	for _, l := range t.locks {
		ok, err := l.acquire(ctx, expired)
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
		taken[i].release()
	}
}
