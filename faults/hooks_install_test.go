//go:build linux

package faults_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// theirs are the settings that people have already: odd, but theirs.
var theirs = map[string]string{
	".claude/settings.json": "{ \"model\":\"opus\",\r\n\t\"hooks\" : {\"Stop\":[ {\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]} ] }}",
	".codex/hooks.json":     "{}",
	".cursor/hooks.json":    `{"version":1, "hooks": {}}` + "\n",
	".gemini/settings.json": "{\n  // mine\n  \"theme\": \"x\",\n  \"mcpServers\": {\"other\": {\"command\": \"other\"}},\n}\n",
	"CLAUDE.md":             "# Ours\r\n\r\nBe brief.",
	"AGENTS.md":             "\n",
}

// furnished is a project directory with a tree and settings, beside a home with
// settings.
func furnished(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	succeed(t, dir, "init")
	for name, text := range theirs {
		file(t, dir, name, text)
		if strings.HasPrefix(name, ".") {
			file(t, dir, "../home/"+name, text)
		}
	}
	file(t, dir, ".github/hooks/others.json", `{"version": 1, "hooks": {}}`)
	file(t, dir, "../home/.claude/CLAUDE.md", theirs["CLAUDE.md"])
	file(t, dir, "../home/.codex/config.toml", "model = 'x' # mine\n")
	file(t, dir, "../home/.copilot/mcp-config.json", `{"mcpServers":{}}`)
	for _, name := range []string{".claude/settings.json", "../home/.claude/settings.json", "../home/.codex/config.toml"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A moving is a command that puts something into settings, or takes it out.
type moving struct {
	before [][]string // commands that came before it
	args   []string
	back   []string // makes of what it did what it was before all of them
}

var movings = []moving{
	{nil, []string{"hook", "install", "--agent", "all", "--mcp"}, []string{"hook", "uninstall", "--agent", "all"}},
	{[][]string{{"hook", "install", "--agent", "all"}}, []string{"hook", "install", "--agent", "all", "--mcp"}, []string{"hook", "uninstall", "--agent", "all"}},
	{[][]string{{"hook", "install", "--agent", "all", "--mcp"}}, []string{"hook", "uninstall", "--agent", "all"}, nil},
	{nil, []string{"hook", "install", "--agent", "all", "--user", "--mcp"}, []string{"hook", "uninstall", "--agent", "all", "--user"}},
	{[][]string{{"hook", "install", "--agent", "all", "--user", "--mcp"}}, []string{"hook", "uninstall", "--agent", "all", "--user"}, nil},
}

// Belongings are what stands in a project directory and the home beside it, by
// name: folders with their modes, files with mode and text. What the tree keeps,
// and where receipts are kept, is left out.
type belongings map[string]string

func belongingsOf(t *testing.T, dir string) belongings {
	t.Helper()
	all := belongings{}
	house := filepath.Dir(dir)
	err := filepath.WalkDir(house, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(house, path)
		if name == "tree/.forgemind" || name == "home/.local" || name == "log" {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if all[name] = info.Mode().String(); !entry.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[name] += "\n" + string(text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	delete(all, "home") // which stands there once something was kept in it
	return all
}

// unlike lists the names at which b is not as one of others.
func (b belongings) unlike(others ...belongings) (names []string) {
	all := maps.Clone(b)
	for _, o := range others {
		maps.Copy(all, o)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.ContainsFunc(others, func(o belongings) bool { return o[name] == b[name] }) {
			names = append(names, fmt.Sprintf("%s is %.160q", name, b[name]))
		}
	}
	if len(names) > 8 {
		names = append(names[:8], fmt.Sprintf("and %d more", len(names)-8))
	}
	return names
}

// scratch is a file that is being written beside the one that it is to replace.
var scratch = regexp.MustCompile(`/\.forgemind-[^/]*~$`)

// receiptsIn are the receipts of a house, without what is different in each house,
// and the hash of what each file is to hold.
func receiptsIn(t *testing.T, dir string) (text string, after map[string]string) {
	t.Helper()
	after = map[string]string{}
	found, _ := filepath.Glob(filepath.Join(dir, "../home/.local/state/forgemind/installed/*.json"))
	for _, name := range found {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		var kept struct {
			Files []struct{ File, After string }
		}
		if err := json.Unmarshal(src, &kept); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, f := range kept.Files {
			after[f.File] = f.After
		}
		text += strings.ReplaceAll(string(src), filepath.Dir(dir), "HOUSE")
	}
	return text, after
}

// A removal is a moving that was rehearsed.
type removal struct {
	moving
	base     string // before the commands that come before it
	first    belongings
	old      belongings // before it
	done     belongings // after it
	receipts string     // after it
	times    map[string]int
}

// movable is the place in which a removal is done: a copy, in which came what comes
// before it.
func (r *removal) movable(t *testing.T) string {
	t.Helper()
	dir := copyHouse(t, r.base)
	for _, args := range r.before {
		if got := execute(t, inHouse(dir, args...), hang); got.code != 0 {
			t.Errorf("%v", got)
		}
	}
	return dir
}

// moved rehearses the movings.
func moved(t *testing.T, errnos map[string][]string) (all []*removal) {
	t.Helper()
	base := furnished(t)
	for _, m := range movings {
		r := &removal{moving: m, base: base, first: belongingsOf(t, base)}
		dir := r.movable(t)
		r.old = belongingsOf(t, dir)
		log := filepath.Join(filepath.Dir(dir), "log")
		calls := slices.Collect(maps.Keys(errnos))
		if got := execute(t, underStrace(inHouse(dir, m.args...), log, strings.Join(calls, ","), ""), 2*hang); got.code != 0 {
			t.Fatalf("%v", got)
		}
		r.times, r.done = tally(t, log, calls), belongingsOf(t, dir)
		r.receipts, _ = receiptsIn(t, dir)
		if len(r.done.unlike(r.old)) < 3 || m.back == nil && len(r.done.unlike(r.first)) > 0 {
			t.Fatalf("%q changes %d files; it leaves %q", m.args, len(r.done.unlike(r.old)), r.done.unlike(r.first))
		}
		all = append(all, r)
	}
	return all
}

// check looks at what a disturbed command left, and at what the same command, or
// the one that takes it back, then makes of it.
func (r *removal) check(t *testing.T, dir, how string, again bool) (done bool) {
	t.Helper()
	now := belongingsOf(t, dir)
	maps.DeleteFunc(now, func(name, _ string) bool { return scratch.MatchString(name) })
	if bad := now.unlike(r.old, r.done); len(bad) > 0 {
		t.Errorf("%s: neither as before nor as after: %q", how, bad)
	}
	done = len(now.unlike(r.done)) == 0
	next, want := r.args, r.done
	if !again && r.back != nil {
		next, want = r.back, r.first
	}
	if got := execute(t, inHouse(dir, next...), hang); got.code != 0 {
		t.Errorf("%s: the next command: %v", how, got)
	}
	if bad := belongingsOf(t, dir).unlike(want); len(bad) > 0 {
		t.Errorf("%s: after %q: %q", how, next, bad)
	}
	receipts, after := receiptsIn(t, dir)
	if again && receipts != r.receipts {
		t.Errorf("%s: the receipts after %q are other ones:\n%s", how, next, cut(receipts))
	}
	var untrue []string
	for name, sum := range after {
		text, err := os.ReadFile(name)
		if hash := sha256.Sum256(text); err != nil || hex.EncodeToString(hash[:]) != sum {
			untrue = append(untrue, fmt.Sprintf("%s (%v)", filepath.Base(name), err))
		}
	}
	if len(untrue) > 0 {
		t.Errorf("%s: after %q, %d receipts of %d say what is not so: %.200q", how, next, len(untrue), len(after), untrue)
	}
	if again && r.back != nil {
		if got := execute(t, inHouse(dir, r.back...), hang); got.code != 0 {
			t.Errorf("%s: and back: %v", how, got)
		}
		if bad := belongingsOf(t, dir).unlike(r.first); len(bad) > 0 {
			t.Errorf("%s: after %q and %q: %q", how, next, r.back, bad)
		}
	}
	return done
}

// disturb disturbs each of the movings at spots, and says what came of it.
func disturb(t *testing.T, errnos map[string][]string, most int, look func(r *removal, how string, got run, hits []string, dir string)) {
	t.Helper()
	type point struct {
		*removal
		spot
		again bool
	}
	var points []point
	for _, r := range moved(t, errnos) {
		for i, s := range spots(r.times, errnos, most) {
			points = append(points, point{r, s, i%2 == 0})
		}
	}
	var mu sync.Mutex
	hit, finished := 0, 0
	inTwo(points, func(p point) {
		dir := p.movable(t)
		defer os.RemoveAll(filepath.Dir(dir))
		got, hits, ok := injured(t, inHouse(dir, p.args...), p.spot)
		if !ok {
			return
		}
		how := fmt.Sprintf("%q after %q at %s %d %s\n  %s\n  exit %d: %s", p.args, p.before, p.call, p.k, p.errno, strings.Join(hits, "\n  "), got.code, strings.TrimSpace(got.err))
		if look != nil {
			look(p.removal, how, got, hits, dir)
		}
		done := p.check(t, dir, how, p.again)
		mu.Lock()
		defer mu.Unlock()
		if got.code != 0 {
			hit++
		}
		if done {
			finished++
		}
	})
	t.Logf("%d points, %d of them ended it; %d were done all the same, %d not", len(points), hit, finished, len(points)-finished)
	if hit < len(points)/3 {
		t.Errorf("only %d of %d points were reached", hit, len(points))
	}
}

// Killed at any of its system calls, what installs hooks or takes them out leaves
// each file of the user as before or as after, and the next one finishes it, or
// takes it back: byte for byte.
func TestInstallKilledAtSystemCalls(t *testing.T) {
	needs(t, "strace")
	kill := []string{""}
	disturb(t, map[string][]string{
		"openat": kill, "write": kill, "fsync": kill, "renameat": kill, "linkat": kill, "unlinkat": kill, "mkdirat": kill, "fchmod": kill,
	}, 3, nil)
}

// Whatever system call fails: what it says that it did it did, and what it did not
// do it says.
func TestInstallErrorsFromSystemCalls(t *testing.T) {
	needs(t, "strace")
	disturb(t, map[string][]string{
		"openat": {"EACCES", "EIO", "ENOSPC", "EMFILE"}, "write": {"ENOSPC", "EIO"}, "fsync": {"EIO", "ENOSPC"}, "renameat": {"EACCES", "EIO"},
		"linkat": {"EACCES", "ENOSPC"}, "unlinkat": {"EACCES", "EIO"}, "mkdirat": {"ENOSPC", "EACCES"}, "fchmod": {"EIO"},
	}, 3, func(r *removal, how string, got run, hits []string, dir string) {
		now := belongingsOf(t, dir)
		for line := range strings.Lines(got.out) {
			what, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			path := filepath.Join("tree", name)
			if rest, ok := strings.CutPrefix(name, "~"); ok {
				path = "home" + rest
			} else if filepath.IsAbs(name) {
				path, _ = filepath.Rel(filepath.Dir(dir), name)
			}
			if slices.Contains([]string{"made", "edited", "removed"}, what) && now[path] != r.done[path] {
				t.Errorf("%s: %q, which is not so: %.200q", how, strings.TrimSpace(line), now[path])
			}
		}
		bad := now.unlike(r.done)
		if got.code == 0 && len(bad) > 0 {
			t.Errorf("%s: it says that all is well, and not done is %q", how, bad)
		}
		if got.code != 0 && (got.code != 3 && got.code != 1 || !strings.Contains(got.err, "forgemind:")) {
			t.Errorf("%s: no word of what went wrong", how)
		}
		for name := range now {
			if scratch.MatchString(name) && !strings.Contains(how, "unlinkat") {
				t.Errorf("%s: %s was left behind", how, name)
			}
		}
	})
}
