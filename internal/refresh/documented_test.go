package refresh

import (
	"os"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/triggers"
)

// The document of the actions tells of each what it reads and changes, and of
// those that are not built that they are not.
func TestActionsAreDocumented(t *testing.T) {
	src, err := os.ReadFile("../../docs/actions.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(src)
	for _, action := range triggers.Actions() {
		row := strings.Contains(text, "\n| `"+action+"` | ")
		if !strings.Contains(text, "`"+action+"`") {
			t.Errorf("%s is not told of", action)
		}
		if row != Built(action) {
			t.Errorf("%s: in the table %v, built %v", action, row, Built(action))
		}
	}
}
