package cold

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/schema"
)

// newTree makes a tree of the folders whose clock is a minute ahead, so that
// what was just written counts as settled.
func newTree(t testing.TB, folders ...string) *fs.Tree {
	t.Helper()
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	if err := tree.Create(folders...); err != nil {
		t.Fatal(err)
	}
	tree.Now = func() time.Time { return time.Now().Add(time.Minute) }
	return tree
}

// early is a clock for which every file was written a moment ago, however slow
// the machine is.
func early() time.Time { return time.Unix(0, 0) }

// put puts chunks, each of them an id and what it says, that stood far from each
// other.
func put(t testing.TB, tree *fs.Tree, home, session, compaction string, pairs ...string) {
	t.Helper()
	var chunks []schema.Chunk
	for i := 0; i < len(pairs); i += 2 {
		chunks = append(chunks, schema.Chunk{ChunkID: pairs[i], Content: pairs[i+1], Timestamp: "2026-11-20T09:00:00.000Z", Line: schema.Int(100 * i)})
	}
	if err := putChunks(tree, home, session, compaction, chunks); err != nil {
		t.Fatal(err)
	}
}

func putChunks(tree *fs.Tree, home, session, compaction string, chunks []schema.Chunk) error {
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		_, err := Put(tx, home, session, compaction, chunks)
		return err
	})
	return err
}

// recovered is the ids of what a query finds.
func recovered(t testing.TB, tree *fs.Tree, query string, limit int) string {
	t.Helper()
	found, err := Recover(tree, query, limit)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range found {
		all = append(all, f.ChunkID)
	}
	return strings.Join(all, " ")
}

