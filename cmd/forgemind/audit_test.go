package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// What README's tour leaves behind is not stale.
func TestAuditOfTheTourFindsNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the tour takes seconds")
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var tour strings.Builder
	for _, line := range shellLines(string(text)) {
		if !strings.HasPrefix(line, "go ") {
			tour.WriteString(line + "\n")
		}
	}
	dir := t.TempDir()
	script := "exec bash -eux tour.sh\ncd shop\nexec forgemind audit --repo --fail-at 1\n! stdout .\nstderr '0 things stale'\n-- tour.sh --\n" + tour.String()
	if err := os.WriteFile(filepath.Join(dir, "audited.txtar"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, scripts(dir))
}
