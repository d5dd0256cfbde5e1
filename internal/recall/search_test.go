package recall

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
)

// later is a clock for which all files are old.
func later() time.Time { return time.Now().Add(time.Minute) }

// early is a clock for which every file was just written, however slow the machine is.
func early() time.Time { return time.Unix(0, 0) }

// newTree creates a tree with both folders.
func newTree(t testing.TB) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(fs.Forgemind, fs.Quaid); err != nil {
		t.Fatal(err)
	}
	tree.Now = later
	return tree
}

func write(t testing.TB, tree *fs.Tree, name, text string) {
	t.Helper()
	at := filepath.Join(tree.Root(), name)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func archive(session string) string { return fs.Sessions + "/" + session + "/" + archiveFile }
func window(session string) string  { return fs.Sessions + "/" + session + "/" + windowFile }

// said returns a line of a conversation, at a minute of one morning.
func said(id string, minute int, content string) string {
	return fmt.Sprintf(`{"msg_id":%q,"timestamp":"2026-11-20T09:%02d:00Z","role":"user","content":%q}`+"\n", id, minute, content)
}

func fragment(id, kind, tags, entities, body string) string {
	return fmt.Sprintf("---\nid: %s\ntitle: About %s\ntype: %s\ntags: [%s]\nentities: [%s]\nimportance: 0.5\ncreated: 2026-11-20T09:30:00Z\n---\n\n%s\n", id, id, kind, tags, entities, body)
}

// names returns the results of a search: session@place:id of messages, the ids of
// fragments; + before neighbors.
func names(found []Found) string {
	var all []string
	for _, f := range found {
		mark := ""
		if f.Beside {
			mark = "+"
		}
		if f.Fragment != nil {
			all = append(all, f.Fragment.ID)
		} else {
			all = append(all, fmt.Sprintf("%s%s@%d:%s", mark, f.Session, f.At, f.Message.ID))
		}
	}
	return strings.Join(all, " ")
}

// library creates a tree with many messages about apples.
func library(t testing.TB) *fs.Tree {
	tree := newTree(t)
	write(t, tree, archive("conv-1"),
		said("a1", 1, "Apples keep well in Redis.")+
			said("a4", 40, "The cellar is cold, the apples last.")+
			`{"torn":`+"\n"+
			`{"msg_id":"s1","timestamp":"2026-11-20T09:02:00Z","kind":"summary","content":"apples, summed up"}`+"\n"+
			said("blank", 3, "  ")+
			`{"id":"a2","ts":"2026-11-20T09:05:00Z","content":"An apple a day."}`+"\n"+
			"[1]\n\n")
	write(t, tree, window("conv-1"),
		said("a4", 40, "The cellar is cold, the apples last.")+ // it left the window halfway
			said("a3", 20, "Pears and apples and plums and apples again.")+
			said("a5", 50, "Enough of fruit; redistribute the rest."))
	write(t, tree, fs.Sessions+"/conv-1/metadata.json", `{"session_id":"conv-1","tags":["Fruit"]}`)
	write(t, tree, window("conv-2"), said("b1", 10, "Nobody mentions them here.")+said("a1", 1, "Apples keep well in Redis."))
	write(t, tree, fs.Messages, said("m1", 30, "No apple stands in a session folder, but this one does not.")+`{"content":"apple, and no more"}`)
	write(t, tree, fs.Quaid+"/memory/fragments/2026-11-20-f1.md", fragment("f1", "decision", "fruit, storage", "Redis, Cellar", "Apples go to the cellar."))
	write(t, tree, fs.Forgemind+"/memory/fragments/2026-11-20-f2.md", fragment("f2", "pattern", "storage", "", "Fold, do not nest. Redis is no pattern."))
	return tree
}

func TestWhatIsFound(t *testing.T) {
	tests := []struct {
		about string
		query Query
		want  string
	}{
		{"words, and what was said beside them", Query{Words: "plums and pears"}, "conv-1@2:a3 +conv-1@3:a4 +conv-1@1:a2"},
		{"stems, each message once, no summary", Query{Words: "apple"}, "conv-1@2:a3 f1 @0:m1 conv-2@0:a1 conv-1@1:a2 conv-1@3:a4 @1: +conv-1@4:a5 +conv-2@1:b1"},
		{"a limit", Query{Words: "apple", Limit: 3}, "conv-1@2:a3 f1 @0:m1"},
		{"not these", Query{Words: "apple", Limit: 3, Not: map[string]bool{"m1": true}}, "conv-1@2:a3 f1 conv-2@0:a1"},
		{"without words the newest first", Query{}, "conv-1@4:a5 conv-1@3:a4 @0:m1 @1: f2 f1 conv-1@2:a3 conv-2@1:b1 conv-1@1:a2 conv-1@0:a1"},
		{"a type: fragments only", Query{Type: "pattern"}, "f2"},
		{"a type and words", Query{Type: "decision", Words: "apples"}, "f1"},
		{"a tag, whatever its case, of sessions too", Query{Tag: "FRUIT", Words: "cellar"}, "f1 conv-1@3:a4 +conv-1@4:a5 +conv-1@2:a3"},
		{"a tag of fragments", Query{Tag: "storage"}, "f2 f1"},
		{"an entity", Query{Entity: "redis"}, "f1 conv-1@0:a1"},
		{"an entity, to the letter", Query{Entity: "Apples Keep"}, "conv-1@0:a1"},
		{"an entity and words", Query{Entity: "Redis", Words: "keep apples"}, "conv-1@0:a1 f1"},
		{"nothing", Query{Words: "zebra"}, ""},
		{"words that say nothing", Query{Words: "the of"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.about, func(t *testing.T) {
			found, err := Search(library(t), tt.query)
			if err != nil || names(found) != tt.want {
				t.Errorf("%v\n got %s\nwant %s", err, names(found), tt.want)
			}
		})
	}
}

// Who said something is found by name; the names of roles are none.
func TestWhoSaidIt(t *testing.T) {
	tree := newTree(t)
	write(t, tree, archive("conv-1"),
		`{"msg_id":"m1","timestamp":"2026-11-20T09:01:00Z","agent":"Sarah","content":"It keeps until March."}`+"\n"+
			`{"msg_id":"m2","timestamp":"2026-11-20T09:02:00Z","agent":"user","content":"It keeps until May."}`+"\n")
	for words, want := range map[string]string{"what did Sarah say": "conv-1@0:m1 +conv-1@1:m2", "the user": ""} {
		found, err := Search(tree, Query{Words: words})
		if err != nil || names(found) != want {
			t.Errorf("%q: %v, got %s, want %s", words, err, names(found), want)
		}
	}
}

func TestAMessageComesWhole(t *testing.T) {
	tree := newTree(t)
	write(t, tree, archive("s"), `{"id":"x","ts":"2026-11-20T09:00:00Z","agent":"rick","content":"line\nbreak","importance":0.7,"metadata":{"own":1}}`)
	found, err := Search(tree, Query{Words: "break"})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	f := found[0]
	m := f.Message
	if f.Name != archive("s") || f.Session != "s" || f.Score <= 0 || f.Fragment != nil {
		t.Errorf("%+v", f)
	}
	if m.ID != "x" || m.Timestamp != "2026-11-20T09:00:00Z" || m.Agent != "rick" || m.Content != "line\nbreak" || *m.Importance != 0.7 || string(m.Metadata) != `{"own":1}` {
		t.Errorf("%+v", m)
	}
}

// The texts that are left out may include all the best ones.
func TestWhatRanksLow(t *testing.T) {
	tree := newTree(t)
	var lines strings.Builder
	not := map[string]bool{}
	for i := range 400 {
		id := fmt.Sprintf("m%d", i)
		lines.WriteString(said(id, 1, fmt.Sprintf("apples and apples %d", i)))
		not[id] = true
	}
	write(t, tree, archive("s"), lines.String()+said("last", 59, "an apple, "+strings.Repeat("and much more to say, ", 99)))
	if found, err := Search(tree, Query{Words: "apples", Limit: 1, Not: not}); err != nil || names(found) != "s@400:last" {
		t.Errorf("%v: %s", err, names(found))
	}
}

// Messages without a pause between them belong together, across the end of a session that
// another continues.
func TestWhatStandsBeside(t *testing.T) {
	at := func(id, time, content string) string {
		return fmt.Sprintf(`{"msg_id":%q,"timestamp":"2026-11-%s:00Z","content":%q}`+"\n", id, time, content)
	}
	tree := newTree(t)
	write(t, tree, archive("conv-1"), at("a", "20T09:00", "Hello.")+at("b", "20T16:00", "Good afternoon.")+at("c", "20T16:01", "Which door is it?"))
	write(t, tree, archive("conv-2"), at("d", "20T16:02", "The blue one.")+at("e", "21T09:00", "Lunch?"))
	write(t, tree, archive("conv-3"), at("f", "20T16:03", "Not mine."))
	write(t, tree, fs.SessionIndex, `{"session_id":"conv-1","continues":"conv-0"}`+"\n"+`{"session_id":"conv-2","continues":"conv-1"}`+"\n"+`{"session_id":"conv-0","continues":"conv-2"}`)
	for words, want := range map[string]string{
		"the door":  "conv-1@2:c +conv-2@0:d +conv-1@1:b",
		"blue":      "conv-2@0:d +conv-1@2:c",
		"afternoon": "conv-1@1:b +conv-1@2:c",
		"lunch":     "conv-2@1:e",
	} {
		if found, err := Search(tree, Query{Words: words}); err != nil || names(found) != want {
			t.Errorf("%q: %v\n got %s\nwant %s", words, err, names(found), want)
		}
	}
}

// Messages without ids are distinguished by their times.
func TestMessagesWithoutIDs(t *testing.T) {
	tree := newTree(t)
	line := `{"timestamp":"2026-11-20T09:0%d:00Z","content":"ok"}` + "\n"
	write(t, tree, archive("s"), fmt.Sprintf(line, 1)+fmt.Sprintf(line, 2)+fmt.Sprintf(line, 1))
	if found, err := Search(tree, Query{Words: "ok"}); err != nil || names(found) != "s@0: s@1:" {
		t.Errorf("%v: %s", err, names(found))
	}
}

func TestSpotsInTime(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for bits := range 64 {
		spots := make([]spot, 50)
		for i := range spots {
			spots[i] = spot{int64(r.Uint64() >> bits), i}
			if r.IntN(10) == 0 {
				spots[i].time = timeless
			}
		}
		want := slices.SortedFunc(slices.Values(spots), spot.compare)
		if got := inTime(spots); !slices.Equal(got, want) {
			t.Errorf("times of %d bits: %v, want %v", 64-bits, got, want)
		}
	}
}

func TestAround(t *testing.T) {
	tree := library(t)
	tests := []struct {
		session string
		at, n   int
		want    string
	}{
		{"conv-1", 2, 1, "conv-1@1:a2 conv-1@3:a4"},
		{"conv-1", 0, 2, "conv-1@1:a2 conv-1@2:a3"},
		{"conv-1", 4, 9, "conv-1@0:a1 conv-1@1:a2 conv-1@2:a3 conv-1@3:a4"},
		{"conv-1", 2, 0, ""},
		{"conv-1", 99, 1, ""},
		{"conv-1", -1, 1, "conv-1@0:a1"},
		{"", 1, 1, "@0:m1"},
		{"none", 0, 5, ""},
	}
	for _, tt := range tests {
		if found, err := open(t, tree).Around(tt.session, tt.at, tt.n); err != nil || names(found) != tt.want {
			t.Errorf("%d around %s@%d: %v\n got %s\nwant %s", tt.n, tt.session, tt.at, err, names(found), tt.want)
		}
	}
}

// An open Past returns the present content, not an earlier one.
func TestWhatChangesWhileItIsSearched(t *testing.T) {
	for _, where := range []string{"kept", "not kept"} {
		tree := library(t)
		p, err := Open(tree)
		if err != nil {
			t.Fatal(err)
		}
		if where == "kept" {
			keep(t, p)
			if p, err = Open(tree); err != nil {
				t.Fatal(err)
			}
		} else { // nor held
			for i := range p.volumes[loose].parts {
				p.volumes[loose].parts[i].src = nil
			}
		}
		write(t, tree, archive("conv-1"), said("new", 1, "Bananas now."))
		if err := os.Remove(filepath.Join(tree.Root(), window("conv-2"))); err != nil {
			t.Fatal(err)
		}
		if found, err := p.Search(Query{Words: "keep"}); err != nil || names(found) != "" {
			t.Errorf("%s: %v: %s", where, err, names(found))
		}
		if found, err := p.Search(Query{Words: "bananas"}); err != nil || names(found) != "conv-1@0:new +conv-1@1:a3" {
			t.Errorf("%s: %v: %s", where, err, names(found))
		}
	}
}

// TestTooLargeToBeSearched: a file that would not fit beside what else is in memory is
// passed over.
func TestTooLargeToBeSearched(t *testing.T) {
	tree := newTree(t)
	write(t, tree, fs.Messages, `{"msg_id":"m1","role":"user","content":"Quinces beside the kiln"}`+"\n")
	find := func() int {
		found, err := Search(tree, Query{Words: "quinces kiln", Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if find() != 1 {
		t.Fatal("no results")
	}
	if err := os.Truncate(filepath.Join(tree.Root(), fs.Messages), MaxSearched+1); err != nil {
		t.Fatal(err)
	}
	os.RemoveAll(filepath.Join(tree.Root(), fs.Forgemind, ".local")) // no index of what was there
	if find() != 0 {
		t.Error("it was read")
	}
}

func TestSearchesOfOneKindAndTime(t *testing.T) {
	tree := newTree(t)
	write(t, tree, archive("a"), said("m-1", 1, "apples are red")+said("m-2", 40, "apples are green"))
	write(t, tree, fs.Quaid+"/memory/fragments/f.md", fragment("frag-1", Concept, "", "", "apples keep"))
	for _, c := range []struct {
		q    Query
		want string
	}{
		{Query{Words: "apples"}, "a@0:m-1 a@1:m-2 frag-1"},
		{Query{Words: "apples", Of: Messages}, "a@0:m-1 a@1:m-2"},
		{Query{Words: "apples", Of: Notes}, "frag-1"},
		{Query{Words: "apples", Since: time.Date(2026, 11, 20, 9, 20, 0, 0, time.UTC)}, "a@1:m-2 frag-1"},
		{Query{Words: "apples", Since: time.Date(2026, 11, 20, 9, 35, 0, 0, time.UTC), Limit: 1}, "a@1:m-2"},
		{Query{Words: "apples", Since: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)}, ""},
	} {
		found, err := Search(tree, c.q)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Fields(names(found))
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v", c.q, got)
		}
	}
}
