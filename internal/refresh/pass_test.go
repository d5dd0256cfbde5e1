package refresh

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/engine"
	"github.com/forgemind/forgemind/watch"
)

// A watcher that is kept from its work for long fills no log: it says why once, and
// looks again ever more seldom. What else goes wrong, or goes wrong again, it says.
func TestAWatcherThatKeepsFailingSaysSoOnce(t *testing.T) {
	var told []string
	tree, err := engine.Open(t.TempDir(), engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	l := &loop{tree: tree, tell: func(o Occurrence) { told = append(told, o.Message) }}
	var pauses []time.Duration
	fail := func(why string) {
		l.fail(errors.New(why))
		pauses = append(pauses, l.pause/time.Second)
	}
	for range 8 {
		fail("busy")
	}
	fail("full")
	l.failure = "" // a pass went well
	fail("full")
	if want := []string{"busy", "full", "full"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	if want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60, 1}; !slices.Equal(pauses, want) {
		t.Errorf("it waited %d seconds, want %d", pauses, want)
	}
}

// An operation of git is told if it lasts a second, and once.
func TestAShortOperationOfGitIsNotTold(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, ".git", "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	tree, err := engine.Open(root, engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for lasts, want := range map[time.Duration]int{900 * time.Millisecond: 0, 5 * time.Second: 1} {
		synctest.Test(t, func(t *testing.T) {
			lock := filepath.Join(root, ".git", "index.lock")
			if err := os.WriteFile(lock, nil, 0o644); err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(lasts, func() { os.Remove(lock) })
			told := 0
			l := &loop{tree: tree, tell: func(Occurrence) { told++ }}
			if !l.waitForGit(t.Context()) || told != want {
				t.Errorf("an operation of %v was told %d times, want %d", lasts, told, want)
			}
		})
	}
}

// Git may begin after the watcher has looked for it and before the watcher writes. Then
// the watcher writes nothing, and looks again when git is done.
func TestNothingIsWrittenWhileGitIsBusy(t *testing.T) {
	root := t.TempDir()
	state, lock := filepath.Join(root, filepath.FromSlash(fs.State)), filepath.Join(root, ".git", "index.lock")
	src, err := os.ReadFile("../../schema/testdata/current-context.json")
	if err != nil {
		t.Fatal(err)
	}
	put := func(path string, src []byte) {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, src, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put(state, src)
	put(filepath.Join(root, ".git", "objects", "info", "packs"), nil)
	tree, err := engine.Open(root, engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, err := Once(t.Context(), tree, func(Occurrence) {}); err != nil { // later looks compare with what it saw
		t.Fatal(err)
	}
	saved := bytes.Replace(src, []byte(`"current_layer": 1`), []byte(`"current_layer": 2`), 1)
	put(state, saved)

	var told []string
	l := newLoop(tree, nil)
	l.told = true
	l.tell = func(o Occurrence) {
		switch told = append(told, o.Event); o.Event {
		case Changed: // the watcher has looked for git by now
			put(lock, nil)
		case Paused:
			if now, err := os.ReadFile(state); err != nil || !bytes.Equal(now, saved) {
				t.Errorf("while git was busy the State became %q, %v", now, err)
			}
			os.Remove(lock)
		}
	}
	l.yieldToGit()
	if l.unlock, err = tree.WatchLock(); err != nil {
		t.Fatal(err)
	}
	defer l.unlock()
	synctest.Test(t, func(t *testing.T) {
		if again, err := l.pass(t.Context(), watch.Batch{Names: []string{fs.State}}); again != nil || err != nil {
			t.Errorf("the pass failed: %v, %s", err, l.failure)
		}
	})
	told = slices.DeleteFunc(told, func(event string) bool { return event != Changed && event != Paused && event != FiredOn })
	if want := []string{Changed, Paused, FiredOn}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// A transaction may act on a decision before the watcher hears of its file. The watcher tells of it
// all the same, and of its loss.
func TestADecisionThatWasActedOnFirstIsTold(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	src, err := os.ReadFile("../../schema/testdata/current-context.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(path(fs.State)), 0o755), os.WriteFile(path(fs.State), src, 0o644)); err != nil {
		t.Fatal(err)
	}
	tree, err := engine.Open(root, engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, err := Once(t.Context(), tree, func(Occurrence) {}); err != nil { // later looks compare with what it saw
		t.Fatal(err)
	}
	const decision = fs.Forgemind + "/decisions/DEC-PEARS.json"
	text := []byte(`{"id": "DEC-PEARS", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use pears"}`)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path(decision)), 0o755), os.WriteFile(path(decision), text, 0o644)); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour) // no longer being saved
	if err := os.Chtimes(path(decision), old, old); err != nil {
		t.Fatal(err)
	}
	var told []string
	l := newLoop(tree, nil)
	l.told = true
	l.tell = func(o Occurrence) {
		if o.File == decision {
			told = append(told, o.Event+o.Rule)
		}
	}
	look := func(name string) {
		t.Helper()
		if err := l.look(t.Context(), watch.Batch{Names: []string{name}}); err != nil {
			t.Fatal(err)
		}
	}
	look(fs.Config)
	if err := os.Remove(path(decision)); err != nil {
		t.Fatal(err)
	}
	look(decision)
	<-l.due
	l.tellFindings(t.Context())
	if want := []string{Changed, Changed, Invalid + "lost-decision"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// What a round wrote, appended or removed is no change by others, whenever the
// watcher looks at it.
func TestAWatcherKnowsItsOwnWrites(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put := func(name, text string) {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put(fs.State, "{1}")
	put(fs.Config, "{2}")
	put(fs.Forgemind+"/"+fs.DropLog, "{}\n{3}\n")
	put(fs.Forgemind+"/"+fs.CurationLog, "{4}\n{5}\n")
	tree, err := engine.Open(root, engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	l := &loop{tree: tree, own: map[string]fs.Change{}}
	for _, c := range []fs.Change{
		{Name: fs.State, After: []byte("{1}")},
		{Name: fs.Config, After: []byte("{1}")},
		{Name: fs.Forgemind + "/" + fs.DropLog, Appended: []byte("{3}\n")},
		{Name: fs.Forgemind + "/" + fs.CurationLog, Appended: []byte("{4}\n")},
		{Name: fs.Knobs, Before: []byte("a: 1\n")},
	} {
		l.own[c.Name] = c
	}
	for name, want := range map[string]bool{
		fs.State: true, fs.Config: false, fs.Forgemind + "/" + fs.DropLog: true, fs.Forgemind + "/" + fs.CurationLog: false,
		fs.Knobs: true, fs.Messages: false,
	} {
		if l.ours(name) != want {
			t.Errorf("%s: ours is %t", name, !want)
		}
	}
}

// A document that stays wrong is told of again when somebody saved it, not each time
// that everything is looked at.
func TestWhatStaysWrongIsToldOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := filepath.Join(root, filepath.FromSlash(fs.Config))
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	tree, err := engine.Open(root, engine.Edge{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	told := 0
	l := newLoop(tree, func(o Occurrence) {
		if o.Event == Invalid {
			told++
		}
	})
	for i, saved := range []bool{false, false, true, false} {
		if saved {
			l.tellChanged(fs.Config)
		}
		if err := l.check(t.Context(), watch.Batch{All: true}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if want := []int{1, 1, 2, 2}[i]; told != want {
			t.Fatalf("at look %d it was told %d times, want %d", i+1, told, want)
		}
	}
}
