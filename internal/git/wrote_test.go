package git

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWrote tests that files written by git are distinguished from edits, committed or
// not.
func TestWrote(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	ask := func(since time.Time) bool {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(dir, state))
		if err != nil {
			t.Fatal(err)
		}
		return WroteFile(t.Context(), dir, Written{Name: state, Content: content, Since: since})
	}
	expect := func(what string, want bool) {
		t.Helper()
		if got := ask(time.Time{}); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	later := time.Now().Add(time.Hour)

	git(t, dir, "branch", "side")
	write(t, dir, state, "edited")
	expect("an edit", false)
	git(t, dir, "add", state)
	expect("an edit in the index", false)
	git(t, dir, "commit", "--quiet", "--message=edited")
	expect("an edit that was committed", false)
	if !ask(later) {
		t.Error("an edit that was committed and read")
	}
	write(t, dir, "code.go", "package a")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message=code")
	expect("an edit that was committed, before another commit", false)

	git(t, dir, "stash", "--quiet", "--include-untracked")
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "--quiet", dir, clone)
	write(t, clone, state, "theirs")
	git(t, clone, "commit", "--quiet", "--all", "--message=theirs")
	write(t, dir, "more.go", "package a")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message=more")
	git(t, dir, "pull", "--quiet", "--rebase", clone, "main")
	expect("a pull", true)
	write(t, dir, "yet.go", "package a")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "--message=yet")
	expect("a pull before a commit", true)

	write(t, dir, state, "stashed")
	git(t, dir, "stash", "--quiet")
	expect("what a stash went back to", true)
	git(t, dir, "stash", "apply", "--quiet")
	expect("an edit that was stashed", false)
	git(t, dir, "checkout", "--quiet", "--force", "HEAD~3", "--", state)
	git(t, dir, "reset", "--quiet")
	if !ask(later) {
		t.Error("a file of a former commit")
	}
	git(t, dir, "checkout", "--quiet", "--force", "side")
	if !ask(later) {
		t.Error("a branch")
	}
	if WroteFile(t.Context(), t.TempDir(), Written{Name: state, Content: []byte("one")}) {
		t.Error("there is no repository")
	}
}

// TestNews tests that a commit that is new here is distinguished from one that was here
// before.
func TestNews(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "--quiet", dir, clone)
	for _, text := range []string{"two", "three"} {
		write(t, clone, state, text)
		git(t, clone, "commit", "--quiet", "--all", "--message="+text)
	}
	ask := func(content, known string) string {
		t.Helper()
		base, ok := BaseVersion(t.Context(), dir, Written{Name: state, Content: []byte(content)}, func(b []byte) bool { return string(b) == known })
		if !ok {
			return "no news"
		}
		return string(base)
	}
	expect := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	git(t, dir, "pull", "--quiet", clone, "main")
	expect(ask("three", "one"), "one")
	expect(ask("three", "two"), "two")
	expect(ask("three", "none"), "no news")
	expect(ask("edited", "one"), "no news")
	git(t, dir, "checkout", "--quiet", "HEAD~1")
	expect(ask("two", "one"), "no news")
	git(t, dir, "checkout", "--quiet", "main")
	expect(ask("three", "one"), "no news")
}
