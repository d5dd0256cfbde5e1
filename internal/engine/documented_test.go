package engine

import (
	"os"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/triggers"
)

// Each action has its effect, and docs/actions.md lists what it reads and changes.
func TestActionsAreDocumented(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../docs/actions.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	for _, action := range triggers.Actions() {
		if !Built(action) {
			t.Errorf("%s has no effect", action)
		}
		if !strings.Contains(text, "\n| `"+action+"` | ") {
			t.Errorf("%s is not told of", action)
		}
	}
}
