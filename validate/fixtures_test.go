package validate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

const fixtures = "../testdata/fixtures"

// TestFixtures judges whole small trees. Beside each stands what must be found
// in it, as `forgemind validate` prints it there.
func TestFixtures(t *testing.T) {
	found := make(map[string]bool)
	for _, name := range fixtureNames(t) {
		t.Run(name, func(t *testing.T) {
			r := judged(t, name)
			for _, f := range r.Findings {
				found[f.Rule] = true
			}
			if r.Files == 0 && name != "foreign" {
				t.Error("nothing was judged")
			}
			var got bytes.Buffer
			if err := Write(&got, "text", r); err != nil {
				t.Fatal(err)
			}
			compareFindings(t, filepath.Join(fixtures, name+".findings"), got.String())
		})
	}

	elsewhere := map[string]bool{ // rules that no tree at rest can show
		"lost-decision": true, "changed-decision": true, // between two trees
		"changed-record": true, // likewise
		"too-large":      true, // 8 MiB of it
		"irregular-file": true, // git keeps no FIFO
		"displaced-save": true, // of what a race left in .local/
		"stale-view":     true, // of the rendering before an edit, which .local/ has
	}
	for _, rule := range Rules() {
		if !found[rule.Name] && !elsewhere[rule.Name] {
			t.Errorf("no fixture shows %s", rule.Name)
		}
	}
}

func fixtureNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(fixtures)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		t.Fatal("there are no fixtures")
	}
	return names
}

func judged(t *testing.T, name string) Report {
	t.Helper()
	tree, err := fs.Open(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	r, err := Tree(tree, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func compareFindings(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	for _, line := range difference(got, string(want)) {
		t.Errorf("found, but not wanted: %s", line)
	}
	for _, line := range difference(string(want), got) {
		t.Errorf("wanted, but not found: %s", line)
	}
	if !t.Failed() {
		t.Errorf("other order: got\n%s\nwant\n%s", got, want)
	}
}

// difference lists the lines of a that b does not have.
func difference(a, b string) []string {
	has := make(map[string]bool)
	for line := range strings.Lines(b) {
		has[line] = true
	}
	var out []string
	for line := range strings.Lines(a) {
		if !has[line] {
			out = append(out, strings.TrimSuffix(line, "\n"))
		}
	}
	return out
}
