package git

import (
	"errors"
	iofs "io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func index(t *testing.T, root, file string) *Staged {
	t.Helper()
	s, err := Index(t.Context(), root, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// listed returns what a method of a Staged gave.
func listed(t *testing.T) func(names []string, err error) []string {
	return func(names []string, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
}

func TestIndex(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "*.tmp\n", state: "one", ledger: "one", ".forgemind/same.json": "same", ".forgemind/gone.json": "", "docs/idea.md": "idea",
	})
	before := contents(t, filepath.Join(dir, ".git"))
	s := index(t, dir, "")
	same(t, "clean", namesOf(t, s, "."), []string{state, ledger, ".forgemind/gone.json", ".forgemind/same.json"})
	untouched(t, filepath.Join(dir, ".git"), before)

	write(t, dir, state, "two")
	write(t, dir, ledger, "")
	write(t, dir, ".forgemind/intended.json", "later")
	write(t, dir, "docs/new.md", "new")
	git(t, dir, "add", state, ledger, "docs/new.md")
	git(t, dir, "add", "--intent-to-add", ".forgemind/intended.json")
	git(t, dir, "rm", "--quiet", "--cached", ".forgemind/gone.json")
	write(t, dir, state, "three")
	write(t, dir, ".forgemind/same.json", "edited, not staged")
	s = index(t, dir, "")
	same(t, "staged", namesOf(t, s, "."), []string{state, ledger, ".forgemind/same.json"})
	for name, want := range map[string]string{state: "two", ledger: "", ".forgemind/same.json": "same", "docs/idea.md": "idea", "docs/new.md": "new"} {
		if got, err := s.Read(name); string(got) != want || err != nil {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
	for _, name := range []string{".forgemind/gone.json", ".forgemind/intended.json", "docs/none.md", "../repo/docs/idea.md"} {
		if got, err := s.Read(name); !errors.Is(err, iofs.ErrNotExist) {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
	}
	if _, err := s.Read("docs"); err == nil || errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("a folder: %v", err)
	}
	same(t, "changed", listed(t)(s.Changed("")), []string{state, ledger, ".forgemind/gone.json"})
	same(t, "hidden", listed(t)(s.Hidden(disk(dir))), []string{state, ".forgemind/gone.json"})
	git(t, dir, "commit", "--quiet", "--message=step")
	same(t, "since the commit before", listed(t)(index(t, dir, "").Changed("HEAD~1")), []string{state, ledger, ".forgemind/gone.json"})
	if _, err := s.Changed("no-such"); !errors.Is(err, ErrUnknown) {
		t.Errorf("since an unknown revision: %v", err)
	}
}

// A hook of git is told which index the commit records; what another repository's hook
// left in the environment says nothing here.
func TestIndexOfACommit(t *testing.T) {
	dir, other := repository(t, map[string]string{state: "one"}), repository(t, map[string]string{quaid: "other"})
	write(t, dir, state, "two")
	for _, at := range []string{filepath.Join(dir, ".git", "next-index-1.lock"), filepath.Join(t.TempDir(), "index")} {
		add := exec.Command("git", "add", state)
		add.Dir, add.Env = dir, append(os.Environ(), "GIT_INDEX_FILE="+at)
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if got, err := index(t, dir, at).Read(state); string(got) != "two" || err != nil {
			t.Errorf("%s holds %q, %v", at, got, err)
		}
	}
	for at, want := range map[string]string{".git/next-index-1.lock": "two", "none": "one"} { // seen from the top
		if got, err := index(t, filepath.Join(dir, ".forgemind"), at).Read("context/current-context.json"); string(got) != want || err != nil {
			t.Errorf("%s holds %q, %v; want %q", at, got, err, want)
		}
	}
	if got, err := index(t, dir, filepath.Join(other, ".git", "index")).Read(state); string(got) != "one" || err != nil {
		t.Errorf("with another's index it holds %q, %v", got, err)
	}
	if _, err := Index(t.Context(), t.TempDir(), ""); !errors.Is(err, ErrNoRepository) {
		t.Errorf("without a repository: %v", err)
	}
}

func TestIndexInAMerge(t *testing.T) {
	dir := repository(t, map[string]string{state: "one", ledger: "one"})
	git(t, dir, "checkout", "--quiet", "-b", "other")
	commit(t, dir, map[string]string{state: "theirs"})
	git(t, dir, "checkout", "--quiet", "main")
	commit(t, dir, map[string]string{state: "ours"})
	if out, err := gitAs(t, dir, "merge", "--quiet", "other"); err == nil {
		t.Fatal("merged: ", out)
	}
	s := index(t, dir, "")
	same(t, "unmerged", s.Unmerged, []string{state})
	same(t, "merged", namesOf(t, s, "."), []string{ledger})
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(state)), []byte("both"), 0o666); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", state)
	if s := index(t, dir, ""); len(s.Unmerged) > 0 {
		t.Errorf("resolved, and unmerged: %q", s.Unmerged)
	}
}
