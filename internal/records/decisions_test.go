package records_test

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

func TestRecordWritesOnceAndForGood(t *testing.T) {
	tree := open(t, nil)
	pears := schema.Decision{ID: "DEC-1", Decision: "Use pears", Timestamp: "2026-03-02T09:00:00Z"}
	if err := record(tree, fs.Forgemind, pears); err != nil {
		t.Fatal(err)
	}
	before := read(t, tree, ".forgemind/decisions/DEC-1.json")
	plums := pears
	plums.Decision = "Use plums"
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		if err := record(tree, home, plums); err == nil || !strings.Contains(err.Error(), "the id is taken by .forgemind/decisions/DEC-1.json") {
			t.Errorf("%s: %v", home, err)
		}
	}
	if after := read(t, tree, ".forgemind/decisions/DEC-1.json"); after != before || !strings.Contains(after, `"decision": "Use pears"`) {
		t.Errorf("the Ledger holds %s", after)
	}
	if d, err := records.GetDecision(tree, "DEC-1"); err != nil || d.Decision != "Use pears" {
		t.Errorf("%+v, %v", d, err)
	}
}

// What is there and cannot be read is there all the same.
func TestRecordOverwritesNoRuin(t *testing.T) {
	t.Parallel()
	tree := open(t, map[string]string{".quaid/decisions/DEC-1.json": "{"})
	if err := record(tree, fs.Forgemind, schema.Decision{ID: "DEC-1", Decision: "Use pears"}); err == nil {
		t.Error("recorded a second DEC-1")
	}
	if at, ok, err := records.Decision.Find(tree, "DEC-1"); err != nil || !ok || at != ".quaid/decisions/DEC-1.json" {
		t.Errorf("%s, %v", at, ok)
	}
	if _, err := records.GetDecision(tree, "DEC-1"); err == nil || errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestRecordRefuses(t *testing.T) {
	tree := open(t, nil)
	for _, d := range []schema.Decision{
		{ID: "", Decision: "x"}, {ID: "../DEC", Decision: "x"}, {ID: "a/b", Decision: "x"}, {ID: "DEC-1"}, {ID: "DEC-1", Decision: " \n"},
	} {
		if err := record(tree, fs.Forgemind, d); err == nil {
			t.Errorf("%+v was recorded", d)
		}
	}
	if all, _, faults := records.Decisions(tree); len(all)+len(faults) != 0 {
		t.Errorf("%+v, %v", all, faults)
	}
	for _, id := range []string{"", "../../secret", "DEC-2"} {
		if _, err := records.GetDecision(tree, id); !errors.Is(err, iofs.ErrNotExist) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestAllReadsBothHomesAndReportsWhatIsNone(t *testing.T) {
	t.Parallel()
	tree := open(t, map[string]string{
		".forgemind/decisions/DEC-2.json": `{"id": "DEC-2", "decision": "b", "timestamp": "2026-03-02T09:00:00Z"}`,
		".forgemind/decisions/DEC-4.json": `{"decision": "named by its file", "timestamp": "2026-03-02T11:00:00Z"}`,
		".forgemind/decisions/DEC-5.json": `{"decision": 5}`,
		".forgemind/decisions/notes.md":   "no decision",
		".quaid/decisions/DEC-1.json":     `{"id": "DEC-1", "decision": "a", "timestamp": "2026-03-02T08:00:00Z"}`,
		".quaid/decisions/DEC-3.json":     "\xff",
	})
	all, _, faults := records.Decisions(tree)
	var ids, bad []string
	for _, d := range all {
		ids = append(ids, d.ID)
	}
	for _, f := range faults {
		bad = append(bad, f.Name)
		if f.Err == nil {
			t.Errorf("%s: no reason", f.Name)
		}
	}
	if got := strings.Join(ids, " "); got != "DEC-1 DEC-2 DEC-4" {
		t.Errorf("in order of time: %s", got)
	}
	if got := strings.Join(bad, " "); got != ".forgemind/decisions/DEC-5.json .quaid/decisions/DEC-3.json" {
		t.Errorf("faults: %s", got)
	}
}

func TestImportTakesWhatAViewShowsAsItIs(t *testing.T) {
	for _, c := range []struct{ shown, id, text string }{
		{`{"id": "DEC-2","decision":"second", "weather": 1.50}`, "DEC-2", `{"id": "DEC-2","decision":"second", "weather": 1.50, "origin": "imported"}`},
		{`{"decision": "without an id", "timestamp": "2026-03-02T09:00:00Z"}`, "DEC-0CVYWP859V5W", `{"decision": "without an id", "timestamp": "2026-03-02T09:00:00Z", "id": "DEC-0CVYWP859V5W", "origin": "imported"}`},
		{`{"id": "DEC-3", "decision": "said where it is from", "origin": "detected"}`, "DEC-3", `{"id": "DEC-3", "decision": "said where it is from", "origin": "detected"}`},
		{`{"id": "../x", "decision": "no id"}`, "", ""},
		{`{"id": "DEC-9"}`, "", ""},
		{`{"id": "DEC-9", "decision": " "}`, "", ""},
		{`{"id": "DEC-9", "decision": "a", "decision": "b"}`, "", ""},
		{`{"id": "DEC-9", "decision": "a", "files": "b"}`, "", ""},
		{`"a text"`, "", ""},
	} {
		d, ok, err := records.NewImporter(open(t, nil)).Import([]byte(c.shown), false)
		if err != nil || ok != (c.id != "") || ok && d.ID != c.id || c.text != "" && string(d.Text) != c.text {
			t.Errorf("%s: %s, %s, %v, %v", c.shown, d.ID, d.Text, ok, err)
		}
	}
}

// Programs take ids again; see schema.TakenAgain.
func TestAnIDThatIsTakenAgainIsAnotherDecision(t *testing.T) {
	tree := open(t, map[string]string{".quaid/decisions/dec-000.json": `{"id": "dec-000", "decision": "Plant pears", "timestamp": "2026-03-01 09:00:00.25"}`})
	im := records.NewImporter(tree)
	for _, c := range []struct{ shown, id string }{
		{`{"id": "dec-000", "decision": "Plant pears", "timestamp": "2026-03-01 09:00:00.25"}`, "dec-000"},
		{`{"id": "dec-000", "decision": "Plant figs", "timestamp": "2026-03-02 09:00:00.25"}`, "DEC-8CGV1SRB5VPD"},
		{`{"id": "dec-000", "decision": "Plant figs", "timestamp": "2026-03-02 09:00:00.25"}`, ""},        // it was read already
		{`{"id": "dec-000", "decision": "Plant more pears", "timestamp": "2026-03-01T09:00:00.25Z"}`, ""}, // an edit
		{`{"id": "dec-000", "decision": "Plant quinces"}`, ""},                                            // it says no time: an edit
		{`{"id": "dec-001", "decision": "Water them", "timestamp": "2026-03-02T09:00:00Z"}`, "dec-001"},
		{`{"id": "dec-001", "decision": "Graft them", "timestamp": "2026-03-03T09:00:00Z"}`, "DEC-TH2Q91P29FSQ"}, // at one time
		{`{"id": "dec-000", "decision": "Plant figs", "timestamp": "2026-03-02T10:00:00.250+01:00"}`, ""},        // read already
		{`{"id": "DEC-0H5K2M", "decision": "Plant limes", "timestamp": "2026-03-02T09:00:00Z"}`, "DEC-0H5K2M"},
		{`{"id": "DEC-0H5K2M", "decision": "Plant lemons", "timestamp": "2026-03-03T09:00:00Z"}`, ""}, // nobody takes an id of ours again
		{`{"id": "dec-001", "decision": "Prune them", "timestamp": "2026-03-03T09:00:00Z"}`, "DEC-25830J7XF9Z3"},
	} {
		if d, ok, err := records.NewImporter(tree).Import([]byte(c.shown), false); err != nil || !ok || !strings.HasPrefix(c.shown, fmt.Sprintf(`{"id": %q`, d.ID)) {
			t.Errorf("%s, with an id that nobody counts: %s, %v, %v", c.shown, d.ID, ok, err)
		}
		d, ok, err := im.Import([]byte(c.shown), true)
		if err != nil || ok != (c.id != "") || ok && (d.ID != c.id || d.Recorded != (c.id == "dec-000")) {
			t.Errorf("%s: %s, recorded %v, %v, %v", c.shown, d.ID, d.Recorded, ok, err)
		}
	}
}

func open(t *testing.T, files map[string]string) *fs.Tree {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{fs.Forgemind, fs.Quaid} {
		if err := os.Mkdir(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

func record(tree *fs.Tree, home string, d schema.Decision) error {
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		_, err := records.Decision.In(home).Add(tx, d.ID, d)
		return err
	})
	return err
}

func read(t *testing.T, tree *fs.Tree, name string) string {
	t.Helper()
	src, err := tree.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}
