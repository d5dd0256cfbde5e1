package watch

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

func TestEveryWayOfSaving(t *testing.T) {
	aside := func(s *scene, name string) string {
		tmp := state + name
		s.ok(os.WriteFile(s.path(tmp), []byte(text+name), 0o644))
		return tmp
	}
	ways := []struct {
		editor string
		save   func(s *scene)
	}{
		{"VS Code: truncate, then write", func(s *scene) {
			f, err := os.OpenFile(s.path(state), os.O_WRONLY|os.O_TRUNC, 0)
			s.ok(err)
			time.Sleep(5 * time.Millisecond)
			_, err = f.WriteString(text + "code")
			s.ok(err)
			s.ok(f.Close())
		}},
		{"vim: move the old one aside, write a new one", func(s *scene) {
			s.write(".forgemind/context/4913", "")
			s.remove(".forgemind/context/4913")
			s.rename(state, state+"~")
			time.Sleep(5 * time.Millisecond)
			s.write(state, text+"vim")
			s.remove(state + "~")
		}},
		{"vim with backupcopy: copy, then overwrite", func(s *scene) {
			aside(s, "~")
			s.write(state, text+"vim in place")
			s.remove(state + "~")
		}},
		{"emacs: a lock that is a link, then a rename", func(s *scene) {
			lock := ".forgemind/context/.#current-context.json"
			s.ok(os.Symlink("me@here.1:2", s.path(lock)))
			s.rename(aside(s, "~"), state)
			s.remove(lock)
		}},
		{"JetBrains: a new one and the old one change places", func(s *scene) {
			s.write(".forgemind/context/___jb_tmp___", text+"jb")
			s.rename(state, ".forgemind/context/___jb_old___")
			s.rename(".forgemind/context/___jb_tmp___", state)
			s.remove(".forgemind/context/___jb_old___")
		}},
		{"git checkout: unlink, then create", func(s *scene) {
			s.remove(state)
			s.write(state, text+"git")
		}},
		{"git checkout of the same size", func(s *scene) {
			s.remove(state)
			s.write(state, text+"GIT")
		}},
		{"one byte in place", func(s *scene) {
			f, err := os.OpenFile(s.path(state), os.O_WRONLY, 0)
			s.ok(err)
			_, err = f.WriteAt([]byte("["), 0)
			s.ok(err)
			s.ok(f.Close())
		}},
		{"an old file with its old time moved over it", func(s *scene) {
			tmp := ".forgemind/.local/old"
			s.write(tmp, text+"old")
			past := time.Now().Add(-24 * time.Hour)
			s.ok(os.Chtimes(s.path(tmp), past, past))
			s.rename(tmp, state)
		}},
		{"delete", func(s *scene) { s.remove(state) }},
		{"create", func(s *scene) { s.write(state, text) }},
	}
	if _, err := exec.LookPath("sed"); err == nil {
		ways = append(ways, struct {
			editor string
			save   func(s *scene)
		}{"sed -i", func(s *scene) {
			s.ok(exec.Command("sed", "-i", "1s/{}/{ }/", s.path(state)).Run())
		}})
	}
	bothWays(t, func(t *testing.T, options Options) {
		s := stage(t, map[string]string{state: text, ".forgemind/.local/lock": ""}).watch(options)
		for _, way := range ways {
			way.save(s)
			want := s.on(state)
			// The name is given, and in the end there is no more to be read than
			// was there when it was given last.
			got := "never given"
			for got != want {
				b := s.next()
				for _, name := range b.Names {
					if name != state && !strings.HasPrefix(name, state) && !strings.Contains(name, "/sed") {
						t.Errorf("%s: %s was given", way.editor, name)
					}
				}
				if slices.Contains(b.Names, state) {
					got = s.on(state)
				}
			}
			s.silent()
		}
	})
}

