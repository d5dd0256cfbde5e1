package ledger_test

import (
	"testing"

	"github.com/forgemind/forgemind/internal/ledger"
	"github.com/forgemind/forgemind/schema"
)

func TestAbout(t *testing.T) {
	for _, c := range []struct {
		decision schema.Decision
		at       string
		want     bool
	}{
		{schema.Decision{Files: []string{"src/a.go"}}, "src/a.go", true},
		{schema.Decision{Files: []string{"./src//b/../a.go "}}, "src/a.go", true},
		{schema.Decision{Files: []string{`src\a.go`}}, "src/a.go", true},
		{schema.Decision{Files: []string{"src/a.go"}}, "src", true},
		{schema.Decision{Files: []string{"src/"}}, "src/a.go", true},
		{schema.Decision{Files: []string{"src/**"}}, "src/b/a.go", true},
		{schema.Decision{Files: []string{"src/*.go"}}, "src/a.go", true},
		{schema.Decision{Files: []string{"src/a.go"}}, ".", true},
		{schema.Decision{Files: []string{"."}}, "src/a.go", true},
		{schema.Decision{Files: []string{"../x", "/x"}}, ".", false},
		{schema.Decision{Files: []string{"src/*.go"}}, "src/a.md", false},
		{schema.Decision{Files: []string{"src/a.go"}}, "src/a", false},
		{schema.Decision{Files: []string{"src2/a.go"}}, "src", false},
		{schema.Decision{Files: []string{"[", ""}}, "src", false},
		{schema.Decision{Decision: "Keep `src/a.go`."}, "src/a.go", true},
		{schema.Decision{Decision: "Keep ./src/a.go: it works"}, "src/a.go", true},
		{schema.Decision{Rationale: "see src/a.go"}, "src", true},
		{schema.Decision{Impact: []string{"x", "src/a.go changes"}}, "src/a.go", true},
		{schema.Decision{Decision: "src/a.gob and xsrc/a.go, src/a.go2, src/a.go"}, "src/a.go", true},
		{schema.Decision{Decision: "src/a.gob and xsrc/a.go, lib/src/a.go, src/a.go.bak, src/a.go-old"}, "src/a.go", false},
		{schema.Decision{Decision: "änsrc"}, "src", false},
		{schema.Decision{Decision: "Use pears."}, ".", false},
	} {
		if got := ledger.About(&c.decision, c.at); got != c.want {
			t.Errorf("%+v is about %s: %v", c.decision, c.at, got)
		}
	}
}