// write writes a file as somebody else would.
func write(t testing.TB, tree *fs.Tree, name, text string) {
	t.Helper()
	path := filepath.Join(tree.Root(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsPutComesBackByteForByte(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	chunks := []schema.Chunk{
		{ChunkID: "chunk-a", SessionID: "session-1", Content: "line one\nline two\u2028<&>\x00", Tokens: 7, Counter: "o200k", DropReason: "low_relevance",
			RelevanceScore: 0.15, Timestamp: "2026-11-20T09:00:00.000Z", Message: json.RawMessage(`{"msg_id":"msg-1","content":"é","x":1e3}`), Line: 0},
		{ChunkID: "chunk-b", Content: "é", Message: json.RawMessage(`" {\"msg_id\": \"msg-2\"} \r"`), Line: 3},
		{ChunkID: "chunk-c", Content: ""},
	}
	if err := putChunks(tree, fs.Forgemind, "session-1", "compaction-1", chunks); err != nil {
		t.Fatal(err)
	}
	got, err := Of(tree, "session-1", "compaction-1")
	if err != nil || !reflect.DeepEqual(got, chunks) {
		t.Errorf("Of: %v\n got %+v\nwant %+v", err, got, chunks)
	}
	got, faults, err := List(tree)
	if err != nil || len(faults) > 0 || !reflect.DeepEqual(got, chunks) {
		t.Errorf("List: %v %v %+v", err, faults, got)
	}
	for _, want := range chunks {
		got, err := Get(tree, want.ChunkID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Get %s: %v %+v", want.ChunkID, err, got)
		}
	}
	// Putting the same again changes nothing.
	if err := putChunks(tree, fs.Forgemind, "session-1", "compaction-1", chunks); err != nil {
		t.Error(err)
	}
}

func TestWhatPutRefuses(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	put(t, tree, fs.Forgemind, "s", "c", "chunk-1", "the first")
	before, _ := tree.Read(Name(fs.Forgemind, "s", "c"))
	chunk := func(id, content, message string) schema.Chunk {
		return schema.Chunk{ChunkID: id, Content: content, Message: json.RawMessage(message)}
	}
	tests := []struct {
		why, session, compaction string
		chunks                   []schema.Chunk
	}{
		{"other chunks stand there", "s", "c", []schema.Chunk{chunk("chunk-1", "another", "")}},
		{"the session leads out", "..", "c2", []schema.Chunk{chunk("chunk-1", "x", "")}},
		{"the compaction leads out", "s", "../../c2", []schema.Chunk{chunk("chunk-1", "x", "")}},
		{"an id is none", "s", "c2", []schema.Chunk{chunk("a b\x1b", "x", "")}},
		{"an id stands there twice", "s", "c2", []schema.Chunk{chunk("a", "x", ""), chunk("a", "y", "")}},
		{"the message would be written with other bytes", "s", "c2", []schema.Chunk{chunk("a", "x", `{"a": 1}`)}},
		{"the message is no JSON", "s", "c2", []schema.Chunk{chunk("a", "x", `{"a"`)}},
		{"the content is no text", "s", "c2", []schema.Chunk{chunk("a", "\xff", "")}},
	}
	for _, tt := range tests {
		err := putChunks(tree, fs.Forgemind, tt.session, tt.compaction, tt.chunks)
		if err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
	if err := putChunks(tree, fs.Forgemind, "s", "c", []schema.Chunk{{ChunkID: "z"}}); !errors.Is(err, ErrOther) {
		t.Errorf("an overwriting: %v", err)
	}
	if after, _ := tree.Read(Name(fs.Forgemind, "s", "c")); string(after) != string(before) {
		t.Errorf("it was overwritten: %s", after)
	}
	if _, _, err := List(tree); err != nil {
		t.Error(err)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	for _, folders := range [][]string{{fs.Forgemind}, {fs.Quaid}, {fs.Forgemind, fs.Quaid}} {
		tree := newTree(t, folders...)
		if _, err := Of(tree, "s", "c"); !errors.Is(err, ErrUnknown) {
			t.Errorf("Of: %v", err)
		}
		for _, id := range []string{"chunk-1", "", "../x", "\x1b[2J"} {
			if _, err := Get(tree, id); !errors.Is(err, ErrUnknown) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("Get: %v", err)
			}
		}
		if got := recovered(t, tree, "anything", 0); got != "" {
			t.Errorf("Recover: %s", got)
		}
		if chunks, faults, err := List(tree); len(chunks)+len(faults) > 0 || err != nil {
			t.Errorf("List: %v %v %v", chunks, faults, err)
		}
	}
}

func TestRecover(t *testing.T) {
	tree := newTree(t, fs.Forgemind, fs.Quaid)
	put(t, tree, fs.Quaid, "s1", "c1", "chunk-q", "We deploy from the release branch")
	put(t, tree, fs.Forgemind, "s2", "c1", "chunk-1", "Deploying deploys what was deployed", "chunk-2", "the journal search in internal/journal/search.go")
	put(t, tree, fs.Forgemind, "s2", "c2", "chunk-3", "lunch at noon", "chunk-4", "a journal of the things that happened while nobody looked at it")
	tests := []struct {
		query string
		limit int
		want  string
	}{
		{"deployment", 0, "chunk-1 chunk-q"},
		{"deployment", 1, "chunk-1"},
		{"how do journals work?", 0, "chunk-2 chunk-4"},
		{"search.go", 5, "chunk-2"},
		{"the", 0, ""},
		{"elephants", 0, ""},
	}
	for range 2 { // without an index, and with it
		for _, tt := range tests {
			if got := recovered(t, tree, tt.query, tt.limit); got != tt.want {
				t.Errorf("%q, %d: %s, want %s", tt.query, tt.limit, got, tt.want)
			}
		}
	}
	found, err := Recover(tree, "lunch", 0)
	if err != nil || len(found) != 1 || found[0].Content != "lunch at noon" || found[0].Score <= 0 {
		t.Errorf("%v %+v", err, found)
	}
}

func TestEqualScoresComeInTheOrderOfTime(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	chunk := func(id, at string) schema.Chunk {
		return schema.Chunk{ChunkID: id, Content: "apples and pears", Timestamp: at}
	}
	for i, chunks := range [][]schema.Chunk{
		{chunk("late", "2026-11-20T12:00:00Z"), chunk("timeless", ""), chunk("latest", "2026-11-20T20:00:00+01:00")},
		{chunk("early", "2026-11-20T08:00:00.001Z"), chunk("earliest", "2026-11-20T08:00:00Z"), chunk("late", "2026-11-20T12:00:00Z")},
	} {
		for j, c := range chunks { // what stands in one session waits for each other
			if err := putChunks(tree, fs.Forgemind, fmt.Sprintf("s%d-%d", i, j), "c", []schema.Chunk{c}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got, want := recovered(t, tree, "pears", 0), "earliest early late latest timeless"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := recovered(t, tree, "pears", 2); got != "earliest early" {
		t.Errorf("the first two: %s", got)
	}
}

// An answer is found by its question, which stood before it: it has none of the
// words.
func TestWhatStoodBesideIsFound(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	chunks := left(t, "c", "Which orchard are the quinces from?", "Malvern", "Lunch at noon", "nothing", "nothing more")
	chunks[1].Line, chunks[2].Line = chunks[2].Line, chunks[1].Line // the order of lines, not of the file
	chunks[1], chunks[2] = chunks[2], chunks[1]
	if err := putChunks(tree, fs.Forgemind, "s", "c", chunks); err != nil {
		t.Fatal(err)
	}
	put(t, tree, fs.Forgemind, "other", "c", "chunk-1", "apples")
	found, err := Recover(tree, "quinces from which orchard", 2)
	if err != nil || len(found) != 2 || found[0].ChunkID != chunks[0].ChunkID || found[1].Content != "Lunch at noon" {
		t.Errorf("%v %+v", err, found)
	}
	if found[0].Score < found[1].Score || found[0].Score > 1 || found[1].Score <= 0 {
		t.Errorf("scores %v, %v", found[0].Score, found[1].Score)
	}
}

// What is wrong with cold storage is reported, and hides nothing else.
func TestDamagedLinesHideNoOthers(t *testing.T) {
	t.Parallel()
	tree := newTree(t, fs.Forgemind)
	name := Name(fs.Forgemind, "s", "c")
	write(t, tree, name, "\ufeff"+strings.Join([]string{
		`{"chunk_id":"chunk-1","content":"apples"}` + "\r",
		`<<<<<<< HEAD`,
		``,
		`{"chunk_id":"chunk-2","content":"pears","unknown":{"kept":true}}`,
		`{"chunk_id":"../x","content":"apples"}`,
		`{"chunk_id":"chunk-3"`,
		`["chunk-4"]`,
		"\x00\x00\x00",
		`{"chunk_id":"chunk-\u0035","content":"apples","tokens":"many"}`,
		`{"chunk_id":"chunk-\u0036","content":"apples again"}`,
		`{"chunk_id":"chunk-7","content":"apples`,
	}, "\n"))
	if err := os.MkdirAll(filepath.Join(tree.Root(), ".forgemind/cold-storage/s/dir.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, tree, ".forgemind/cold-storage/stray.jsonl", "apples")
	write(t, tree, ".forgemind/cold-storage/s/notes.txt", "apples")
	if err := os.Symlink("c.jsonl", filepath.Join(tree.Root(), ".forgemind/cold-storage/s/link.jsonl")); err != nil {
		t.Log(err)
	}
	chunks, faults, err := List(tree)
	if err != nil || len(chunks) != 3 {
		t.Errorf("%v: %+v", err, chunks)
	}
	var lines []int
	for _, f := range faults {
		if f.Name == name {
			lines = append(lines, f.Line)
		}
		if f.Err == nil {
			t.Errorf("%+v", f)
		}
	}
	if want := []int{2, 5, 6, 7, 8, 9, 11}; !slices.Equal(lines, want) {
		t.Errorf("faults in lines %v, want %v", lines, want)
	}
	if got := recovered(t, tree, "apples", 0); got != "chunk-1 chunk-6" {
		t.Errorf("found %s", got)
	}
	for _, r := range []fs.Reader{tree, struct{ fs.Reader }{tree}} {
		if c, err := Get(r, "chunk-6"); err != nil || c.Content != "apples again" {
			t.Errorf("%v %+v", err, c)
		}
		if _, err := Get(r, "chunk-3"); !errors.Is(err, ErrUnknown) {
			t.Errorf("a damaged one: %v", err)
		}
	}
	if _, err := Of(tree, "s", "c"); err == nil || !strings.Contains(err.Error(), name+":2:") {
		t.Errorf("Of: %v", err)
	}
}

// A transaction sees what it has put.
func TestATransactionSeesItsChunks(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		if _, err := Put(tx, fs.Forgemind, "s", "c", []schema.Chunk{{ChunkID: "chunk-1", Content: "x"}}); err != nil {
			return err
		}
		if _, err := Get(tx, "chunk-1"); err != nil {
			t.Error(err)
		}
		if chunks, err := Of(tx, "s", "c"); err != nil || len(chunks) != 1 {
			t.Errorf("%v %v", chunks, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
