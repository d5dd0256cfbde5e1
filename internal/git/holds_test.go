package git

import (
	"testing"
)

func TestHolds(t *testing.T) {
	dir := repository(t, map[string]string{state: "one"})
	write(t, dir, state, "two")
	git(t, dir, "commit", "--quiet", "--all", "--message=two")
	write(t, dir, state, "three")
	git(t, dir, "add", state)
	write(t, dir, state, "four")
	for content, want := range map[string]bool{"one": true, "two": true, "three": true, "four": false, "": false} {
		if got := Stores(t.Context(), dir, []byte(content)); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
	if Stores(t.Context(), t.TempDir(), []byte("one")) {
		t.Error("no repository holds it")
	}
}
