package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/internal/refresh"
)

// A watcher that adds the .gitignore that a tree lacks tells of no change by others.
func TestAWatcherTellsOfNoGitIgnoreOfItsOwn(t *testing.T) {
	h := masons(t)
	if err := os.RemoveAll(filepath.Join(h.root, fs.Forgemind, ".gitignore")); err != nil {
		t.Fatal(err)
	}
	other := enter(t, h.root)
	told := make(chan refresh.Occurrence, 1000)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- refresh.Watch(ctx, other.Tree, false, func(o refresh.Occurrence) { told <- o }) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	notes := fs.Forgemind + "/memory/ann-notes.md"
	for late := time.After(time.Minute); ; {
		select {
		case o := <-told:
			switch {
			case o.Event == refresh.Ready:
				write(t, h.root, talkFile, mortarTalk+`{"msg_id":"msg-4","timestamp":"2026-03-01T09:30:00Z","agent":"bob","content":"📝 Condense this discussion"}`+"\n")
			case o.Event == refresh.FiredOn:
				write(t, h.root, notes, "# Notes\n")
			case o.Event == refresh.Changed && o.File != talkFile && o.File != notes:
				t.Errorf("told of a change of %s", o.File)
			case o.Event == refresh.Changed && o.File == notes:
				return
			}
		case <-late:
			t.Fatal("it never told of the notes")
		}
	}
}

// What a watcher could not look at, for another held the lock, it looks at again,
// whatever else it hears of meanwhile.
func TestAWatcherComesBackToWhatItCouldNotLookAt(t *testing.T) {
	t.Parallel() // it waits
	h := masons(t)
	h.LockTimeout = 0
	told := make(chan refresh.Occurrence, 1000)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- refresh.Watch(ctx, h.Tree, false, func(o refresh.Occurrence) { told <- o }) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	hear := func(what string) {
		t.Helper()
		for late := time.After(time.Minute); ; {
			select {
			case o := <-told:
				if o.Event == what {
					return
				}
			case <-late:
				t.Fatalf("it never told of %v", what)
			}
		}
	}
	hear(refresh.Ready)

	other := enter(t, h.root)
	_, err := other.Transaction(ctx, func(*fs.Tx) error {
		write(t, h.root, talkFile, mortarTalk+`{"msg_id":"msg-4","timestamp":"2026-03-01T09:30:00Z","agent":"bob","content":"📝 Condense this discussion"}`+"\n")
		hear(refresh.Failed)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, h.root, fs.Forgemind+"/memory/ann-notes.md", "# Notes\n")
	hear(refresh.FiredOn)
	if all, _, err := condense.Condensations(h); err != nil || len(all) != 1 {
		t.Errorf("condensed are %v, %v", all, err)
	}
}
