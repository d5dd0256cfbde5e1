package fs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// The queue of a folder's lock is a directory with a ticket for each transaction that
// waits: a file that the transaction keeps locked as long as it waits. A transaction
// waits for the tickets before its own, and then for the lock. flock(2) alone would let
// a newcomer overtake a process that was woken but does not run yet.
//
// The queue only says who is next. If it cannot be used, the lock still lets only one
// transaction write.

// newPlace returns the place of a transaction that begins now: the name of its
// ticket. A transaction that begins anew keeps its place.
func newPlace() string {
	return fmt.Sprintf("%016x-%s", time.Now().UnixNano(), randomID())
}

// queue returns the tickets, the first one first.
func (l *lock) queue() []string {
	d, err := l.tree.openDir(LocalName(l.folder, queueDir))
	if err != nil {
		return nil
	}
	defer d.Close()
	tickets, _ := d.Readdirnames(-1)
	slices.Sort(tickets)
	return tickets
}

// enqueue makes a ticket, and returns a function that removes it.
func (l *lock) enqueue(ctx context.Context) (leave func()) {
	name := LocalName(l.folder, queueDir, l.place)
	for range 8 { // another transaction removes a ticket that is not locked yet
		d, err := l.tree.makeDirs(path.Dir(name))
		if err != nil {
			break
		}
		d.Close()
		f, err := l.tree.lockFile(name, func(f *flock.Flock) error { return l.await(ctx, f) })
		if err == nil {
			return func() { l.tree.removeTicket(name, f) }
		}
		if errors.Is(err, ErrBusy) || ctx.Err() != nil {
			break
		}
	}
	return func() {}
}

// waitForOthers waits until there is no ticket before l.place. A ticket that nobody
// removes is passed over when the time to wait ends and the lock is free: its process
// may have been stopped.
func (l *lock) waitForOthers(ctx context.Context) error {
	failures := map[string]int{} // of tickets that are not files, or that cannot be removed
	for {
		before := slices.DeleteFunc(l.queue(), func(ticket string) bool { return ticket >= l.place || failures[ticket] > 1 })
		if len(before) == 0 {
			return nil
		}
		for _, ticket := range slices.Backward(before) {
			err := l.waitForTicket(ctx, LocalName(l.folder, queueDir, ticket))
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if errors.Is(err, ErrBusy) {
				if free, _ := l.flock.TryLock(); !free {
					return err
				}
				return nil
			}
			if err != nil {
				failures[ticket]++
			}
		}
	}
}

// waitForTicket waits until nobody has the ticket name, and removes it.
func (l *lock) waitForTicket(ctx context.Context, name string) error {
	if _, err := l.tree.lookLock(name, os.O_RDWR); err != nil {
		return err
	}
	f := l.tree.flockOf(name)
	if err := l.await(ctx, f); err != nil {
		return err
	}
	if same, err := l.tree.isLockFile(f, name); !same { // it is gone, or was made again
		unlock(f)
		return err
	}
	return l.tree.removeTicket(name, f)
}

// removeTicket removes the ticket name, which f has locked.
func (t *Tree) removeTicket(name string, f *flock.Flock) error {
	err := t.root.Remove(name)
	unlock(f)
	if err != nil && !isNotExist(err) { // Windows does not remove a file that flock has open
		err = t.root.Remove(name)
	}
	return err
}
