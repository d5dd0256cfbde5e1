//go:build unix

package fs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// ignoreFiles are the files that keep a folder's own things out of git.
var ignoreFiles = []string{LocalName(Forgemind, gitIgnoreFile), Forgemind + "/" + gitIgnoreFile}

// killed runs what, and ends it just before the first staged file gets the name
// where, as a kill would. It fails a test in which that never came.
func killed(t *testing.T, tree *Tree, where string, what func()) {
	t.Helper()
	done, reached := make(chan bool), false
	tree.pause = func(step, name string) {
		if step == "staged" && name == where {
			reached = true
			runtime.Goexit()
		}
	}
	go func() { defer close(done); what() }()
	<-done
	if tree.pause = nil; !reached {
		t.Fatalf("%s was never staged", where)
	}
	for _, folder := range folders { // unlike here, nobody gives back a lock when killed
		os.Remove(filepath.Join(tree.Root(), LocalName(folder, holderFile)))
	}
}

// alone has the test run in a process of its own, where a limit binds nothing
// else, such as the file that this process logs to. False: it did.
func alone(t *testing.T) bool {
	t.Helper()
	const told = "FS_TEST_ALONE"
	if os.Getenv(told) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), told+"=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("by itself: %v\n%s", err, out)
	}
	return false
}

// full lets write fail after the first byte of a file, as a full disk would. The
// limit is the process's: see alone.
func full(t *testing.T, write func()) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	limit := old
	limit.Cur = 1
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		t.Skip(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_FSIZE, &old)
	write()
}

// wellIgnored checks that both .gitignore hold what they should, and that nothing of
// how they came about is left.
func wellIgnored(t *testing.T, tree *Tree) {
	t.Helper()
	for i, want := range []string{"*\n", string(GitIgnore(Forgemind))} {
		if got := get(t, tree, ignoreFiles[i]); got != want {
			t.Errorf("%s: %q, want %q", ignoreFiles[i], got, want)
		}
	}
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
	noLitter(t, tree)
}

func TestGitIgnoreComesWholeOrNotAtAll(t *testing.T) {
	if !alone(t) {
		return
	}
	for _, name := range ignoreFiles {
		t.Run(name+" killed", func(t *testing.T) {
			tree := newTree(t)
			killed(t, tree, name, func() { tree.Update(ctx, State, set("{}")) })
			if _, err := tree.Look(name); !isNotExist(err) {
				t.Errorf("it stands before it is whole: %v", err)
			}
			again := openTree(t, tree.Root())
			if err := again.Update(ctx, State, set("{}")); err != nil {
				t.Fatal(err)
			}
			wellIgnored(t, again)
		})
	}
	for _, made := range []bool{false, true} {
		t.Run(fmt.Sprint("disk full, .local made: ", made), func(t *testing.T) {
			tree := newTree(t)
			if made {
				for _, folder := range folders {
					if ok, err := tree.makeLocal(folder); !ok || err != nil {
						t.Fatal(ok, err)
					}
				}
			}
			full(t, func() {
				if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, syscall.EFBIG) {
					t.Errorf("update: %v", err)
				}
			})
			noLitter(t, tree)
			if err := tree.Update(ctx, State, set("{}")); err != nil { // the same Tree
				t.Fatal(err)
			}
			wellIgnored(t, tree)
		})
	}
}

// An empty `.local/.gitignore` is of a version that could be cut off; the
// folder's own may be somebody's choice, and so may any text.
func TestEmptyGitIgnoreOfLocalIsMended(t *testing.T) {
	for text, want := range map[string]string{"": "*\n", "mine\n": "mine\n"} {
		tree := newTree(t)
		for _, name := range ignoreFiles {
			put(t, tree, name, text)
		}
		if err := tree.Update(ctx, State, set("{}")); err != nil {
			t.Fatal(err)
		}
		if local, own := get(t, tree, ignoreFiles[0]), get(t, tree, ignoreFiles[1]); local != want || own != text {
			t.Errorf("%q became %q in .local/ and %q outside", text, local, own)
		}
		noLitter(t, tree)
	}
}

// Of a .gitignore that somebody else makes in the last moment, theirs stays.
func TestGitIgnoreOfOthersStays(t *testing.T) {
	tree := newTree(t)
	tree.pause = func(step, name string) {
		if step == "staged" && name == ignoreFiles[1] {
			put(t, tree, name, "theirs\n")
		}
	}
	if err := tree.Update(ctx, State, set("{}")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, ignoreFiles[1]); got != "theirs\n" {
		t.Errorf("%q", got)
	}
	noLitter(t, tree)
}

