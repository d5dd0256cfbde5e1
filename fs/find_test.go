package fs

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFindWalksUp(t *testing.T) {
	tree := newTree(t)
	deep := filepath.Join(tree.Root(), "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, err := Find(deep); err != nil || got != tree.Root() {
		t.Errorf("Find = %q, %v; want %q", got, err, tree.Root())
	}
	if _, err := Find(t.TempDir()); !errors.Is(err, ErrNoTree) {
		t.Errorf("outside a tree: %v", err)
	}
}

// A repository that does not hold the tree ends the search; a worktree and a submodule of
// the one that holds it do not.
func TestFindStopsAtForeignRepositories(t *testing.T) {
	top := t.TempDir()
	layout := map[string]string{ // files and what is in them
		"home/.forgemind/config.json": "{}",
		"home/own/.git/HEAD":          "ref: refs/heads/main\n",
		"home/own/.hg":                "", // a file is no repository
		"repo/.quaid/config.json":     "{}",
		"repo/.gitmodules":            "[submodule \"a\"]\n\tPath = \"old\"\n\turl = ../a\n",
		"repo/empty/.git/description": "no HEAD",
		"repo/broken/.git":            "nonsense",
		"repo/linked/.git":            "gitdir: ../.git/worktrees/linked\n",
		"repo/linked/sub/.git":        "gitdir: ../../.git/worktrees/linked/modules/sub\n",
		"repo/sub/.git":               "gitdir: ../.git/modules/sub\n",
		"repo/sub/sub/.git":           "gitdir: ../../.git/modules/sub/modules/sub\n",
		"repo/elsewhere/.git":         "gitdir: ../../home/own/.git/worktrees/elsewhere\n",
		"repo/jj/.jj/repo":            "",
		"repo/bare.git/HEAD":          "",
		"beside/.git":                 "gitdir: ../repo/.git/worktrees/beside\n",
		"beside/tree/.forgemind/a":    "",
		"beside/main/.git":            "gitdir: ../../repo/.git/modules/main\n",
		"beside/tree/main/.git":       "gitdir: ../../../repo/.git/modules/main\n",
	}
	for _, git := range []string{"home/own/.git", "repo/.git", "repo/new/.git", "repo/linked/nested/.git", "repo/old/.git", "repo/bare.git", "repo/.git/worktrees/linked"} {
		layout[git+"/HEAD"], layout[git+"/objects/x"], layout[git+"/refs/x"] = "ref: refs/heads/main\n", "", ""
	}
	layout["repo/.git/worktrees/linked/commondir"], layout["repo/.git/worktrees/beside/commondir"] = "../..\n", "../..\n"
	layout["repo/.git/modules/main/HEAD"], layout["repo/.git/modules/sub/modules/sub/HEAD"] = "", ""
	for name, text := range layout {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ dir, root, nested string }{
		{"home", "home", ""},
		{"home/own", "", ""}, // the tree stands in no repository
		{"repo/.git", "repo", "repo/.git"},
		{"repo/.git/refs", "repo", "repo/.git"},
		{"repo/empty", "repo", ""},
		{"repo/broken", "", ""},
		{"repo/new", "", ""},
		{"repo/new/a/b", "", ""},
		{"repo/linked", "repo", "repo/linked"},
		{"repo/linked/a", "repo", "repo/linked"},
		{"repo/linked/sub", "repo", "repo/linked/sub"},
		{"repo/linked/nested", "", ""},
		{"repo/sub", "repo", "repo/sub"},
		{"repo/sub/sub/a", "repo", "repo/sub/sub"},
		{"repo/old", "repo", "repo/old"},
		{"repo/elsewhere", "", ""},
		{"repo/jj", "", ""},
		{"repo/bare.git/refs", "", ""},
		{"beside/tree/main", "beside/tree", "beside/tree/main"}, // the worktree's repository is the submodule's
		{"beside/main", "", ""},
	} {
		dir := filepath.Join(top, filepath.FromSlash(test.dir))
		want := ""
		if test.root != "" {
			want = filepath.Join(top, filepath.FromSlash(test.root))
		}
		got, err := Find(dir)
		if got != want || (err != nil) != (want == "") || err != nil && !errors.Is(err, ErrNoTree) {
			t.Errorf("Find(%s) = %q, %v; want %q", test.dir, got, err, want)
		}
		if test.nested != "" {
			test.nested = filepath.Join(top, filepath.FromSlash(test.nested))
		}
		if got := Nested(dir); got != test.nested {
			t.Errorf("Nested(%s) = %q, want %q", test.dir, got, test.nested)
		}
	}
	var foreign *Foreign
	if _, err := Find(filepath.Join(top, "repo", "new", "a")); !errors.As(err, &foreign) ||
		foreign.Repository != filepath.Join(top, "repo", "new") || foreign.Tree != filepath.Join(top, "repo") {
		t.Errorf("below a repository of its own: %v", err)
	}
}