func TestWhatIsNoChange(t *testing.T) {
	bothWays(t, func(t *testing.T, options Options) {
		s := stage(t, map[string]string{state: text, "README.md": "", ".forgemind/.local/lock": ""}).watch(options)
		outside := t.TempDir()
		s.ok(os.Chmod(s.path(state), 0o600))
		s.ok(os.Chmod(s.path(state), 0o644))
		s.ok(os.Chtimes(s.path(state), time.Now(), time.Now()))
		s.silent()
		s.write(state, text) // saved as it was
		s.silent()
		s.write("README.md", "new")
		s.write("src/.forgemind/config.json", "{}")
		s.write(".forgemind/.local/acted.json", "{}")
		s.write(".forgemind/.git/index", "")
		s.write(".forgemind/context/.current-context.json.swp", "")
		s.mkdir(".forgemind/empty/.local")
		s.silent()
		s.ok(os.Symlink(outside, s.path(".forgemind/link")))
		s.told(".forgemind/link") // a finding for others; not followed
		s.ok(os.WriteFile(filepath.Join(outside, "x.json"), nil, 0o644))
		s.silent()
		if exec.Command("mkfifo", s.path(".forgemind/fifo")).Run() == nil {
			s.told(".forgemind/fifo") // and nobody hangs on it
		}
	})
}

func TestOwnWritesAreNotGivenBack(t *testing.T) {
	bothWays(t, func(t *testing.T, options Options) {
		s := stage(t, map[string]string{state: text, ".forgemind/old.json": text}).watch(options)
		own := func(name, after string) fs.Change {
			return fs.Change{Name: name, Before: []byte(s.on(name)), After: []byte(after)}
		}
		s.Seen([]fs.Change{own(state, "{1}"), {Name: ".forgemind/old.json", Before: []byte(text)}})
		s.write(state, "{1}")
		s.remove(".forgemind/old.json")
		s.silent()
		s.Seen([]fs.Change{own(state, "{2}")})
		s.write(state, "{3}") // somebody else's
		s.told(state)

		log := ".forgemind/logs/context/drops.jsonl"
		s.write(log, "{}\n")
		s.told(log)
		s.write(log, "{}\n{1}\n")
		s.Seen([]fs.Change{{Name: log, Appended: []byte("{1}\n")}})
		s.silent()
		s.write(log, "{}\n{1}\n{2}\n{3}\n")
		s.Seen([]fs.Change{{Name: log, Appended: []byte("{2}\n")}}) // and {3} is somebody else's
		s.told(log)
	})
}

func TestSecondLook(t *testing.T) {
	s := stage(t, map[string]string{state: text, ".forgemind/config.json": text})
	w, err := prepare(s.tree, Options{Poll: true})
	s.ok(err)
	w.next = Batch{}
	given := func() []string { b := w.batch(); clear(w.names); return b.Names }

	s.rename(state, state+"~") // vim begins
	w.scan()
	w.decide(time.Now().Add(-secondLook))
	if got := given(); got != nil {
		t.Fatalf("%q given after one look", got)
	}
	s.write(state, text+"vim")
	w.scan()
	w.decide(time.Now().Add(secondLook))
	if got := given(); !slices.Equal(got, []string{state}) || len(w.doubtful) > 0 {
		t.Fatalf("%q given, %v doubtful", got, w.doubtful)
	}

	s.ok(os.Truncate(s.path(state), 0))
	s.write(".forgemind/new.json", "")
	s.remove(".forgemind/config.json")
	w.scan()
	if got := given(); got != nil {
		t.Fatalf("%q given after one look", got)
	}
	w.decide(time.Now().Add(secondLook))
	if got, want := given(), []string{".forgemind/config.json", state, ".forgemind/new.json"}; !slices.Equal(got, want) {
		t.Fatalf("%q given, want %q", got, want)
	}
	w.scan()
	w.decide(time.Now().Add(secondLook))
	if got := given(); got != nil {
		t.Fatalf("%q given again", got)
	}
}

// A writer may truncate after the size was seen and before the bytes are read.
func TestTruncatedBetweenSizeAndBytes(t *testing.T) {
	s := stage(t, map[string]string{state: text})
	w, err := prepare(s.tree, Options{Poll: true})
	s.ok(err)
	seen, err := s.tree.Look(state)
	s.ok(err)
	s.ok(os.Truncate(s.path(state), 0))
	w.compare(state, seen, nil, false)
	if w.names[state] || w.doubtful[state].IsZero() {
		t.Fatalf("given: %v, doubtful: %v; want a second look", w.names, w.doubtful)
	}
	s.write(state, text+"whole")
	w.decide(time.Now().Add(secondLook))
	if !w.names[state] || len(w.doubtful) > 0 {
		t.Fatalf("given: %v, doubtful: %v; want it given", w.names, w.doubtful)
	}
}

