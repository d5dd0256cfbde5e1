package cold

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/relevance"
	"github.com/forgemind/forgemind/schema"
)

// stocked returns a tree with one file of three chunks, the name of that file and its stamp.
func stocked(t testing.TB) (*fs.Tree, fs.Stamp) {
	t.Helper()
	tree := newTree(t, fs.Forgemind)
	put(t, tree, fs.Forgemind, "s", "c", "chunk-1", "apples", "chunk-2", "pears and apples", "chunk-3", "plums")
	return tree, stampOf(t, tree)
}

func stampOf(t testing.TB, tree *fs.Tree) fs.Stamp {
	t.Helper()
	stamps, _, err := tree.Stamps(fs.Forgemind + "/" + fs.ColdDir + "/s")
	if err != nil {
		t.Skip(err) // a system without stamps keeps no index
	}
	if len(stamps) != 1 {
		t.Fatalf("%+v", stamps)
	}
	return stamps[0]
}

// kept returns the bytes of the index on disk, or nil.
func kept(tree *fs.Tree, stamp fs.Stamp) []byte {
	text, _ := os.ReadFile(filepath.Join(tree.Root(), indexName(stamp.Name)))
	return text
}

func TestTheIndexIsKeptAndBelieved(t *testing.T) {
	tree, stamp := stocked(t)
	if got := recovered(t, tree, "apple", 0); got != "chunk-1 chunk-2" {
		t.Fatal(got)
	}
	src, _ := tree.Read(stamp.Name)
	if got := kept(tree, stamp); string(got) != string(buildIndex(stamp, src)) {
		t.Fatalf("an index of %d bytes was kept", len(got))
	}
	// An index with the right stamp and other words shows that the index is used.
	write(t, tree, indexName(stamp.Name), string(buildIndex(stamp, []byte(strings.Replace(string(src), "plums", "grape", 1)))))
	if got := recovered(t, tree, "grapes", 0); got != "chunk-3" {
		t.Errorf("the index was not asked: %q", got)
	}
}

func TestAStaleIndexIsMadeAnew(t *testing.T) {
	tree, stamp := stocked(t)
	recovered(t, tree, "apple", 0)
	src, _ := tree.Read(stamp.Name)
	write(t, tree, stamp.Name, string(src)+`{"chunk_id":"chunk-4","content":"more apples here today"}`+"\n")
	if got := recovered(t, tree, "apple", 0); got != "chunk-1 chunk-2 chunk-4" {
		t.Errorf("after an addition: %s", got)
	}
	if err := os.Remove(filepath.Join(tree.Root(), stamp.Name)); err != nil {
		t.Fatal(err)
	}
	if got := recovered(t, tree, "apple", 0); got != "" {
		t.Errorf("after its removal: %s", got)
	}
}

// A file that was written a moment ago may be written again without getting a new stamp.
func TestNoIndexIsKeptOfAFileStillWarm(t *testing.T) {
	tree, stamp := stocked(t)
	tree.Now = early
	if got := recovered(t, tree, "plum", 0); got != "chunk-3" || kept(tree, stamp) != nil {
		t.Errorf("%s, an index of %d bytes", got, len(kept(tree, stamp)))
	}
}

func TestADamagedIndexIsMadeAnew(t *testing.T) {
	tree, stamp := stocked(t)
	recovered(t, tree, "apple", 0)
	good := kept(tree, stamp)
	bad := [][]byte{{}, []byte("x"), good[:len(good)/2], append(slices.Clone(good), 0), make([]byte, len(good))}
	for i := range good {
		b := slices.Clone(good)
		b[i] ^= 1
		bad = append(bad, b)
	}
	for _, b := range bad {
		if _, ok := openIndex(stamp, b); ok {
			t.Fatal("a damaged index is believed")
		}
	}
	for _, b := range bad[:6] {
		write(t, tree, indexName(stamp.Name), string(b))
		if got := recovered(t, tree, "pear", 0); got != "chunk-2" {
			t.Errorf("found %s", got)
		}
		if string(kept(tree, stamp)) != string(good) {
			t.Error("the damaged index still stands")
		}
	}
}

// An index of the right form with wrong positions is detected when a hit is read.
func TestAnIndexThatLeadsAstrayIsMadeAnew(t *testing.T) {
	tree, stamp := stocked(t)
	src, _ := tree.Read(stamp.Name)
	lines := strings.SplitAfter(string(src), "\n")
	write(t, tree, indexName(stamp.Name), string(buildIndex(stamp, []byte(lines[2]+lines[1]+lines[0]))))
	if got := recovered(t, tree, "plum", 0); got != "chunk-3" {
		t.Errorf("found %q", got)
	}
	write(t, tree, indexName(stamp.Name), string(buildIndex(stamp, []byte(lines[2]+lines[1]+lines[0]))))
	if c, err := Get(tree, "chunk-3"); err != nil || c.Content != "plums" {
		t.Errorf("%v %+v", err, c)
	}
	write(t, tree, indexName(stamp.Name), string(buildIndex(stamp, []byte(strings.Replace(string(src), "chunk-3", "chunk-9", 1)))))
	if c, err := Get(tree, "chunk-9"); !errors.Is(err, ErrUnknown) {
		t.Errorf("%v %+v", err, c)
	}
	if string(kept(tree, stamp)) != string(buildIndex(stamp, src)) {
		t.Error("the wrong index still stands")
	}
}

