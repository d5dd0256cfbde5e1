package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBusy(t *testing.T) {
	dir := repository(t, map[string]string{state: "one\n"})
	git(t, dir, "branch", "side")
	commit(t, dir, map[string]string{state: "two\n"})
	other := filepath.Join(t.TempDir(), "other")
	git(t, dir, "worktree", "add", "--quiet", other, "side")
	commit(t, other, map[string]string{state: "three\n"})

	for _, tree := range []struct{ what, dir, conflict string }{{"repository", dir, "side"}, {"worktree", other, "main"}} {
		below := filepath.Join(tree.dir, ".forgemind", "context")
		repo := Find(below)
		if repo == (Repo{}) || repo != Find(tree.dir) {
			t.Fatalf("%s: found %v from below, %v from its root", tree.what, repo, Find(tree.dir))
		}
		is := func(when, want string) {
			t.Helper()
			if got := repo.Busy(); want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s, %s: busy with %q, want %q", tree.what, when, got, want)
			}
		}
		is("at rest", "")
		for _, c := range []struct{ command, option, marker string }{
			{"merge", "", "MERGE_HEAD"}, {"cherry-pick", "", "CHERRY_PICK_HEAD"},
			{"rebase", "--merge", "rebase-merge"}, {"rebase", "--apply", "rebase-apply"},
		} {
			args := strings.Fields(c.command + " " + c.option + " " + tree.conflict)
			if out, err := gitAs(t, tree.dir, args...); err == nil {
				t.Fatalf("%s: %s made no conflict: %s", tree.what, args, out)
			}
			is(c.command, c.marker)
			git(t, tree.dir, c.command, "--abort")
			is("after "+c.command, "")
		}
		commit(t, tree.dir, map[string]string{state: "four\n"})
		if _, err := gitAs(t, tree.dir, "revert", "HEAD~1"); err == nil {
			t.Fatal("revert made no conflict")
		}
		is("revert", "REVERT_HEAD")
		git(t, tree.dir, "revert", "--abort")
		lock := git(t, tree.dir, "rev-parse", "--path-format=absolute", "--git-path", "index.lock")
		write(t, filepath.Dir(lock), "index.lock", "")
		is("locked", "index.lock")
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
		is("unlocked", "")
	}
}

func TestNoRepositoryIsNeverBusy(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	write(t, dir, ".git/MERGE_HEAD", "no repository: it has no objects")
	write(t, dir, "broken/.git", "gitdir: nowhere\n")
	for _, root := range []string{dir, filepath.Join(dir, "broken"), filepath.Join(dir, "missing")} {
		if repo := Find(root); repo != (Repo{}) || repo.Busy() != "" {
			t.Errorf("%s: found %v", root, repo)
		}
	}
}
