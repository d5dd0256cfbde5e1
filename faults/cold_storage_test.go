//go:build linux

package faults_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// Everything that left can be listed, shown, and had again by its id; a message
// that left in parts as well.
func TestWhatLeftIsThere(t *testing.T) {
	dir := compacted(t)
	var list struct {
		Chunks []struct {
			ID          string
			Content     string
			Part, Parts int
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, dir, "cold-storage", "list", "--format", "json").out), &list); err != nil {
		t.Fatal(err)
	}
	parts := 0
	for _, c := range list.Chunks {
		parts += min(1, c.Part)
		for _, args := range [][]string{{"cold-storage", "show", c.ID, "--format", "json"}, {"recover", "--chunk-id", c.ID, "--format", "json"}} {
			var quoted strings.Builder
			json.NewEncoder(&quoted).Encode(c.Content)
			if r := succeed(t, dir, args...); !strings.Contains(r.out, strings.TrimSpace(quoted.String())) {
				t.Errorf("%v\nhas not %s", r, cut(c.Content))
			}
		}
	}
	t.Logf("%d chunks, %d of them parts of a message", len(list.Chunks), parts)
	if len(list.Chunks) < 10 || parts < 4 {
		t.Errorf("%d chunks, %d of them parts", len(list.Chunks), parts)
	}
}
