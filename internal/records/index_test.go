package records

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// plain hides what a *fs.Tree can do beyond reading.
type plain struct{ fs.Reader }

// goalTree is a tree of n goals, whose clock is an hour ahead: its files have been left
// alone for long. Of each four one has no change, one is updated, one complete, and one
// has two changes.
func goalTree(t *testing.T, n int) *fs.Tree {
	t.Helper()
	root := t.TempDir()
	for i := range n {
		write(t, root, fmt.Sprintf("goal-%03d.json", i), fmt.Sprintf(`{"id":"goal-%03d","goal":"Reach %d","status":"in-progress"}`, i, i))
		change := func(what, set string) {
			write(t, root, fmt.Sprintf("goal-%03d.%s-%d.json", i, what, i), fmt.Sprintf(`{"of":"goal-%03d","after":[],"at":"2026-01-02T09:00:00Z","by":"ann","set":%s}`, i, set))
		}
		if i%4 == 1 || i%4 == 3 {
			change("updated", `{"priority":"high"}`)
		}
		if i%4 >= 2 {
			change("done", `{"status":"complete"}`)
		}
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) }
	return tree
}

func write(t *testing.T, root, base, text string) {
	t.Helper()
	path := filepath.Join(root, fs.Forgemind, fs.GoalsDir, base)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnIndexHidesNothing(t *testing.T) {
	t.Parallel()
	tree := goalTree(t, 80)
	same := func(what string) []Record {
		t.Helper()
		got, faults := All(tree, Goal)
		want, wrong := All(plain{tree}, Goal)
		if !reflect.DeepEqual(got, want) || fmt.Sprint(faults) != fmt.Sprint(wrong) {
			t.Fatalf("%s: %d records with the index, %d without, or others; %v, %v", what, len(got), len(want), faults, wrong)
		}
		return got
	}
	same("at first")
	index := filepath.Join(tree.Root(), fs.Forgemind, ".local", "index", "records-goals")
	if _, err := os.Stat(index); err != nil {
		t.Fatal(err)
	}
	same("with the index")
	time.Sleep(20 * time.Millisecond) // the clock of a file system ticks slowly
	write(t, tree.Root(), "goal-000.json", `{"id":"goal-000","goal":"Reach Z","status":"in-progress"}`)
	write(t, tree.Root(), "goal-new.json", `{"id":"goal-new","goal":"One more"}`)
	write(t, tree.Root(), "goal-004.json", `{`)
	if err := os.Remove(filepath.Join(tree.Root(), fs.Forgemind, fs.GoalsDir, "goal-008.json")); err != nil {
		t.Fatal(err)
	}
	all := same("after edits")
	if len(all) != 79 || all[0].Text() != "Reach Z" {
		t.Errorf("%d records, the first %q", len(all), all[0].Text())
	}
	if err := os.WriteFile(index, []byte(texts.heading+"damage"), 0o600); err != nil {
		t.Fatal(err)
	}
	same("with a damaged index")
}

// What Current leaves undecoded is what All decodes, and is out of force.
func TestCurrentIsAllInBrief(t *testing.T) {
	tree := goalTree(t, 12)
	all, _ := All(tree, Goal)
	current, _ := Current(tree, Goal)
	if len(all) != 12 || len(current) != 12 {
		t.Fatalf("%d and %d records", len(all), len(current))
	}
	var brief []string
	for i, r := range current {
		if r.InForce() != all[i].InForce() || r.ID != all[i].ID || !reflect.DeepEqual(r.Whole(), all[i]) {
			t.Errorf("%s: %+v, not %+v", r.ID, r.Whole(), all[i])
		}
		if r.files != nil {
			brief = append(brief, r.ID)
		}
	}
	if got := strings.Join(brief, " "); got != "goal-002 goal-006 goal-010" {
		t.Errorf("undecoded are %s", got)
	}
}

// What is odd about a record, its changes or its name hides nothing that All shows.
func TestCurrentShowsWhatAllShows(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	const goal = `{"id":"ID","goal":"Reach it","status":"in-progress"}`
	const done = `{"of":"ID","after":[],"at":"2026-01-02T09:00:00Z","by":"ann","set":{"status":"complete"}}`
	for name, text := range map[string]string{
		"a.json": goal, "a.done-1.json": done,
		"b.json": goal, "b.done-1.json": strings.Replace(done, `"after":[]`, `"after":"x"`, 1),
		"c.json": goal, "c.done.json": done, // no change has that name
		"d.json": goal, "d.done-1.json": strings.Replace(done, `"set":{`, `"set":{},"set":{`, 1),
		"e.json": goal, "e..json": goal,
		"f.json": `{broken`, "f.done-1.json": done,
		"g.json": `{"id":"g","note":"n","section":"Lessons"}`, "g.done-1.json": done,
		"h.json": goal, "h.done-1.json": strings.Replace(done, `"complete"`, `5`, 1),
		"i.json": `{"id":5,"goal":null,"status":["x"]}`,
	} {
		id, _, _ := strings.Cut(name, ".")
		write(t, root, name, strings.ReplaceAll(text, "ID", id))
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	all, faults := All(tree, Goal)
	current, wrong := Current(tree, Goal)
	if len(current) != len(all) || fmt.Sprint(wrong) != fmt.Sprint(faults) {
		t.Fatalf("%d records and %v, of %d and %v", len(current), wrong, len(all), faults)
	}
	for i, r := range current {
		if r.ID != all[i].ID || r.InForce() != all[i].InForce() || !reflect.DeepEqual(r.Whole(), all[i]) {
			t.Errorf("%s: in force %v, %v; %+v, not %+v", r.ID, r.InForce(), all[i].InForce(), r.Whole(), all[i])
		}
		if r.ID == "g" && r.Members["section"] == nil {
			t.Error("an entry of agents' notes has no section")
		}
	}
}