func TestDirectories(t *testing.T) {
	bothWays(t, func(t *testing.T, options Options) {
		s := stage(t, map[string]string{
			".forgemind/threads/a/deep/1.json":    text,
			".forgemind/threads/a/deep/er/2.json": text,
		}).watch(options)
		for i := range 50 { // mkdir -p gives one notification, and the write may be before it
			s.write(fmt.Sprintf(".forgemind/channels/%d/b/c/d/messages.jsonl", i), text)
		}
		var all []string
		for i := range 50 {
			all = append(all, fmt.Sprintf(".forgemind/channels/%d/b/c/d/messages.jsonl", i))
		}
		s.told(all...)

		s.rename(".forgemind/threads/a", ".forgemind/threads/Z") // sorts before
		s.told(".forgemind/threads/a/deep/1.json", ".forgemind/threads/a/deep/er/2.json",
			".forgemind/threads/Z/deep/1.json", ".forgemind/threads/Z/deep/er/2.json")
		s.write(".forgemind/threads/Z/deep/er/2.json", "new")
		s.told(".forgemind/threads/Z/deep/er/2.json")

		away := filepath.Join(filepath.Dir(s.dir), "away")
		s.ok(os.Rename(s.path(".forgemind/threads/Z"), away))
		s.told(".forgemind/threads/Z/deep/1.json", ".forgemind/threads/Z/deep/er/2.json")
		s.ok(os.WriteFile(filepath.Join(away, "deep/1.json"), []byte("not ours"), 0o644))
		s.silent()
		s.ok(os.Rename(away, s.path(".forgemind/threads/b")))
		s.told(".forgemind/threads/b/deep/1.json", ".forgemind/threads/b/deep/er/2.json")
		s.write(".forgemind/threads/b/deep/er/3.json", text)
		s.told(".forgemind/threads/b/deep/er/3.json")

		s.write(".quaid/context/sessions/x/summary.md", text) // a folder that was not there
		s.told(".quaid/context/sessions/x/summary.md")
		s.remove(".quaid")
		s.told(".quaid/context/sessions/x/summary.md")
		s.silent()
	})
}

func TestTreesThatVanish(t *testing.T) {
	bothWays(t, func(t *testing.T, options Options) {
		options.PollEvery = 10 * time.Millisecond
		s := stage(t, map[string]string{state: text}).watch(options)
		until := func(what string, is func(Batch) bool) {
			t.Helper()
			for {
				select {
				case b := <-s.Batches():
					if is(b) {
						return
					}
					if b.All || b.Gone || b.Replaced {
						t.Fatalf("%s: %+v", what, b)
					}
				case <-time.After(patience):
					t.Fatalf("%s: no batch came", what)
				}
			}
		}
		isGone := func(b Batch) bool { return b.Gone && !b.All && len(b.Names) == 0 }
		isBack := func(b Batch) bool { return b.All && !b.Gone && !b.Replaced }
		heard := func(what string) {
			t.Helper()
			s.write(state, what)
			until(what, func(b Batch) bool { return slices.Contains(b.Names, state) })
			s.silent()
		}

		s.remove(".forgemind")
		until("deleted", isGone)
		s.write(state, text)
		until("made again", isBack)
		heard("after it was deleted")

		away := s.path("away")
		s.ok(os.Rename(s.path(".forgemind"), away))
		until("moved away", isGone)
		s.ok(os.Rename(away, s.path(".forgemind")))
		until("moved back", isBack)
		heard("after it was moved")

		s.ok(os.Rename(s.dir, s.dir+"-away"))
		until("the project moved away", isGone)
		s.ok(os.Rename(s.dir+"-away", s.dir))
		until("the project moved back", isBack)
		heard("after the project was moved")

		s.ok(os.Rename(s.dir, s.dir+"-old"))
		s.write(state, "a new clone")
		for b := s.next(); !b.Replaced; b = s.next() {
			if b.All {
				t.Fatalf("another project at its place: %+v", b)
			}
		}
		s.write(state, "not ours")
		s.ok(s.Close())
		for b := range s.Batches() {
			t.Errorf("%+v after the last batch", b)
		}
	})
}

