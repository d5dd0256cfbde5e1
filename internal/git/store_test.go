package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// exchange sends a file through a Store, and reads it in another one.
func exchange(t *testing.T, remote, root string) {
	t.Helper()
	store := func(name string) *Store {
		s, err := OpenStore(t.Context(), filepath.Join(t.TempDir(), name), root)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, two := store("one.git"), store("two.git")
	commit, err := one.Commit(t.Context(), NewCommit{Files: map[string][]byte{ledger: []byte("{}")}, Message: "m", At: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Push(t.Context(), remote, "b", Move{To: commit}); err != nil {
		t.Fatal(err)
	}
	tip, err := two.Fetch(t.Context(), remote, "b")
	if err != nil || tip != commit {
		t.Fatalf("fetched %q, %v, want %s", tip, err, commit)
	}
	revision, err := two.At(t.Context(), tip)
	if err != nil {
		t.Fatal(err)
	}
	defer revision.Close()
	if got := contentOf(t, revision, ledger); got != "{}" {
		t.Errorf("the file is %q", got)
	}
	if authors, err := two.Authors(t.Context(), tip); err != nil || len(authors) != 1 {
		t.Errorf("authors %v, %v", authors, err)
	}
}

// bareRemote creates a bare repository.
func bareRemote(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	git(t, "", "init", "--quiet", "--bare", dir)
	return dir
}

// TestStoreOfTheCareful has a user who forbids that git looks for bare repositories.
func TestStoreOfTheCareful(t *testing.T) {
	global := filepath.Join(t.TempDir(), "gitconfig")
	write(t, "", global, "[safe]\n\tbareRepository = explicit\n[user]\n\tname = A\n\temail = a@example.org\n")
	t.Setenv("GIT_CONFIG_GLOBAL", global)
	root, remote := repository(t, map[string]string{"a": "b"}), bareRemote(t)
	if _, err := gitAs(t, remote, "rev-parse", "--git-dir"); err == nil {
		t.Skip("this git does not know safe.bareRepository")
	}
	exchange(t, remote, root)
}

// TestStoreInAHook has the variables that git sets for its hooks.
func TestStoreInAHook(t *testing.T) {
	root, remote := repository(t, map[string]string{"a": "b"}), bareRemote(t)
	before := git(t, root, "for-each-ref") + git(t, root, "count-objects")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(root, ".git"), "GIT_WORK_TREE": root, "GIT_INDEX_FILE": filepath.Join(root, ".git", "index"),
		"GIT_OBJECT_DIRECTORY": filepath.Join(root, ".git", "objects"), "GIT_QUARANTINE_PATH": filepath.Join(root, ".git", "quarantine"),
		"GIT_PREFIX": "sub/", "GIT_NAMESPACE": "other", "GIT_COMMON_DIR": filepath.Join(root, ".git"),
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.email", "GIT_CONFIG_VALUE_0": "hook@example.org",
	} {
		t.Setenv(name, value)
	}
	git(t, root, "config", "user.name", "Ann")
	exchange(t, remote, root)
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH", "GIT_PREFIX", "GIT_NAMESPACE", "GIT_COMMON_DIR"} {
		os.Unsetenv(name)
	}
	if after := git(t, root, "for-each-ref") + git(t, root, "count-objects"); after != before {
		t.Errorf("the repository has %q, had %q", after, before)
	}
	if by := git(t, remote, "log", "-1", "--format=%an %ae", "b"); by != "Ann hook@example.org" {
		t.Errorf("the author is %q", by)
	}
}
