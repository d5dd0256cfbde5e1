package condense

import (
	"errors"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

var noon = time.Date(2026, 2, 15, 12, 0, 0, 0, time.UTC)

// threadTree is a tree on the disk with those files.
func threadTree(t *testing.T, files map[string]string) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(fs.Forgemind); err != nil {
		t.Fatal(err)
	}
	staged(t, tree, func(tx *fs.Tx) error {
		for name, text := range files {
			tx.Write(name, []byte(text))
		}
		return nil
	})
	return tree
}

func staged(t *testing.T, tree *fs.Tree, edit func(*fs.Tx) error) []fs.Change {
	t.Helper()
	changes, err := tree.Transaction(t.Context(), edit)
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func dice(seed byte) *rand.ChaCha8 { return rand.NewChaCha8([32]byte{seed}) }

func admitting(seed byte) session.Terms {
	return session.Terms{Now: noon, Random: dice(seed), Count: func(s string) int { return len(strings.Fields(s)) }, Counter: "words"}
}

func opened(t *testing.T, tree *fs.Tree, title, channel string) (made Thread) {
	t.Helper()
	staged(t, tree, func(tx *fs.Tx) (err error) {
		made, err = OpenThread(tx, fs.Forgemind, schema.Thread{
			Title: title, Channel: channel, Participants: []string{"Manager"}, Opened: schema.FormatTime(noon),
		}, dice(byte(len(title))))
		return err
	})
	return made
}

// TestThreadGoesItsWay walks a thread through its states, and tries every step
// that its state does not allow.
func TestThreadGoesItsWay(t *testing.T) {
	tree := threadTree(t, nil)
	id := opened(t, tree, "Mesh convergence", "#proj-starspec").ID
	steps := map[string]func(tx *fs.Tx) error{
		"post": func(tx *fs.Tx) error {
			_, _, _, err := Post(tx, id, schema.Message{Agent: "Analyst", Content: "It converges."}, admitting(1))
			return err
		},
		"resolve": func(tx *fs.Tx) error { _, err := ResolveThread(tx, id, "Manager", noon.Add(time.Hour)); return err },
		"archive": func(tx *fs.Tx) error {
			_, err := ArchiveThread(tx, id, "Manager", noon.Add(2*time.Hour), idleAt(noon.Add(2*time.Hour)))
			return err
		},
	}
	for _, stop := range []struct {
		status  string
		refused []string
		next    []string
	}{
		{Active, []string{"archive"}, []string{"post", "resolve"}},
		{Resolved, []string{"post", "resolve"}, []string{"archive"}},
		{Archived, []string{"post", "resolve", "archive"}, nil},
	} {
		if got, err := FindThread(tree, id); err != nil || got.Status != stop.status {
			t.Fatalf("the thread is %q (%v), not %s", got.Status, err, stop.status)
		}
		for _, step := range stop.refused {
			var misstep *Misstep
			_, err := tree.Transaction(t.Context(), steps[step])
			if !errors.As(err, &misstep) || misstep.Possible() == "" || misstep.Thread.Status != stop.status {
				t.Errorf("%s of a thread that is %s: %v", step, stop.status, err)
			}
		}
		for _, step := range stop.next {
			staged(t, tree, steps[step])
		}
	}
	got, err := FindThread(tree, "mesh")
	if err != nil || !slices.Equal(got.Participants, []string{"Manager", "Analyst"}) || got.Messages != 1 || !got.Last.Equal(noon.Add(2*time.Hour)) {
		t.Errorf("in the end it is %+v, %v", got, err)
	}
	if want := ".forgemind/threads/proj-starspec/mesh-convergence-" + strings.TrimPrefix(id, "thread-") + ".json"; got.File != want {
		t.Errorf("its file is %s, not %s", got.File, want)
	}
	for _, file := range []string{got.File, "./" + got.Talk()} {
		if same, err := FindThread(tree, file); err != nil || same.ID != id {
			t.Errorf("%s is of %s, %v", file, same.ID, err)
		}
	}
}

// TestPostAddsOneFile holds what lets two branches speak in one thread: a message is a
// file, and nothing else changes.
func TestPostAddsOneFile(t *testing.T) {
	tree := threadTree(t, nil)
	made := opened(t, tree, "Mesh", "proj-a")
	var said schema.Message
	changes := staged(t, tree, func(tx *fs.Tx) error {
		_, posted, _, err := Post(tx, made.ID, schema.Message{Agent: "Somebody new", Content: "Hello"}, admitting(1))
		said = posted[0]
		return err
	})
	if want := strings.TrimSuffix(made.File, ".json") + "/" + said.ID + ".json"; len(changes) != 1 || changes[0].Name != want || changes[0].Before != nil {
		t.Errorf("posting changed %+v, not %s", changes, want)
	}
}

// TestUnitedTalk reads what a merge leaves: lines in no order, and one twice.
func TestUnitedTalk(t *testing.T) {
	name := ".forgemind/threads/a/t-1.jsonl"
	tree := threadTree(t, map[string]string{name: `{"id":"m-2","ts":"2026-02-15T10:02:00Z","agent":"b","content":"two"}
{"id":"m-1","ts":"2026-02-15T11:01:00+01:00","agent":"a","content":"one"}
{"id":"m-2","ts":"2026-02-15T10:02:00Z","agent":"b","content":"two"}
{"id":"m-3","ts":"2026-
`})
	messages, faults, err := Talk(tree, name)
	if err != nil || len(messages) != 2 || messages[0].ID != "m-1" || len(faults) != 1 || faults[0].Line != 4 {
		t.Errorf("read %v, %v, %v", messages, faults, err)
	}
	all, faults, err := Threads(tree)
	if err != nil || len(all) != 1 || len(faults) != 1 || all[0].ID != "t-1" || all[0].Status != Active || all[0].Opened != "2026-02-15T11:01:00+01:00" {
		t.Errorf("the threads are %+v, %v, %v", all, faults, err)
	}
}

// TestThreadsTellWhatIsBroken lists what can be read beside what cannot.
func TestThreadsTellWhatIsBroken(t *testing.T) {
	t.Parallel() // it waits
	tree := threadTree(t, map[string]string{
		".forgemind/threads/a/good.json":     `{"id": "good", "status": "active", "opened": "2026-02-15T10:00:00Z", "mood": 7}`,
		".forgemind/threads/a/torn.json":     `{"id": "torn", "sta`,
		".forgemind/threads/a/torn.jsonl":    `{"id": "m", "content": "x"}`,
		".forgemind/threads/a/noid.json":     `{"status": "active"}`,
		".forgemind/threads/a/wrong.json":    `{"id": "wrong", "participants": 7}`,
		".forgemind/threads/a/b/deep/x.json": `{"id": "not here"}`,
	})
	all, faults, err := Threads(tree)
	if err != nil || len(all) != 1 || all[0].ID != "good" || len(faults) != 3 {
		t.Errorf("the threads are %+v, %v, %v", all, faults, err)
	}
}

// idleAt reports which threads nobody has spoken in for IdleDays at a time.
func idleAt(now time.Time) func(Thread) bool {
	return func(t Thread) bool { return t.IdleFor(now) >= IdleDays }
}

func TestDue(t *testing.T) {
	thread := func(status, condensation string, last time.Time) Thread {
		return Thread{Thread: schema.Thread{ID: "x", Status: status, Condensation: condensation, Resolved: map[bool]string{true: "2026-02-01T00:00:00Z"}[status != Active]}, Last: last}
	}
	old, fresh := noon.AddDate(0, 0, -IdleDays), noon.AddDate(0, 0, -IdleDays).Add(time.Second)
	for _, c := range []struct {
		what             string
		thread           Thread
		due, uncondensed bool
	}{
		{"spoken in a moment too late", thread(Active, "", fresh), false, false},
		{"active and idle", thread(Active, "", old), true, false},
		{"resolved, condensed, idle", thread(Resolved, "a.md", old), true, false},
		{"resolved and condensed just now", thread(Resolved, "a.md", fresh), false, false},
		{"not condensed", thread(Resolved, "", old), false, true},
		{"archived", thread(Archived, "a.md", old), false, false},
		{"archived and not condensed", thread(Archived, "", old), false, true},
		{"of no known time", thread(Active, "", time.Time{}), false, false},
	} {
		one := []Thread{c.thread}
		if due, open := len(Due(one, idleAt(noon))) > 0, len(Uncondensed(one)) > 0; due != c.due || open != c.uncondensed {
			t.Errorf("%s: due %v, uncondensed %v", c.what, due, open)
		}
	}
}

// TestFileNames holds that every title and every channel gives a file that can be
// written anywhere, and no two of them the same.
func TestFileNames(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"general", "#proj-starspec-wfe", "a/b", "a-b", "a b/c", "🚀", "💬", "", "..", ".", "con", "aux", "com1", "nul.x", "c++", "##c++!", "ünïcode", "-x",
		strings.Repeat("long ", 60), strings.Repeat("long ", 61), "a\x00b", "trailing.", "日本語",
	} {
		id := ChannelID(name)
		if !schema.ValidID(id) || len(id) > 90 || id != strings.ToLower(id) || strings.HasSuffix(id, ".") || ChannelID(id) != id {
			t.Errorf("%q has the folder %q", name, id)
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q share the folder %s", name, other, id)
		}
		seen[id] = name
		tree := threadTree(t, nil)
		made := opened(t, tree, name+" x", name+"c")
		if path.Dir(path.Dir(made.File)) != ".forgemind/threads" || fs.Place(made.File) != fs.DocThread || len(path.Base(made.File)) > 100 {
			t.Errorf("%q has the file %q", name, made.File)
		}
	}
	for same, as := range map[string]string{"General": "general", "# general": "general", "Dev Ops": "dev-ops"} {
		if got := ChannelID(same); got != as {
			t.Errorf("%q has the folder %q, not %q", same, got, as)
		}
	}
}

// countingReader counts what is read through it.
type countingReader struct {
	fs.Reader
	reads int
}

func (r *countingReader) Read(name string) ([]byte, error) {
	r.reads++
	return r.Reader.Read(name)
}

// A watcher asks for the thread of each file it hears of, so that is looked up
// without the others: its record and its view are read.
func TestThreadAtReadsOneThread(t *testing.T) {
	t.Parallel() // it waits
	tree := threadTree(t, map[string]string{
		".forgemind/threads/general/bare.jsonl":   "{}\n",
		".forgemind/threads/general/broken.json":  "{",
		".forgemind/threads/general/broken.jsonl": "{}\n",
	})
	var last Thread
	for _, title := range []string{"Lime", "Slate", "Glass"} {
		last = opened(t, tree, title, "general")
	}
	for name, want := range map[string]string{last.Talk(): last.ID, ".forgemind/threads/general/bare.jsonl": "bare", ".forgemind/threads/general/broken.jsonl": ""} {
		r := &countingReader{Reader: tree}
		got, ok := ThreadAt(r, name)
		if got.ID != want || ok != (want != "") || r.reads > 2 {
			t.Errorf("at %s stands %q, %v, after %d reads", name, got.ID, ok, r.reads)
		}
	}
}
