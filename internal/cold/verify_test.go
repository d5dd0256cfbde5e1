package cold

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/schema"
)

// left is the chunks of a compaction of lines, each of which says one thing; a
// line whose content has a | left in passages.
func left(t testing.TB, compaction string, contents ...string) (chunks []schema.Chunk) {
	t.Helper()
	for line, content := range contents {
		raw := fmt.Appendf(nil, `{"msg_id":"msg-%d","content":%q}`, line, strings.ReplaceAll(content, "|", ""))
		parts := strings.Split(content, "|")
		for i, part := range parts {
			c := schema.Chunk{Content: part, Timestamp: "2026-11-20T09:00:00.000Z", RecoverableUntil: "2026-12-20T09:00:00.000Z", Line: schema.Int(line)}
			if len(parts) > 1 {
				c.Part, c.Parts = schema.Int(i+1), schema.Int(len(parts))
			}
			if i == 0 {
				c.Message = json.RawMessage(raw)
			}
			c.ChunkID = ID(compaction, line, raw, int(c.Part))
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// verified is what is wrong, a line of text each.
func verified(t testing.TB, r fs.Reader) (all []string, n Count) {
	t.Helper()
	faults, n, err := Verify(r, tells)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%s:%d: %v", f.Name, f.Line, f.Err))
	}
	return all, n
}

// tells reads what these tests write into conversations.
func tells(line []byte) (Compaction, bool) {
	var m struct {
		Compaction *Compaction `json:"compaction"`
	}
	if jsonedit.Decode(line, &m) != nil || m.Compaction == nil {
		return Compaction{}, false
	}
	return *m.Compaction, true
}

const shelfName = ".forgemind/cold-storage/s/compaction-1.jsonl"

// five is a tree in whose cold storage stand three messages, one of them in
// three passages, and whose conversation tells of them.
func five(t testing.TB) *fs.Tree {
	tree := newTree(t, fs.Forgemind)
	if err := putChunks(tree, fs.Forgemind, "s", "compaction-1", left(t, "compaction-1", "apples", "pears are |good, and |plums", "figs")); err != nil {
		t.Fatal(err)
	}
	write(t, tree, fs.Messages, `{"compaction":{"ID":"compaction-1","Session":"s","Lines":5,"Kept":[4,3]}}`+"\n"+`{"content":"more"}`+"\n")
	return tree
}

func TestNothingIsWrongWithWhatWasPut(t *testing.T) {
	tree := five(t)
	put(t, tree, fs.Forgemind, "elsewhere", "plain", "note-1", "no message is kept with it")
	if got, n := verified(t, tree); len(got) > 0 || n != (Count{Files: 2, Chunks: 6, Compactions: 1}) {
		t.Errorf("%+v %s", n, strings.Join(got, "\n"))
	}
	chunks, err := Of(tree, "s", "compaction-1")
	if err != nil || len(chunks) != 3 || slices.ContainsFunc(chunks, func(c schema.Chunk) bool { return len(c.Message) == 0 }) {
		t.Errorf("%v: of 3 messages %d chunks came back: %+v", err, len(chunks), chunks)
	}
	if empty, n := verified(t, newTree(t, fs.Quaid)); len(empty) > 0 || n != (Count{}) {
		t.Errorf("%+v %v", n, empty)
	}
}

// Whatever is done to a file of chunks by hand is found, and where.
func TestWhatIsDoneToAFileOfChunks(t *testing.T) {
	replaced := func(old, new string) func([]string) []string {
		return func(lines []string) []string {
			return strings.SplitAfter(strings.Replace(strings.Join(lines, ""), old, new, 1), "\n")
		}
	}
	tests := []struct {
		what string
		do   func(lines []string) []string
		want []string // of each fault, a piece
	}{
		{"the content was edited", replaced(`"content":"apples","tokens"`, `"content":"quinces","tokens"`), []string{":1: chunk chunk-"}},
		{"the message was edited", replaced(`"content":"figs"}`, `"content":"dates"}`), []string{":5: chunk chunk-"}},
		{"both were", func(lines []string) []string {
			lines[4] = strings.ReplaceAll(lines[4], "figs", "dates")
			return lines
		}, []string{":5: chunk chunk-"}},
		{"the id was", replaced(`{"chunk_id":"chunk-`, `{"chunk_id":"chunk-0`), []string{":1: chunk chunk-0"}},
		{"a passage was", replaced(`"content":"good, and "`, `"content":"bad, and "`), []string{":2: chunk "}},
		{"the message of a passage was", replaced("pears are good, and plums", "plums"), []string{":2: chunk ", ":3: chunk ", ":4: chunk "}},
		{"the line was", replaced(`"line":2`, `"line":3`), []string{":5: chunk ", "messages.jsonl:1: of the 3 lines that left in compaction compaction-1, 1 are not in cold storage (3)"}},
		{"a passage is gone", func(lines []string) []string { return slices.Delete(lines, 2, 3) }, []string{":2: passage 2 of 3 of a message is missing"}},
		{"the first is", func(lines []string) []string { return slices.Delete(lines, 1, 2) }, []string{":2: passage 1 of 3 of a message is missing", "(2)"}},
		{"the last is", func(lines []string) []string { return slices.Delete(lines, 3, 4) }, []string{":2: passage 3 of 3"}},
		{"the passages disagree", replaced(`"parts":3`, `"parts":2`), []string{":3: chunk "}},
		{"there is a fourth of three", replaced(`"part":3,"parts":3`, `"part":4,"parts":3`), []string{":4: chunk ", ":4: chunk "}},
		{"a message is gone", func(lines []string) []string { return lines[1:] }, []string{"messages.jsonl:1: of the 3 lines that left in compaction compaction-1, 1 are not in cold storage (1)"}},
		{"all but one are gone", func(lines []string) []string { return lines[4:] }, []string{"2 are not in cold storage (1-2)"}},
		{"a line stands twice", func(lines []string) []string { return append(lines, lines[0]) }, []string{" stands at " + shelfName + ":1 already"}},
		{"a line is torn", func(lines []string) []string { lines[0] = lines[0][:40] + "\n"; return lines }, []string{":1: no chunk: ", "(1)"}},
		{"a date is none", replaced("2026-12-20T09:00:00.000Z", "in a month"), []string{`:1: chunk chunk-`}},
		{"a time is none", replaced(`"timestamp":"2026-11-20T09:00:00.000Z"`, `"timestamp":"yesterday"`), []string{`:1: chunk chunk-`}},
		{"a message is taken out", replaced(`"message":{"msg_id":"msg-2","content":"figs"},`, ""), []string{":5: chunk ", "(3)"}},
		{"a message has no content", replaced(`"msg-2","content":"figs"}`, `"msg-2"}`), []string{":5: chunk "}},
		{"another session's", replaced(`"timestamp"`, `"session_id":"other","timestamp"`), []string{":1: chunk chunk-"}},
		{"a huge number of passages", replaced(`"part":1,"parts":3`, `"part":1,"parts":9007199254740991`), []string{":3: chunk "}},
		{"nothing", func(lines []string) []string { return lines }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.what, func(t *testing.T) {
			tree := five(t)
			src, err := tree.Read(shelfName)
			if err != nil {
				t.Fatal(err)
			}
			write(t, tree, shelfName, strings.Join(tt.do(strings.SplitAfter(string(src), "\n")[:5]), ""))
			got, _ := verified(t, tree)
			if len(got) != len(tt.want) {
				t.Fatalf("%d faults, want %d:\n%s", len(got), len(tt.want), strings.Join(got, "\n"))
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("%s\nhas not %q", got[i], want)
				}
			}
		})
	}
}

// What is done to whole files is found by what conversations tell.
func TestWhatIsDoneToTheFolder(t *testing.T) {
	tree := five(t)
	old := filepath.Join(tree.Root(), shelfName)
	if err := os.Rename(old, filepath.Join(filepath.Dir(old), "compaction-2.jsonl")); err != nil {
		t.Fatal(err)
	}
	got, _ := verified(t, tree)
	if len(got) != 2 || !strings.Contains(got[0], "compaction-2.jsonl:0: no chunk's id follows from compaction compaction-2") ||
		!strings.Contains(got[1], "3 are not in cold storage (1-3)") {
		t.Errorf("renamed: %s", strings.Join(got, "\n"))
	}
	if err := os.RemoveAll(filepath.Dir(old)); err != nil {
		t.Fatal(err)
	}
	if got, n := verified(t, tree); len(got) != 1 || !strings.HasPrefix(got[0], fs.Messages+":1: of the 3 lines") || n.Compactions != 1 {
		t.Errorf("removed: %+v %s", n, strings.Join(got, "\n"))
	}
}

// A compaction that the next one took out is known by the chunk that stood for
// it.
func TestACompactionWhoseSummaryLeft(t *testing.T) {
	tree := newTree(t, fs.Forgemind)
	raw := []byte(`{"compaction":{"ID":"compaction-1","Session":"s","Lines":2},"content":"a summary"}`)
	c := schema.Chunk{ChunkID: ID("compaction-2", 0, raw, 0), Content: "a summary", Message: raw}
	if err := putChunks(tree, fs.Forgemind, "s", "compaction-2", []schema.Chunk{c}); err != nil {
		t.Fatal(err)
	}
	got, _ := verified(t, tree)
	if len(got) != 1 || !strings.Contains(got[0], "compaction-2.jsonl:1: of the 2 lines that left in compaction compaction-1") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}

// Whatever stands in a file of chunks, judging it ends.
func FuzzVerify(f *testing.F) {
	text, err := encode(left(f, "compaction-1", "apples", "pears are |good", "figs"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"chunk_id":"a","content":"","part":9007199254740991,"parts":9007199254740991,"line":9007199254740991,"message":"x"}`))
	f.Add([]byte(`{"chunk_id":"a","content":"","message":"{\"compaction\":{\"ID\":\"c\",\"Session\":\"s\",\"Lines\":9007199254740991}}"}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		v := verification{tells: tells, places: map[string]place{}, left: map[string]map[int]bool{}, reader: nothing{}}
		v.file(shelfName, src)
		if err := v.conversations(); err != nil {
			t.Error(err)
		}
		if n := len(v.faults); n > 6*(v.count.Chunks+1)+strings.Count(string(src), "\n")+1 {
			t.Errorf("%d faults of %d bytes", n, len(src))
		}
	})
}

