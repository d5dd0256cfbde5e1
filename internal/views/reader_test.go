package views_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/views"
)

// A process that goes on for hours, such as mcp, keeps the records in memory. It sees a
// file that another program rewrites in place: the folder's own time does not change then.
func TestReadersSeeARecordThatIsRewrittenInPlace(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(fs.Config, `{"format": 2, "views": "local"}`)
	write(fs.ProjectFile, `{"name": "Gateway"}`)
	write(".forgemind/actions/ACT-1.json", `{"id": "ACT-1", "action": "Mow"}`)
	write(".forgemind/clarifications/other.json", `{}`)

	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) } // every stamp is settled
	views.Attach(tree)
	shows := func(want string) {
		t.Helper()
		if src, err := tree.Read(fs.State); err != nil || !strings.Contains(string(src), want) {
			t.Errorf("%v: the State does not show %s:\n%s", err, want, src)
		}
	}
	shows(`"Mow"`)
	shows(`"Mow"`)
	for _, c := range []struct{ name, text, want string }{ // of another size, so that no clock is needed
		{".forgemind/actions/ACT-1.json", `{"id": "ACT-1", "action": "Mow the lawn"}`, `"Mow the lawn"`},
		{fs.ProjectFile, `{"name": "Portal"}`, `"Portal"`},
	} {
		write(c.name, c.text)
		shows(c.want)
	}
}