func TestOpenNamesTheDirectoryThatItCannotOpen(t *testing.T) {
	dir := t.TempDir()
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Skip(err)
	}
	limit := old
	limit.Cur = min(limit.Cur, 256)
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Skip(err)
	}
	defer unix.Setrlimit(unix.RLIMIT_NOFILE, &old)
	var taken []*os.File
	defer func() {
		for _, f := range taken {
			f.Close()
		}
	}()
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		taken = append(taken, f)
	}
	for free := range 2 { // none for the directory, then none for its second descriptor
		tree, err := Open(dir)
		if err == nil {
			tree.Close()
		}
		if !errors.Is(err, syscall.EMFILE) || strings.Count(fmt.Sprint(err), dir) != 1 {
			t.Errorf("with %d descriptors left: %v", free, err)
		}
		taken[0].Close()
		taken = taken[1:]
	}
}

// Jots leave nothing in .local/ but themselves, once the next process has come
// by that finds the lock not given back.
func TestJotLeavesNoLitter(t *testing.T) {
	if !alone(t) {
		return
	}
	tree := newTree(t)
	counter := LocalName(Forgemind, CountersFile)
	if err := tree.Jot(counter, []byte("1")); err != nil {
		t.Fatal(err)
	}
	full(t, func() {
		if err := tree.Jot(counter, []byte("22")); !errors.Is(err, syscall.EFBIG) {
			t.Errorf("on a full disk: %v", err)
		}
	})
	noLitter(t, tree)
	killed(t, tree, counter, func() { tree.Jot(counter, []byte("333")) })
	if err := openTree(t, tree.Root()).Update(ctx, State, set("{}")); err != nil {
		t.Fatal(err)
	}
	noLitter(t, tree)
	if got := get(t, tree, counter); got != "1" {
		t.Errorf("jotted: %q", got)
	}
	for _, name := range files(t, tree, LocalName(Forgemind)) {
		if strings.HasPrefix(name, counter) && name != counter {
			t.Errorf("litter: %s", name)
		}
	}
}

// The watcher jots without the lock, while others may clear stage/ away.
func TestJotWhileStageIsCleared(t *testing.T) {
	tree := newTree(t)
	if err := tree.Update(ctx, State, set("{}")); err != nil {
		t.Fatal(err)
	}
	h, err := tree.takeTurn(ctx, 0, newPlace())
	if err != nil {
		t.Fatal(err)
	}
	defer h.end()
	watcher, name := openTree(t, tree.Root()), LocalName(Forgemind, WatchFile)
	clearings := 0
	watcher.pause = func(string, string) {
		if clearings++; clearings < 3 {
			if err := h.clearStage(Forgemind); err != nil {
				t.Error(err)
			}
		}
	}
	if err := watcher.Jot(name, []byte("watching")); err != nil || get(t, tree, name) != "watching" || clearings != 3 {
		t.Errorf("jotted %q after %d tries, %v", get(t, tree, name), clearings, err)
	}
	clearings = -100 // every time
	if err := watcher.Jot(name, []byte("lost")); err != nil {
		t.Errorf("a jot that is lost: %v", err)
	}
	watcher.pause = nil
	stop, done := make(chan bool), make(chan error)
	go func() {
		for n := 0; ; n++ {
			select {
			case <-stop:
				close(done)
				return
			default:
			}
			if err := watcher.Jot(name, fmt.Appendf(nil, "watching %d", n)); err != nil {
				done <- err
				return
			}
		}
	}()
	for range 2000 {
		if err := h.clearStage(Forgemind); err != nil {
			t.Fatal("clearing: ", err)
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Error("jotting: ", err)
	}
	if trash := files(t, tree, LocalName(Forgemind, trashDir)); len(trash) > 0 {
		t.Errorf("taken for what it is not: %v", trash)
	}
	noLitter(t, tree)
}

// A Name of any length makes one file name, which no other Name makes and from which the
// same one is made again.
func TestFlatNames(t *testing.T) {
	long := strings.Repeat("ä%/", 200)
	seen := map[string]string{}
	for _, name := range []string{
		".forgemind/decisions/DEC-A.json", ".forgemind/decisions/DEC%2FA.json", "",
		long, long + "a", "a" + long, long + "x" + long, long + "y" + long, strings.Repeat("%", 100), strings.Repeat("%", 101),
	} {
		file := flat(name)
		if len(file) > 180 || strings.Contains(file, "/") || !utf8.ValidString(file) {
			t.Errorf("flat(%q) = %q", name, file)
		}
		if again := flat(unflat(file)); again != file {
			t.Errorf("flat(unflat(%q)) = %q", file, again)
		}
		if other, taken := seen[file]; taken {
			t.Errorf("%q and %q are both %q", name, other, file)
		}
		seen[file] = name
		if len(name) < 50 && unflat(file) != name {
			t.Errorf("unflat(%q) = %q", file, unflat(file))
		}
	}
}
