package cold

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// nothing is a reader of an empty tree.
type nothing struct{}

func (nothing) Read(string) ([]byte, error)           { return nil, fs.ErrIrregular }
func (nothing) Names(string) iter.Seq2[string, error] { return func(func(string, error) bool) {} }

// expired returns the names of the files that expire at a time.
func expired(t testing.TB, tree *fs.Tree, at string) string {
	t.Helper()
	now, err := schema.ParseTime(at)
	if err != nil {
		t.Fatal(err)
	}
	tree.Now = func() time.Time { return now }
	var all []string
	_, err = tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		gone, _, err := Expire(tx, tree, now)
		for _, e := range gone {
			all = append(all, e.Session+"/"+e.Compaction)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func until(t testing.TB, tree *fs.Tree, home, compaction string, times ...string) {
	t.Helper()
	var chunks []schema.Chunk
	for i, at := range times {
		chunks = append(chunks, schema.Chunk{ChunkID: compaction + "-" + string(rune('a'+i)), Content: "apples", RecoverableUntil: at})
	}
	if err := putChunks(tree, home, "s", compaction, chunks); err != nil {
		t.Fatal(err)
	}
}

func TestAFileExpiresWhenAllOfItDid(t *testing.T) {
	tree := newTree(t, fs.Forgemind, fs.Quaid)
	until(t, tree, fs.Forgemind, "first", "2026-12-20T09:00:00.000Z", "2026-12-20T10:00:00.000+01:00")
	until(t, tree, fs.Forgemind, "mixed", "2026-12-20T09:00:00.000Z", "2027-01-01T00:00:00.000Z")
	until(t, tree, fs.Forgemind, "ever", "", "2026-12-20T09:00:00.000Z")
	until(t, tree, fs.Forgemind, "half", "2026-12-20T09:00:00.000Z", "")
	until(t, tree, fs.Quaid, "other", "2027-01-01T00:00:00.000Z")
	write(t, tree, Name(fs.Forgemind, "s", "broken"), `{"chunk_id":"x","content":"apples","recoverable_until":"2026-12-20T09:00:00.000Z"}`+"\n<<<<<<< HEAD\n")
	write(t, tree, Name(fs.Forgemind, "s", "spoilt"), `{"chunk_id":"y","content":"apples","recoverable_until":"soon"}`+"\n")
	write(t, tree, Name(fs.Forgemind, "s", "blank"), "\n\n")
	for _, step := range []struct{ at, want string }{
		{"2026-12-20T08:59:59.999Z", ""},
		{"2026-12-20T09:00:00.000Z", "s/first"},
		{"2026-12-20T09:00:00.000Z", ""},
		{"2027-01-01T00:00:00.000Z", "s/mixed s/other"},
		{"9999-12-31T23:59:59.000Z", ""},
	} {
		if got := expired(t, tree, step.at); got != step.want {
			t.Errorf("at %s: %q, want %q", step.at, got, step.want)
		}
	}
	// Chunks without a date, and files with a damaged line, are kept.
	got := strings.Fields(recovered(t, tree, "apples", 0))
	slices.Sort(got)
	if !slices.Equal(got, strings.Fields("ever-a ever-b half-a half-b x y")) {
		t.Errorf("there are still %s", got)
	}
}

// A file whose first line is long, or the only one, expires as well.
func TestALongLineExpiresToo(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	chunk := schema.Chunk{ChunkID: "long", Content: strings.Repeat("apples ", 300_000), RecoverableUntil: "2026-12-20T09:00:00.000Z"}
	if err := putChunks(tree, fs.Forgemind, "s", "c", []schema.Chunk{chunk}); err != nil {
		t.Fatal(err)
	}
	write(t, tree, Name(fs.Forgemind, "s", "d"), `{"chunk_id":"x","content":"apples","recoverable_until":"2026-12-20T09:00:00.000Z"}`)
	if got := expired(t, tree, "2026-12-21T09:00:00.000Z"); got != "s/c s/d" {
		t.Errorf("expired: %s", got)
	}
}

// A wrong clock loses nothing: an expired file is in the trash unchanged, the error names it, and
// it works again when it is moved back.
func TestWhatExpiredIsInTheTrash(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	name := Name(fs.Forgemind, "s", "compaction-1")
	if err := putChunks(tree, fs.Forgemind, "s", "compaction-1", left(t, "compaction-1", "apples", "pears")); err != nil {
		t.Fatal(err)
	}
	write(t, tree, fs.Messages, `{"compaction":{"ID":"compaction-1","Session":"s","Lines":2}}`+"\n")
	src, _ := tree.Read(name)
	id := left(t, "compaction-1", "apples")[0].ChunkID
	if got := expired(t, tree, "2099-01-01T00:00:00.000Z"); got != "s/compaction-1" {
		t.Fatal(got)
	}

	_, err := Get(tree, id)
	var g *GoneError
	if !errors.As(err, &g) || !errors.Is(err, ErrUnknown) {
		t.Fatalf("%v", err)
	}
	if want := "chunk " + id + " expired on 2099-01-01T00:00:00.000Z; its file is .forgemind/.local/trash/"; !strings.HasPrefix(err.Error(), want) || g.Name != name {
		t.Errorf("%v, from %s", err, g.Name)
	}
	if where, ok := Trash(tree, name); !ok || where != g.Trash {
		t.Errorf("it went to %s, %v", where, ok)
	}
	if got, n := verified(t, tree); len(got) > 0 || n.Expired != 1 {
		t.Errorf("%+v %v", n, got)
	}
	kept, err := tree.Read(g.Trash)
	if err != nil || string(kept) != string(src) {
		t.Fatalf("%v: %q", err, kept)
	}
	write(t, tree, g.Name, string(kept))
	if c, err := Get(tree, id); err != nil || c.Content != "apples" {
		t.Errorf("%v %+v", err, c)
	}
	if _, err := Get(tree, "chunk-unknown"); errors.As(err, new(*GoneError)) || !errors.Is(err, ErrUnknown) {
		t.Errorf("never there: %v", err)
	}
}

// Verify reports a file that was removed before it expired.
func TestWhatWasTakenAwayIsNotExpired(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	if err := putChunks(tree, fs.Forgemind, "s", "compaction-1", left(t, "compaction-1", "apples")); err != nil {
		t.Fatal(err)
	}
	write(t, tree, fs.Messages, `{"compaction":{"ID":"compaction-1","Session":"s","Lines":1}}`+"\n")
	tree.Now = func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) }
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		tx.Remove(Name(fs.Forgemind, "s", "compaction-1"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, _ := verified(t, tree)
	if len(got) != 1 || !strings.Contains(got[0], "its file was taken away on 2026-11-21T00:00:00.000Z, and is in .forgemind/.local/trash/") {
		t.Errorf("%v", got)
	}
}
