//go:build unix

package fs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	if text, err := tree.Read(State); !isNotExist(err) { // readers take no lock
		t.Errorf("read %q, %v", text, err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	tree.LockTimeout = time.Minute
	if err := tree.Update(canceled, State, set("{}")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	holder.in.WriteString("\n")
	holder.finish(t)
	if err := tree.Update(ctx, State, set("{}")); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func waitHeld(t *testing.T, tree *Tree) {
	t.Helper()
	for range 1000 {
		text, err := tree.Read(LocalName(Quaid, holderFile)) // the lock that is taken last
		if r, ok := parseRecord(string(text)); err == nil && ok && r.state == held {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("nobody takes the lock")
}

// A Tree that gave up waiting closes at once, however long the other process holds the
// lock.
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
	case <-time.After(time.Minute): // far too long
		t.Error("it waits for whoever has the lock")
	}
	holder.in.WriteString("\n")
	holder.finish(t)
}

// A lock that is obtained after the timeout is released, so that a Tree that gave up
// does not block others.
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
	tree.LockTimeout = time.Minute
	if err := tree.Update(ctx, State, set("{ }")); err != nil {
		t.Errorf("the same Tree: %v", err)
	}
}

// Two goroutines on one Tree exclude each other like processes do, and so do two Trees
// on one directory.
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

// `git clean -fdx` removes .local/: locks on the old file no longer count.
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
	done := make(chan error)
	go func() { done <- tree.Update(ctx, State, set("{}")) }()
	time.Sleep(20 * time.Millisecond) // by now it waits for the lock of the old file
	if err := os.RemoveAll(filepath.Join(tree.Root(), LocalName(Forgemind))); err != nil {
		t.Fatal(err)
	}
	other := openTree(t, tree.Root())
	release, taken, left := make(chan bool), make(chan bool), make(chan error, 1)
	go func() {
		left <- other.Update(ctx, doc, func([]byte) ([]byte, error) {
			close(taken)
			<-release
			return nil, nil
		})
	}()
	for !tree.isLocked(LocalName(Forgemind, lockFile)) {
		time.Sleep(time.Millisecond)
	}
	holder.in.WriteString("\n")
	holder.finish(t)
	select {
	case <-taken:
	case err := <-left:
		t.Fatal(err)
	}
	select {
	case err := <-done:
		t.Fatalf("it got in beside the holder of the new file: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if err := errors.Join(<-done, <-left); err != nil {
		t.Error(err)
	}
}

// A lock file is opened only if it is a regular file with one link.
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
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil { // would be visible through a link
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

// Callers that may only read see that a lock is held, and do not take it by asking.
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
