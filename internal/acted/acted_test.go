package acted

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

func openTree(t *testing.T, files ...string) *fs.Tree {
	t.Helper()
	root := t.TempDir()
	for _, name := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(`{"decision": "Plant plums"}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) } // nobody touched the folders for long
	return tree
}

// keep writes a Set as a command does.
func keep(t *testing.T, tree *fs.Tree, s Set) {
	t.Helper()
	text, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		tx.Write(SetName(fs.Forgemind), text)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestASetKnowsWhichDecisionsAreNew(t *testing.T) {
	tree := openTree(t, ".forgemind/decisions/DEC-A.json", ".forgemind/decisions/DEC-B.json", ".quaid/decisions/DEC-C.json",
		".forgemind/decisions/notes.md", ".forgemind/decisions/DEC-A.json~", ".forgemind/decisions/deeper/DEC-D.json")
	if s := Read(tree); s.Known() || s.Lacking([]schema.Decision{{ID: "DEC-A"}}) != 0 {
		t.Fatalf("nobody looked, and it is %+v", s)
	}
	var s Set
	s.Since = "2026-01-01T00:00:00Z"
	s.Add("DEC-A", "DEC-GONE", "DEC-A")
	keep(t, tree, s)
	s = Read(tree)
	for id, want := range map[string]bool{"DEC-A": true, "DEC-GONE": true, "DEC": false, "A": false, "DEC-B": false} {
		if s.Has(id) != want {
			t.Errorf("has %q is %t", id, !want)
		}
	}
	names, err := s.New(tree, "")
	if want := []string{".forgemind/decisions/DEC-B.json", ".quaid/decisions/DEC-C.json"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("new are %v, %v, want %v", names, err, want)
	}
	if n := s.Lacking([]schema.Decision{{ID: "DEC-A"}, {ID: "DEC-B"}, {ID: "DEC-C"}}); n != 2 {
		t.Errorf("it lacks %d decisions, want 2", n)
	}
	s.Waiting = names[:1]
	s.Add("DEC-C")
	if names, err := s.New(tree, ""); len(names) > 0 || err != nil {
		t.Errorf("new are %v, %v", names, err)
	}
	text, err := s.Text()
	if want := "forgemind acted 1\n" + `{"since":"2026-01-01T00:00:00Z","waiting":[".forgemind/decisions/DEC-B.json"]}` + "\nDEC-A\nDEC-GONE\nDEC-C\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
}

func TestNoFolderIsListedThatIsAsItWas(t *testing.T) {
	tree := openTree(t, ".forgemind/decisions/DEC-A.json")
	s := Set{head: head{Since: "2026-01-01T00:00:00Z", Folders: Stamp(tree)}}
	if names, err := s.New(tree, Stamp(tree)); s.Folders == "" || len(names) > 0 || err != nil {
		t.Errorf("stamp %q, new are %v, %v", s.Folders, names, err)
	}
	then := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(tree.Root(), ".forgemind/decisions"), then, then); err != nil {
		t.Fatal(err)
	}
	if names, err := s.New(tree, Stamp(tree)); len(names) != 1 || err != nil {
		t.Errorf("new are %v, %v", names, err)
	}
	tree.Now = time.Now
	if err := os.WriteFile(filepath.Join(tree.Root(), ".forgemind/decisions/DEC-B.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if stamp := Stamp(tree); stamp != "" {
		t.Errorf("just touched, its stamp is believed: %q", stamp)
	}
}

// A file that was cut off, or that a later version wrote, is none: what stands in the tree counts as
// acted on then.
func TestADamagedSetIsNone(t *testing.T) {
	whole := heading + `{"since":"2026-01-01T00:00:00Z"}` + "\nDEC-A\n"
	for text, known := range map[string]bool{
		whole: true, whole[:len(whole)-len("DEC-A\n")]: true,
		"": false, whole[:10]: false, whole[:30]: false, "forgemind acted 2\n" + whole[len(heading):]: false, heading + "{}\nDEC-A\n": false,
	} {
		tree := openTree(t)
		path := filepath.Join(tree.Root(), filepath.FromSlash(SetName(fs.Quaid)))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if s := Read(tree); s.Known() != known {
			t.Errorf("%q: known is %t", text, s.Known())
		}
	}
}

func TestWhatIsDueIsListedOnce(t *testing.T) {
	due := With(nil, Due{Trigger: "boss", Action: "save", Decisions: []string{"DEC-B"}})
	before := With(due, Due{Trigger: "boss", Action: "save", Decisions: []string{"DEC-A", "DEC-B"}})
	all := With(before, Due{Action: "mark", Decisions: []string{"DEC-A"}})
	want := []Due{{Trigger: "boss", Action: "save", Decisions: []string{"DEC-B", "DEC-A"}}, {Action: "mark", Decisions: []string{"DEC-A"}}}
	if !reflect.DeepEqual(all, want) || len(before) != 1 || len(due[0].Decisions) != 1 {
		t.Errorf("%v, want %v; before %v, %v", all, want, before, due)
	}
	many := Due{Trigger: "boss", Action: "save", Decisions: []string{"A", "B", "C", "D", "E"}}
	if got, want := many.String(), "save of trigger boss for A, B, C and 2 more; 'forgemind trigger fire --due' does it"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestADiscussionIsNewWhenAFileOfItChanged(t *testing.T) {
	tree := openTree(t, ".forgemind/threads/yard/gate.json", ".forgemind/threads/yard/gate/msg-1.json", ".quaid/threads/yard/wall.jsonl",
		".forgemind/channels/yard/messages.jsonl", ".forgemind/channels/yard/pins.json")
	var d Discussions
	want := []string{".forgemind/channels/yard/messages", ".forgemind/channels/yard/pins", ".forgemind/threads/yard/gate", ".quaid/threads/yard/wall"}
	if changed := d.Changed(tree); !reflect.DeepEqual(changed, want) {
		t.Fatalf("at first %v", changed)
	}
	d.Add("b", "a", "b")
	if _, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error { return d.Write(tx, fs.Forgemind, true) }); err != nil {
		t.Fatal(err)
	}
	if d = ReadDiscussions(tree); !d.Has("a") || d.Has("c") || len(d.Done) != 2 {
		t.Errorf("it has %v", d.Done)
	}
	if changed := d.Changed(tree); len(changed) > 0 {
		t.Errorf("nothing changed but %v", changed)
	}
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(tree.Root(), filepath.FromSlash(name)), []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".forgemind/threads/yard/gate/msg-2.json")
	write(".quaid/threads/yard/wall.jsonl")
	if changed := d.Changed(tree); !reflect.DeepEqual(changed, want[2:]) {
		t.Errorf("changed %v", changed)
	}
	before := d
	d.Forget(".forgemind/channels/yard/pins.json")
	if changed := d.Changed(tree); !reflect.DeepEqual(changed, want[1:2]) || before.Stood[want[1]] == "" {
		t.Errorf("looked at again %v, before %v", changed, before.Stood)
	}
	gate, wall := ".forgemind/threads/yard/gate.jsonl", ".quaid/threads/yard/wall.jsonl"
	for _, talk := range []string{wall, gate, wall} {
		d.SetConcluded(talk, true)
	}
	d.SetConcluded(".quaid/threads/yard/other.jsonl", false)
	if !reflect.DeepEqual(d.Concluded, []string{gate, wall}) || !d.Differs(before) {
		t.Errorf("concluded are %v", d.Concluded)
	}
	before = d
	d.SetTaken(wall, Taken{Decision: "DEC-1"})
	d.SetTaken(gate, Taken{Decision: "DEC-2"})
	if !d.Differs(before) || len(before.Taken) > 0 {
		t.Errorf("taken are %v, before %v", d.Taken, before.Taken)
	}
	if err := os.Remove(filepath.Join(tree.Root(), filepath.FromSlash(wall))); err != nil {
		t.Fatal(err)
	}
	if d.Changed(tree); !reflect.DeepEqual(d.Concluded, []string{gate}) || !reflect.DeepEqual(d.Taken, map[string]Taken{gate: {Decision: "DEC-2"}}) {
		t.Errorf("concluded are %v, taken %v", d.Concluded, d.Taken)
	}
	tree.Now = time.Now
	write(".forgemind/channels/yard/messages.jsonl")
	for range 2 { // just written, its stamp is not believed
		if changed := d.Changed(tree); !slices.Contains(changed, want[0]) {
			t.Errorf("changed %v", changed)
		}
	}
}