// Without a place for an index on disk, an index in memory is used.
func TestNothingNeedsToBeWritten(t *testing.T) {
	tree, stamp := stocked(t)
	write(t, tree, fs.LocalName(fs.Forgemind, "index"), "a file, where the folder should be")
	for range 2 {
		if got := recovered(t, tree, "plum", 0); got != "chunk-3" {
			t.Errorf("found %s", got)
		}
	}
	if c, err := Get(tree, "chunk-2"); err != nil || c.ChunkID != "chunk-2" {
		t.Errorf("%v %+v", err, c)
	}
	if kept(tree, stamp) != nil {
		t.Error("an index was written")
	}
}

// No bytes make an index that loops or that leads outside the file.
func FuzzOpenIndex(f *testing.F) {
	src := []byte(`{"chunk_id":"a","content":"alpha beta"}` + "\n" + `{"chunk_id":"b","content":"beta","timestamp":"2026-11-20T09:00:00Z"}` + "\n")
	stamp := fs.Stamp{Name: ".forgemind/cold-storage/s/c.jsonl", Size: int64(len(src)), Inode: 7}
	good := buildIndex(stamp, src)
	body := len(heading) + checksumSize + len(appendStamp(nil, stamp))
	f.Add(good[body:])
	for i := body; i < len(good); i++ {
		bad := slices.Clone(good)
		bad[i] ^= 0xff
		f.Add(bad[body:])
	}
	f.Fuzz(func(t *testing.T, rest []byte) {
		x, ok := openIndex(stamp, checksum(slices.Concat(good[:body], rest)))
		if !ok {
			return
		}
		for i := range x.chunks() {
			if e := x.entry(i); e.offset+uint64(e.size) > uint64(stamp.Size) {
				t.Errorf("chunk %d stands at %d, %d bytes", i, e.offset, e.size)
			}
			if at := x.find(x.id(i)); at < 0 || at > i {
				t.Errorf("chunk %d is not to be found", i)
			}
		}
		for _, h := range relevance.Search("alpha beta", x.words) {
			x.entry(h.Text)
		}
	})
}

// TestAReadIndexSaysWhatWasBuilt builds an index and reads it back.
func TestAReadIndexSaysWhatWasBuilt(t *testing.T) {
	tree, stamp := stocked(t)
	src, _ := tree.Read(stamp.Name)
	x, ok := openIndex(stamp, buildIndex(stamp, src))
	if !ok || x.chunks() != 3 {
		t.Fatal(ok)
	}
	for i := range 3 {
		e := x.entry(i)
		c, err := decode(src[e.offset : e.offset+uint64(e.size)])
		if err != nil || c.ChunkID != x.id(i) || x.find(c.ChunkID) != i || e.time != 1795165200000 {
			t.Errorf("%v: chunk %d is %s, %+v", err, i, x.id(i), e)
		}
	}
	other := stamp
	other.Changed++
	if _, ok := openIndex(other, buildIndex(stamp, src)); ok {
		t.Error("the index of another stamp is believed")
	}
}

// large returns a tree with n chunks of about 500 bytes.
func large(b *testing.B, n int) *fs.Tree {
	tree := newTree(b, fs.Forgemind)
	filler := strings.Repeat("nothing much was said about it ", 12)
	for file := range 10 {
		var chunks []schema.Chunk
		for i := range n / 10 {
			chunks = append(chunks, schema.Chunk{
				ChunkID: fmt.Sprintf("chunk-%d-%d", file, i), Timestamp: "2026-11-20T09:00:00.000Z",
				Content: fmt.Sprintf("topic%d in pkg%d/file%d.go %s", i%997, i%31, i%211, filler),
			})
		}
		if err := putChunks(tree, fs.Forgemind, "s", fmt.Sprint("c", file), chunks); err != nil {
			b.Fatal(err)
		}
	}
	return tree
}

func BenchmarkRecover(b *testing.B) {
	tree := large(b, 100_000)
	now := tree.Now
	b.Run("index made", func(b *testing.B) {
		tree.Now = early // no index is kept
		for b.Loop() {
			recovered(b, tree, "topic7 in file7.go", 10)
		}
	})
	tree.Now = now
	recovered(b, tree, "topic7", 10)
	b.Run("index kept", func(b *testing.B) {
		for b.Loop() {
			recovered(b, tree, "topic7 in file7.go", 10)
		}
	})
	b.Run("by id", func(b *testing.B) {
		for b.Loop() {
			if _, err := Get(tree, "chunk-9-9999"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
