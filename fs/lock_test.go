//go:build unix

package fs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestBusyNamesTheHolder(t *testing.T) {
	tree := newTree(t)
	holder := start(t, "holder", tree.Root())
	waitHeld(t, tree)
	tree.LockTimeout = 20 * time.Millisecond
	err := tree.Update(ctx, State, set("{}"))
	if want := fmt.Sprintf("busy: .forgemind is held by pid %d for ", holder.Process.Pid); !errors.Is(err, ErrBusy) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
	if text, err := tree.Read(State); !isNotExist(err) { // readers don't care
		t.Errorf("read %q, %v", text, err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	tree.LockTimeout, tree.HolderTimeout = time.Minute, time.Minute
	if err := tree.Update(canceled, State, set("{}")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	holder.in.WriteString("\n")
	holder.finish(t)
	if err := tree.Update(ctx, State, set("{}")); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// The time for one holder ends sooner than that for all of them.
func TestAHolderThatKeepsTheLockIsBusySoon(t *testing.T) {
	tree := newTree(t)
	holder := start(t, "holder", tree.Root())
	waitHeld(t, tree)
	tree.LockTimeout, tree.HolderTimeout = time.Hour, 20*time.Millisecond
	if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	holder.in.WriteString("\n")
	holder.finish(t)
}

func TestTimeToWaitBeginsAnewWithEachMove(t *testing.T) {
	tree := newTree(t)
	tree.LockTimeout, tree.HolderTimeout = 4*time.Hour, 2*time.Hour
	ago := func(hours time.Duration) time.Time { return time.Now().Add(-hours * time.Hour) }
	for _, c := range []struct {
		began, moved time.Time
		waits        bool
	}{
		{ago(1), ago(9), true}, // it had the lock long before
		{ago(3), ago(9), false},
		{ago(3), ago(3), false},
		{ago(3), ago(1), true},
		{ago(5), ago(1), false}, // long enough in all
	} {
		put(t, tree, LocalName(Forgemind, holderFile), "")
		touched(t, tree, c.moved)
		l := &lock{tree: tree, folder: Forgemind, began: c.began}
		if left := l.left(); left > 0 != c.waits {
			t.Errorf("since %v, moved %v: %v left", c.began, c.moved, left)
		}
	}
}

// touched makes the holder of the lock one that last moved at a time.
func touched(t *testing.T, tree *Tree, at time.Time) {
	t.Helper()
	if err := os.Chtimes(filepath.Join(tree.Root(), LocalName(Forgemind, holderFile)), at, at); err != nil {
		t.Error(err)
	}
}

// A transaction that has to begin a new round has moved.
func TestEachRoundIsAMove(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	other := &lock{tree: openTree(t, tree.Root()), folder: Forgemind, began: time.Now().Add(-time.Hour)}
	other.tree.LockTimeout = 2 * time.Hour
	between(tree, func() {
		touched(t, tree, time.Now().Add(-time.Hour))
		if left := other.left(); left > 0 {
			t.Errorf("%v left", left)
		}
		saveAs(t, tree, doc, "two\n")
	})
	runs := 0
	err := tree.Update(ctx, doc, func(old []byte) ([]byte, error) {
		if runs++; runs == 2 && other.left() <= 0 {
			t.Error("nobody waits any longer")
		}
		return addB(old)
	})
	if err != nil || runs != 2 {
		t.Errorf("%d runs, %v", runs, err)
	}
}

// waiters are transactions that wait for a lock, which is held until release is closed;
// who held it calls then as soon as it is free.
type waiters struct {
	release chan bool
	then    func()
	mu      sync.Mutex
	order   []string // who had the lock then
	all     sync.WaitGroup
}

func newWaiters(t *testing.T, dir string) *waiters {
	w := &waiters{release: make(chan bool), then: func() {}}
	tree, held := openTree(t, dir), make(chan bool)
	w.all.Go(func() {
		err := tree.Update(ctx, notes, func([]byte) ([]byte, error) {
			close(held)
			<-w.release
			return nil, nil
		})
		if err != nil {
			t.Error(err)
		}
		w.then()
	})
	<-held
	return w
}

// add has who wait for the lock, and returns when it is the nth that waits.
func (w *waiters) add(t *testing.T, tree *Tree, who string, nth int) {
	t.Helper()
	w.all.Go(func() { w.update(t, tree, who) })
	waitQueued(t, tree, nth)
}

func (w *waiters) update(t *testing.T, tree *Tree, who string) {
	err := tree.Update(ctx, notes, func([]byte) ([]byte, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.order = append(w.order, who)
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// patient has transactions of tree wait as long as it takes.
func patient(tree *Tree) *Tree {
	tree.LockTimeout, tree.HolderTimeout = time.Hour, time.Hour
	return tree
}

// waitQueued waits until there are n tickets in the queue.
func waitQueued(t *testing.T, tree *Tree, n int) {
	t.Helper()
	l := &lock{tree: tree, folder: Forgemind}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		tickets := slices.DeleteFunc(l.queue(), func(ticket string) bool { return !tree.taken(LocalName(Forgemind, queueDir, ticket)) })
		if len(tickets) == n {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d wait, not %d", len(tickets), n)
		}
	}
}

// waitBlocked waits until a transaction waits for the lock file that is there now.
func waitBlocked(t *testing.T, tree *Tree) {
	t.Helper()
	fi, err := os.Stat(filepath.Join(tree.Root(), LocalName(Forgemind, lockFile)))
	if err != nil {
		t.Fatal(err)
	}
	blocked := regexp.MustCompile(fmt.Sprintf(`-> FLOCK .*:%d 0 EOF`, fi.Sys().(*syscall.Stat_t).Ino))
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		locks, err := os.ReadFile("/proc/locks")
		switch {
		case err != nil:
			t.Skip("only Linux says who waits for a lock: ", err)
		case blocked.Match(locks):
			return
		case time.Now().After(end):
			t.Fatalf("nobody waits for the lock:\n%s", locks)
		}
	}
}

func TestWhoCameFirstIsServedFirst(t *testing.T) {
	tree := patient(newTree(t))
	w := newWaiters(t, tree.Root())
	w.add(t, patient(openTree(t, tree.Root())), "first", 1)
	w.add(t, tree, "second", 2)
	w.add(t, tree, "third", 3) // goroutines of one Tree wait as others do
	newcomer := patient(openTree(t, tree.Root()))
	w.then = func() { w.update(t, newcomer, "newcomer") }
	close(w.release)
	w.all.Wait()
	if got := strings.Join(w.order, " "); got != "first second third newcomer" {
		t.Error(got)
	}
}

// An editor saves, so that the transaction begins anew: it goes before those that
// came later.
func TestATransactionThatBeginsAnewKeepsItsPlace(t *testing.T) {
	tree := newTree(t)
	put(t, tree, notes, "one\n")
	put(t, tree, State, `{"a": `)
	var w *waiters
	finishSave(tree, func() {
		w = newWaiters(t, tree.Root())
		w.add(t, patient(openTree(t, tree.Root())), "first", 1)
		w.add(t, patient(openTree(t, tree.Root())), "last", 2)
		saveAs(t, tree, State, "{}\n")
		w.all.Go(func() {
			waitQueued(t, openTree(t, tree.Root()), 3)
			close(w.release)
		})
	})
	_, err := patient(tree).Transaction(ctx, func(tx *Tx) error {
		if old, err := tx.Read(State); err != nil || !json.Valid(old) {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.order = append(w.order, "anew")
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	w.all.Wait()
	// The first one may have had no other ticket to wait for.
	if slices.Index(w.order, "anew") > slices.Index(w.order, "last") {
		t.Error(w.order)
	}
}

// The time for a save begins with the save, however long the lock was waited for.
func TestTimeToSettleBeginsAfterTheLock(t *testing.T) {
	t.Parallel() // it waits
	tree := patient(newTree(t))
	put(t, tree, State, `{"a": `)
	finished := finishSave(tree, func() { saveAs(t, tree, State, "{}") })
	tree.saveTime.patience = 3 * time.Second
	other, done := openTree(t, tree.Root()), make(chan error, 1)
	err := other.Update(ctx, doc, func([]byte) ([]byte, error) {
		go func() { done <- tree.Update(ctx, State, set("{}\n")) }()
		waitQueued(t, tree, 1)
		time.Sleep(tree.saveTime.patience)
		return nil, nil
	})
	if err := errors.Join(err, <-done); err != nil || *finished != 1 {
		t.Errorf("%v, %d saves finished", err, *finished)
	}
}

// A process that waits is stopped: it keeps its ticket, and nobody has the lock.
func TestTicketOfAStoppedProcessIsPassedOver(t *testing.T) {
	tree := newTree(t)
	tree.HolderTimeout = 20 * time.Millisecond
	name := LocalName(Forgemind, queueDir, newPlace())
	put(t, tree, name, "")
	f, err := os.Open(filepath.Join(tree.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tree.Update(ctx, State, set("{}")); err != nil {
			t.Error(err)
		}
	}
	if got := files(t, tree, LocalName(Forgemind, queueDir)); !slices.Equal(got, []string{name}) {
		t.Errorf("tickets: %v", got)
	}
	canceled, cancel := context.WithCancel(ctx)
	tree.HolderTimeout = time.Hour
	time.AfterFunc(time.Millisecond, cancel)
	if err := tree.Update(canceled, State, set("1")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// A transaction that gives up leaves the queue.
func TestWhoGivesUpLeavesTheQueue(t *testing.T) {
	tree := newTree(t)
	w := newWaiters(t, tree.Root())
	tree.LockTimeout = 10 * time.Millisecond
	if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	if got := files(t, tree, LocalName(Forgemind, queueDir)); len(got) > 0 {
		t.Errorf("tickets: %v", got)
	}
	close(w.release)
	w.all.Wait()
}

// What stands in the queue may be anything; nobody waits for what nobody holds, and
// what leads elsewhere is left alone.
func TestTicketsThatNobodyHolds(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, plant := range map[string]func(path string) error{
		"of one who was killed": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a FIFO":                func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link out":            func(path string) error { return os.Symlink(secret, path) },
		"a directory":           func(path string) error { return os.MkdirAll(path+"/x", 0o700) },
	} {
		for _, whole := range []bool{false, true} {
			t.Run(fmt.Sprint(what, ", the queue itself: ", whole), func(t *testing.T) {
				tree := newTree(t)
				path := filepath.Join(tree.Root(), LocalName(Forgemind, queueDir))
				if !whole {
					path += "/" + strings.Repeat("0", 16)
				}
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), plant(path)); err != nil {
					t.Fatal(err)
				}
				quickly(t, func() {
					if err := tree.Update(ctx, State, set("{}")); err != nil {
						t.Error(err)
					}
					if whole { // and by one that has to wait
						w := newWaiters(t, tree.Root())
						tree.LockTimeout = 10 * time.Millisecond
						if err := tree.Update(ctx, State, set("1")); !errors.Is(err, ErrBusy) {
							t.Errorf("error %v", err)
						}
						close(w.release)
						w.all.Wait()
					}
				})
				if _, err := os.Lstat(path); !whole && isNotExist(err) != (what == "of one who was killed") {
					t.Error(err)
				}
				if text, err := os.ReadFile(secret); string(text) != "secret" {
					t.Errorf("%q, %v", text, err)
				}
			})
		}
	}
}

func waitHeld(t *testing.T, tree *Tree) {
	t.Helper()
	for range 1000 {
		text, err := tree.Read(LocalName(Quaid, holderFile)) // the last one that is taken
		if r, ok := parseRecord(string(text)); err == nil && ok && r.state == held {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("nobody takes the lock")
}

// A Tree that gave up waiting is closed at once, however long the other goes on.
func TestATreeThatGaveUpIsClosedAtOnce(t *testing.T) {
	tree := newTree(t)
	holder := start(t, "holder", tree.Root())
	waitHeld(t, tree)
	tree.LockTimeout = 10 * time.Millisecond
	if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrBusy) {
		t.Fatalf("error %v", err)
	}
	closed := make(chan struct{})
	go func() { tree.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(time.Minute): // for ever
		t.Error("it waits for whoever has the lock")
	}
	holder.in.WriteString("\n")
	holder.finish(t)
}

// A lock that comes after its time is given back, so that a Tree that gave up
// does not block others for ever.
func TestLockThatComesLateIsGivenBack(t *testing.T) {
	tree := newTree(t)
	holder := start(t, "holder", tree.Root())
	waitHeld(t, tree)
	tree.LockTimeout = 10 * time.Millisecond
	for range 3 {
		if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrBusy) {
			t.Fatalf("error %v", err)
		}
	}
	holder.in.WriteString("\n")
	holder.finish(t)
	other := openTree(t, tree.Root())
	if err := other.Update(ctx, State, set("{}")); err != nil {
		t.Errorf("another Tree: %v", err)
	}
	tree.LockTimeout, tree.HolderTimeout = time.Minute, time.Minute
	if err := tree.Update(ctx, State, set("{ }")); err != nil {
		t.Errorf("the same Tree: %v", err)
	}
}

// Two goroutines on one Tree, and two Trees on one directory, exclude each
// other as processes do.
func TestGoroutinesExcludeEachOther(t *testing.T) {
	tree := newTree(t)
	trees := []*Tree{tree, tree, openTree(t, tree.Root()), openTree(t, tree.Root())}
	var all sync.WaitGroup
	for who, tree := range trees {
		all.Go(func() {
			for i := range 25 {
				err := tree.Update(ctx, State, func(old []byte) ([]byte, error) { return addToken(old, fmt.Sprint(who, i)) })
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	var tokens []string
	if err := json.Unmarshal([]byte(get(t, tree, State)), &tokens); err != nil || len(tokens) != 100 {
		t.Errorf("%d of 100, %v", len(tokens), err)
	}
}

// `git clean -fdx` takes .local/ away: locks on the old file count for nothing.
func TestLocalDeletedUnderneath(t *testing.T) {
	tree := newTree(t)
	for i := range 3 {
		if err := tree.Update(ctx, State, set(strings.Repeat(" ", i)+"{}")); err != nil {
			t.Fatal(err)
		}
		for _, folder := range folders {
			if err := os.RemoveAll(filepath.Join(tree.Root(), LocalName(folder))); err != nil {
				t.Fatal(err)
			}
		}
	}
	other := openTree(t, tree.Root())
	other.LockTimeout = 0
	err := tree.Update(ctx, State, func([]byte) ([]byte, error) {
		if err := other.Update(ctx, State, set("1")); !errors.Is(err, ErrBusy) {
			t.Errorf("two at once: %v", err)
		}
		return []byte("2"), nil
	})
	if err != nil {
		t.Error(err)
	}
	if got := get(t, tree, LocalName(Forgemind, gitIgnoreFile)); got != "*\n" {
		t.Errorf(".gitignore: %q", got)
	}
}

func TestTheLocksFileIsWaitedForWhileItIsReplaced(t *testing.T) {
	tree := newTree(t)
	holder := start(t, "holder", tree.Root())
	waitHeld(t, tree)
	var inside atomic.Bool
	done := make(chan error, 1)
	go func() {
		done <- tree.Update(ctx, State, func([]byte) ([]byte, error) {
			if inside.Load() {
				t.Error("it got in beside the holder of the new file")
			}
			return []byte("{}"), nil
		})
	}()
	waitBlocked(t, tree)
	if err := os.Rename(filepath.Join(tree.Root(), LocalName(Forgemind)), filepath.Join(tree.Root(), "old")); err != nil {
		t.Fatal(err)
	}
	other := openTree(t, tree.Root())
	release, taken, left := make(chan bool), make(chan bool), make(chan error, 1)
	go func() {
		left <- other.Update(ctx, doc, func([]byte) ([]byte, error) {
			inside.Store(true)
			close(taken)
			<-release
			inside.Store(false)
			return nil, nil
		})
	}()
	for !tree.taken(LocalName(Forgemind, lockFile)) {
		time.Sleep(time.Millisecond)
	}
	holder.in.WriteString("\n")
	holder.finish(t)
	select {
	case <-taken:
	case err := <-left:
		t.Fatal(err)
	}
	waitBlocked(t, tree)
	close(release)
	if err := errors.Join(<-done, <-left); err != nil {
		t.Error(err)
	}
}

// What stands at a lock's name is opened only if it is a file of its own.
func TestLockFilesThatAreNone(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(secret)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil { // to be seen through a link
		t.Fatal(err)
	}
	for what, plant := range map[string]func(path string) error{
		"a FIFO":      func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link out":  func(path string) error { return os.Symlink(secret, path) },
		"a hard link": func(path string) error { return os.Link(secret, path) },
		"a directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"a socket":    func(path string) error { return syscall.Mknod(path, syscall.S_IFSOCK|0o600, 0) },
	} {
		t.Run(what, func(t *testing.T) {
			tree := newTree(t)
			for _, file := range []string{lockFile, watchLockFile} {
				path := filepath.Join(tree.Root(), LocalName(Forgemind, file))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := plant(path); err != nil {
					t.Skip(err)
				}
			}
			quickly(t, func() {
				if holder, ok := tree.Writer(); ok {
					t.Errorf("%+v writes", holder)
				}
				if tree.Watched() {
					t.Error("somebody watches")
				}
				if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrIrregular) {
					t.Errorf("update: %v", err)
				}
				unlock, err := tree.WatchLock()
				if err == nil {
					unlock()
				}
				if !errors.Is(err, ErrIrregular) {
					t.Errorf("watch: %v", err)
				}
			})
		})
	}
}

// A lock that is held is seen by those who may only read, and is not taken by
// the asking.
func TestHeldLocksAreSeen(t *testing.T) {
	tree := newTree(t)
	other := openTree(t, tree.Root())
	unlock, err := tree.WatchLock()
	if err != nil {
		t.Fatal(err)
	}
	asNobody(t, tree)
	if err := os.Chmod(filepath.Join(tree.Root(), LocalName(Forgemind, watchLockFile)), 0o400); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if !other.Watched() {
			t.Error("nobody watches")
		}
	}
	unlock()
	if other.Watched() {
		t.Error("somebody still watches")
	}
}
