package views

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// What a State says of the project counts for readers, but not what no record can hold: of that they see what is recorded.
func TestReadersSeeTheProjectThatIsRecorded(t *testing.T) {
	const project = `{"name": "Wall", "current_layer": 0, "clarity": 0, "current_idea": "Dry stone"}`
	for said, want := range map[string]string{
		`{"name": "Wall", "current_layer": 0, "clarity": 0, "current_idea": "Lime"}`: `"current_idea":"Lime"`,
		`{"name": "Wall", "current_layer": 0, "clarity": 0}`:                         ``,
		`7`: `"current_idea":"Dry stone"`,
		`{"name": "Wall", "current_layer": 0, "clarity": 0, "current_idea": 7}`: `"current_idea":"Dry stone"`,
	} {
		root := t.TempDir()
		write := func(name, text string) {
			at := filepath.Join(root, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(fs.Config, `{"format": 2}`)
		write(fs.ProjectFile, project)
		write(fs.State, `{"project": `+said+`}`)
		rendering := `{"project": ` + project + `}`
		write(renderingName(fs.State), fmt.Sprintf("%s:%d\n%s", renderingSum([]byte(rendering)), len(rendering), rendering))
		tree, err := fs.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		Attach(tree)
		src, err := tree.Read(fs.State)
		text := strings.NewReplacer(" ", "", "\n", "").Replace(string(src))
		if err != nil || !strings.Contains(text, strings.ReplaceAll(want, " ", "")) || want == "" && strings.Contains(text, "current_idea") {
			t.Errorf("%s: %s, %v", said, src, err)
		}
	}
}