func TestRescanAndClose(t *testing.T) {
	s := stage(t, map[string]string{state: text}).watch(Options{})
	s.Rescan()
	s.Rescan()
	if b := s.next(); !b.All {
		t.Errorf("%+v", b)
	}
	s.ok(s.Close())
	s.ok(s.Close())
	for b := range s.Batches() {
		t.Errorf("%+v after Close", b)
	}
	s.Rescan()
	s.remove("") // the whole project
	if _, err := Open(s.tree, Options{}); err == nil {
		t.Error("a tree that is gone was opened")
	}
}

// The safety scan finds what no notification told of.
func TestSafetyScan(t *testing.T) {
	s := stage(t, map[string]string{state: text, ".forgemind/config.json": text}).watch(Options{ScanEvery: 20 * time.Millisecond})
	if mode, _ := s.Mode(); mode == Polling {
		t.Skip("no notifications here")
	}
	for _, dir := range s.ears.notify.WatchList() {
		s.ears.notify.Remove(dir)
	}
	s.write(state, "unheard")
	s.remove(".forgemind/config.json")
	s.told(state, ".forgemind/config.json")
}

// A queue of the system that really overflows: the Watcher is held up until
// more happened than the queue takes.
func TestOverflow(t *testing.T) {
	var held sync.Mutex
	s := stage(t, map[string]string{state: text, ".forgemind/config.json": text}).
		watch(Options{hold: func() { held.Lock(); defer held.Unlock() }})
	if mode, _ := s.Mode(); mode != "inotify" {
		t.Skip("only inotify drops notifications this way")
	}
	held.Lock()
	a, err := os.OpenFile(s.path(state), os.O_WRONLY, 0)
	s.ok(err)
	defer a.Close()
	b, err := os.OpenFile(s.path(".forgemind/config.json"), os.O_WRONLY, 0)
	s.ok(err)
	defer b.Close()
	for range 20_000 { // in turn, for the system joins equal ones
		a.WriteAt([]byte("x"), 0)
		b.WriteAt([]byte("x"), 0)
	}
	s.write(".forgemind/lost/after/the/queue/was/full.json", text)
	held.Unlock()
	for all := false; !all; {
		all = s.next().All
	}
	mark := ".forgemind/lost/after/the/queue/was/full.json"
	s.write(mark, "new")
	for changes := 0; ; changes++ { // the rest of the queue comes first
		b := s.next()
		if slices.Contains(b.Names, mark) {
			break
		}
		if b.All { // which may include the mark
			s.write(mark, fmt.Sprint("new ", changes))
		}
	}
}

// Whatever is done to a tree, one who reads again what is named holds in the
// end what is on disk.
func TestMirror(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, options Options) {
		rounds := 2
		if testing.Short() {
			rounds = 1
		}
		for seed := range uint64(rounds) {
			mirror(t, options, seed)
		}
	})
}

