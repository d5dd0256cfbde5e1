package git

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestKept(t *testing.T) {
	const other = ".forgemind/decisions/two.json"
	dir := repository(t, map[string]string{state: "one", ledger: "first"})
	commit(t, dir, map[string]string{ledger: "second"})
	git(t, dir, "checkout", "--quiet", "-b", "side")
	commit(t, dir, map[string]string{other: "of a side"})
	git(t, dir, "checkout", "--quiet", "main")
	commit(t, dir, map[string]string{"README.md": "main goes on"})
	git(t, dir, "merge", "--quiet", "--no-ff", "--no-commit", "side")
	git(t, dir, "rm", "--quiet", "-f", other)
	git(t, dir, "commit", "--quiet", "--message=the merge drops it")
	git(t, dir, "rm", "--quiet", ledger)
	git(t, dir, "commit", "--quiet", "--message=removed")
	write(t, dir, quaid, "staged")
	git(t, dir, "add", quaid)
	remove(t, dir, quaid)

	check := func(root string, want map[string]string) {
		t.Helper()
		names := []string{"none.json"}
		for name := range want {
			names = append(names, name)
		}
		kept, err := Kept(t.Context(), root, names)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) != len(want) {
			t.Errorf("got %d versions: %v", len(kept), kept)
		}
		for name, content := range want {
			v := kept[name]
			if string(v.Content) != content {
				t.Errorf("%s: got %q at %q", name, v.Content, v.Rev)
			}
			if got := git(t, root, "show", v.Rev+":./"+name); got != content {
				t.Errorf("%s: git shows %q at %q", name, got, v.Rev)
			}
		}
	}
	check(dir, map[string]string{state: "one", ledger: "second", other: "of a side", quaid: "staged"})
	check(filepath.Join(dir, ".forgemind"), map[string]string{"decisions/one.json": "second"})
}

func TestKeptWithoutCommitsAndWithoutARepository(t *testing.T) {
	dir := t.TempDir()
	if _, err := Kept(t.Context(), dir, []string{state}); !errors.Is(err, ErrNoRepository) {
		t.Errorf("%v", err)
	}
	git(t, dir, "init", "--quiet")
	if kept, err := Kept(t.Context(), dir, []string{state}); err != nil || len(kept) > 0 {
		t.Errorf("%v, %v", kept, err)
	}
}
