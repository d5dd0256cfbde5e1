package forgemind_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// commentRules are the patterns that a comment must not match, with the words to use
// instead. A comment is matched as one line.
var commentRules = []struct {
	pattern *regexp.Regexp
	hint    string
}{
	{
		regexp.MustCompile(`^(?:An? |The )?[\pL\pN_.]+ (?:is|are) (?:what|who|whom|whose|how|whether|where|when|why)\b`),
		`write "X returns …", "X reports whether …" or "X is a …"`,
	},
	{
		regexp.MustCompile(`\bsays (?:whether|what|who|how)\b`),
		`write "reports whether", "returns" or "describes"`,
	},
}

// TestComments checks that comments of Go files, tests included, are in the language
// of CONTRIBUTING.md as far as patterns can tell.
func TestComments(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(name, ".") && name != "."):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		checked++
		return checkComments(t, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 10 {
		t.Fatalf("only %d Go files checked; run the test in the module's root", checked)
	}
}

// checkComments reports the comments of the Go file name that match a rule.
func checkComments(t *testing.T, name string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, group := range file.Comments {
		text := strings.Join(strings.Fields(group.Text()), " ")
		for _, rule := range commentRules {
			if found := rule.pattern.FindString(text); found != "" {
				t.Errorf("%s: comment with %q; %s", files.Position(group.Pos()), found, rule.hint)
			}
		}
	}
	return nil
}