// mirror changes a tree at random and, every 40 changes, waits until the reader
// holds what is on disk and the Watcher knows it. Between those waits it reads
// nothing: nobody is told of what comes and goes between two looks of the
// Watcher, and who reads just then would hold it.
func mirror(t *testing.T, options Options, seed uint64) {
	s := stage(t, map[string]string{state: text}).watch(options)
	defer s.Watcher.Close()
	random := rand.New(rand.NewPCG(seed, 7))
	pick := func() string {
		name := fs.Forgemind
		for range 1 + random.IntN(3) {
			name += "/" + string(rune('a'+random.IntN(3)))
		}
		return name
	}
	held, named := s.disk(), map[string]bool{}
	take := func(b Batch) {
		for _, name := range b.Names {
			named[name] = true
		}
		named["."] = named["."] || b.All
	}
	for stretch := range 10 {
		for step := range 40 {
			a, b := s.path(pick()), s.path(pick())
			switch random.IntN(8) { // what cannot be done is not done
			case 0, 1, 2:
				os.WriteFile(a, fmt.Append(nil, seed, stretch, step), 0o644)
			case 3:
				os.MkdirAll(a, 0o755)
			case 4, 5:
				os.Rename(a, b)
			case 6:
				os.RemoveAll(a)
			case 7: // let the Watcher look
				select {
				case b := <-s.Batches():
					take(b)
				case <-time.After(time.Duration(random.IntN(25)) * time.Millisecond):
				}
			}
		}
		disk := s.disk()
		copyNamed := func() {
			if named["."] {
				held = maps.Clone(disk)
			}
			for name := range named {
				if text, there := disk[name]; there {
					held[name] = text
				} else {
					delete(held, name)
				}
			}
			clear(named)
		}
		deadline := time.After(patience)
		for copyNamed(); !maps.Equal(held, disk) || !s.knows(disk); copyNamed() {
			select {
			case b := <-s.Batches():
				take(b)
			case <-time.After(10 * time.Millisecond): // to ask again what the Watcher knows
			case <-deadline:
				t.Fatalf("seed %d, stretch %d: on disk %q, held %q", seed, stretch, disk, held)
			}
		}
	}
}

// knows reports whether disk is what the Watcher saw last.
func (w *Watcher) knows(disk map[string]string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.EqualFunc(w.known, disk, func(c content, text string) bool {
		return c.hashed && c.sum == sha256.Sum256([]byte(text))
	})
}

// disk is what all documents hold.
func (s *scene) disk() map[string]string {
	all := map[string]string{}
	for name, err := range s.tree.Names(".") {
		data, readErr := s.tree.Read(name)
		if err == nil && readErr == nil {
			all[name] = string(data)
		}
	}
	return all
}

func TestBurst(t *testing.T) {
	n := 10_000
	if testing.Short() {
		n = 1_000
	}
	s := stage(t, map[string]string{state: text}).watch(Options{})
	s.mkdir(".forgemind/decisions")
	go func() {
		for i := range n {
			os.WriteFile(s.path(fmt.Sprintf(".forgemind/decisions/DEC-%05d.json", i)), []byte(text), 0o644)
		}
	}()
	missing := map[string]bool{}
	for i := range n {
		missing[fmt.Sprintf(".forgemind/decisions/DEC-%05d.json", i)] = true
	}
	for len(missing) > 0 {
		for _, name := range s.until(func(yield func(string) bool) {
			yield(fmt.Sprintf("%d names", len(missing)))
		}).Names {
			delete(missing, name)
		}
	}
}

// Limits of the system, in a namespace of users of its own where they can be
// set without harm to others.
func TestLimits(t *testing.T) {
	if os.Getenv("WATCH_LIMITED") != "" {
		s := stage(t, map[string]string{state: text}).watch(Options{PollEvery: 10 * time.Millisecond})
		s.mkdir(".forgemind/a/b/c/d/e/f/g/h")
		s.write(".forgemind/a/b/c/d/e/f/g/h/i.json", text)
		s.told(".forgemind/a/b/c/d/e/f/g/h/i.json")
		s.write(state, "changed")
		s.told(state)
		mode, reason := s.Mode()
		fmt.Printf("mode: %s (%s)\n", mode, reason)
		return
	}
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		t.Skip("no unshare here")
	}
	for _, c := range []struct{ file, value, want string }{
		{"max_inotify_watches", "4", "mode: polling (no watch is left"},
		{"max_inotify_instances", "0", "mode: polling (no watcher is left"},
	} {
		script := fmt.Sprintf("echo %s > /proc/sys/user/%s && exec %s -test.run='^TestLimits$'", c.value, c.file, os.Args[0])
		cmd := exec.Command(unshare, "-Ur", "sh", "-c", script)
		cmd.Env = append(os.Environ(), "WATCH_LIMITED=1")
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "FAIL") {
			t.Skipf("limits cannot be set here: %s", out)
		}
		if !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %s\n%s", c.file, err, out)
		}
	}
}
