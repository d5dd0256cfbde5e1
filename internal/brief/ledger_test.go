package brief_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/brief"
)

// Records are read again with what was added to the Ledger or removed from it meanwhile, in either home; where
// nothing was, the Ledger is not read. Where it changed a moment ago, as its folder says, it is.
func TestRecordsAgain(t *testing.T) {
	t.Parallel()
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		root := t.TempDir()
		folder := filepath.Join(root, home, fs.DecisionsDir)
		put := func(id, decision string) {
			t.Helper()
			text := `{"id": "` + id + `", "timestamp": "2026-03-01T08:00:00Z", "decision": "` + decision + `"}`
			if err := os.WriteFile(filepath.Join(folder, id+".json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		wasChanged := func(ago time.Duration) {
			t.Helper()
			if err := os.Chtimes(folder, time.Time{}, time.Now().Add(-ago)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		put("DEC-1", "Plant plums")
		wasChanged(time.Hour)
		tree, err := fs.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		expect := func(records brief.Records, want ...string) {
			t.Helper()
			var got []string
			for _, d := range records.Decisions {
				got = append(got, d.Decision)
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %q, not %q", home, got, want)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Errorf("%s: %q, not %q", home, got, want)
				}
			}
		}
		records := brief.Read(tree)
		expect(records, "Plant plums")
		put("DEC-1", "Plant pears") // in place, which no command does
		expect(records.Again(tree), "Plant plums")
		put("DEC-2", "Lime mortar")
		records = records.Again(tree)
		expect(records, "Plant pears", "Lime mortar")
		if err := os.Remove(filepath.Join(folder, "DEC-2.json")); err != nil {
			t.Fatal(err)
		}
		records = records.Again(tree)
		expect(records, "Plant pears")
		wasChanged(-time.Hour) // the clock was set back
		records = records.Again(tree)
		put("DEC-1", "Plant figs")
		expect(records.Again(tree), "Plant figs")
	}
}