// What no conversation tells of any more, the log of drops does: the file of an
// earlier compaction that was deleted, and a line that somebody took out. What was
// taken back, or expired, is in the trash and no fault.
func TestWhatTheLogSaysWasDroppedIsMissed(t *testing.T) {
	t.Parallel()
	tree := newTree(t, fs.Forgemind)
	var log strings.Builder
	for n, contents := range [][]string{{"apples", "pears"}, {"plums", "figs"}, {"quinces", "medlars"}} {
		compaction := fmt.Sprintf("compaction-%d", n+1)
		chunks := left(t, compaction, contents...)
		if err := putChunks(tree, fs.Forgemind, "s", compaction, chunks); err != nil {
			t.Fatal(err)
		}
		for _, c := range chunks {
			fmt.Fprintf(&log, `{"timestamp":"2026-11-20T10:00:00.000Z","event":"chunk_dropped","chunk_id":%q,"cold_storage_path":%q}`+"\n", c.ChunkID, Name(fs.Forgemind, "s", compaction))
		}
	}
	write(t, tree, fs.Forgemind+"/"+fs.DropLog, log.String()+"{torn")
	if got, _ := verified(t, tree); len(got) > 0 {
		t.Fatal(got)
	}
	second, third := Name(fs.Forgemind, "s", "compaction-2"), Name(fs.Forgemind, "s", "compaction-3")
	plums, medlars := left(t, "compaction-2", "plums")[0].ChunkID, left(t, "compaction-3", "quinces", "medlars")[1].ChunkID
	_, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error {
		tx.Remove(Name(fs.Forgemind, "s", "compaction-1"))
		return nil
	})
	if err == nil {
		err = os.Remove(filepath.Join(tree.Root(), second))
	}
	src, _ := tree.Read(third)
	if err != nil || os.WriteFile(filepath.Join(tree.Root(), third), src[:strings.Index(string(src), "\n")+1], 0o644) != nil {
		t.Fatal(err)
	}
	got, _ := verified(t, tree)
	if len(got) != 2 || !strings.HasPrefix(got[0], second+":0: of the 2 chunks") || !strings.Contains(got[0], plums) ||
		!strings.HasPrefix(got[1], third+":0: of the 2 chunks") || !strings.Contains(got[1], "1 are not there ("+medlars+"):") {
		t.Error(strings.Join(got, "\n"))
	}
}

// A compaction that was taken back and made again, and then expired, is no fault:
// the trash has its file twice, and the later one tells.
func TestTheLatestInTheTrashTells(t *testing.T) {
	tree := five(t)
	src, err := tree.Read(shelfName)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		past := strings.ReplaceAll(string(src), "2026-12-20T09:00:00.000Z", "2020-01-01T00:00:00.000Z")
		_, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error { tx.Remove(shelfName); return nil })
		if err != nil {
			t.Fatal(err)
		}
		write(t, tree, shelfName, past)
	}
	if _, err = tree.Transaction(t.Context(), func(tx *fs.Tx) error { tx.Remove(shelfName); return nil }); err != nil {
		t.Fatal(err)
	}
	if got, n := verified(t, tree); len(got) > 0 || n.Expired != 1 {
		t.Errorf("%+v %s", n, strings.Join(got, "\n"))
	}
}
