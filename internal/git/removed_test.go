package git

import "testing"

func TestLineRemoved(t *testing.T) {
	needsUnix(t)
	const path = "notes/*.md" // a name, not a pattern
	dir := repository(t, map[string]string{path: "- one\n- two\n- --three\n"})
	commit := func(text string) {
		write(t, dir, path, text)
		git(t, dir, "add", "--all")
		git(t, dir, "commit", "--quiet", "--message=Next")
	}
	removed := func(text string) bool { return LineRemoved(t.Context(), dir, path, text) }
	if removed("one") || removed("two") {
		t.Error("nothing was removed yet")
	}
	commit("- one\n")
	if removed("one") || !removed("two") || !removed("--three") || removed("") || removed("notes/") {
		t.Error("two and --three were removed, and nothing else")
	}
	// A merge that takes one side removes no line.
	git(t, dir, "checkout", "--quiet", "-b", "other", "HEAD~1")
	commit("- one\n- two\n- --three\n- four\n")
	git(t, dir, "checkout", "--quiet", "-")
	git(t, dir, "merge", "--quiet", "--strategy=ours", "--message=Merge", "other")
	if removed("four") {
		t.Error("a merge counts as an edit")
	}
	if LineRemoved(t.Context(), t.TempDir(), path, "two") {
		t.Error("there is no repository")
	}
}
