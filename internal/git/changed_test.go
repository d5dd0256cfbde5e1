package git

import (
	"os"
	"path/filepath"
	"testing"
)

func TestChanged(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "/.forgemind/cache/\n*.tmp\n",
		state:        "one", ledger: "one", quaid: "q",
		".forgemind/same.json": "same", ".forgemind/staged.json": "one", ".forgemind/gone.json": "", ".quaid/removed.json": "",
	})
	before := contents(t, filepath.Join(dir, ".git"))
	same(t, "clean", changed(t, dir), nil)

	write(t, dir, state, "two")
	write(t, dir, ".forgemind/same.json", "same") // same content, new time
	write(t, dir, ".forgemind/untracked.json", "")
	write(t, dir, ".forgemind/cache/x.json", "ignored")
	write(t, dir, ".forgemind/x.tmp", "ignored")
	write(t, dir, ".forgemind/.local/lock", "never")
	write(t, dir, "main.go", "not ours")
	remove(t, dir, ".forgemind/gone.json")
	want := []string{state, ".forgemind/gone.json", ".forgemind/untracked.json"}
	same(t, "edited", changed(t, dir), want)
	untouched(t, filepath.Join(dir, ".git"), before)

	write(t, dir, ".forgemind/staged.json", "two")
	write(t, dir, ".forgemind/cache/tracked.json", "added in spite of .gitignore")
	git(t, dir, "add", "--force", ".forgemind/staged.json", ".forgemind/cache/tracked.json")
	git(t, dir, "rm", "--quiet", ".quaid/removed.json")
	want = []string{".forgemind/cache/tracked.json", state, ".forgemind/gone.json", ".forgemind/staged.json", ".forgemind/untracked.json", ".quaid/removed.json"}
	same(t, "staged", changed(t, dir), want)

	git(t, dir, "commit", "--quiet", "--message=ignored but tracked")
	same(t, "committed", changed(t, dir), []string{state, ".forgemind/gone.json", ".forgemind/untracked.json"})
	write(t, dir, ".forgemind/cache/tracked.json", "edited")
	same(t, "edited, though ignored", changed(t, dir), []string{".forgemind/cache/tracked.json", state, ".forgemind/gone.json", ".forgemind/untracked.json"})
}

func TestChangedBeforeTheFirstCommit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	same(t, "empty", changed(t, dir), nil)
	write(t, dir, state, "one")
	write(t, dir, quaid, "q")
	write(t, dir, ".gitignore", "*.tmp")
	write(t, dir, ".quaid/x.tmp", "ignored")
	git(t, dir, "add", quaid)
	same(t, "changed", changed(t, dir), []string{state, quaid})
}

func TestWhatCannotBeReadIsChanged(t *testing.T) {
	needsUnix(t)
	dir := repository(t, map[string]string{state: "one", quaid: "q"})
	remove(t, dir, state)
	if err := os.Symlink("elsewhere", filepath.Join(dir, filepath.FromSlash(state))); err != nil {
		t.Fatal(err)
	}
	same(t, "changed", changed(t, dir), []string{state})
}
