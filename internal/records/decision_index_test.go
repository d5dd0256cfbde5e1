package records_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/records"
	"github.com/forgemind/forgemind/schema"
)

const many = 300 // decisions: enough for an index

// bigLedger is a tree of many decisions, in whose clock they were written an
// hour ago.
func bigLedger(t *testing.T) *fs.Tree {
	t.Helper()
	files := map[string]string{}
	for i := range many {
		files[fmt.Sprintf(".forgemind/decisions/DEC-%03d.json", i)] = fmt.Sprintf(
			`{"id": "DEC-%03d", "timestamp": "2026-03-%02dT09:00:00Z", "decision": "Use pears %03d", "impact": ["a", "b"], "alternatives_rejected": [], "files": ["x/%d.go"], "confidence": 0.5}`, i, 1+i%28, i, i)
	}
	tree := open(t, files)
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) }
	return tree
}

func index(t *testing.T, tree *fs.Tree) []byte {
	t.Helper()
	f, err := os.ReadFile(filepath.Join(tree.Root(), ".forgemind/.local/index/decisions"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return f
}

// plain hides what a *fs.Tree can do beyond reading.
type plain struct{ fs.Reader }

// same checks that the Ledger reads alike with its index and without.
func same(t *testing.T, tree *fs.Tree) ([]schema.Decision, []records.Fault) {
	t.Helper()
	got, _, faults := records.Decisions(tree)
	want, _, wantFaults := records.Decisions(plain{tree})
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%d decisions with the index, %d without, or others", len(got), len(want))
	}
	if fmt.Sprint(faults) != fmt.Sprint(wantFaults) {
		t.Fatalf("with the index %v, without %v", faults, wantFaults)
	}
	return got, faults
}

func TestAnIndexNeverHidesWhatTheFilesSay(t *testing.T) {
	t.Parallel()
	tree := bigLedger(t)
	same(t, tree)
	if len(index(t, tree)) == 0 {
		t.Fatal("no index was written")
	}
	same(t, tree)
	time.Sleep(20 * time.Millisecond) // this tree's clock is ahead; the file system's ticks slowly

	dir := filepath.Join(tree.Root(), ".forgemind/decisions")
	file := func(i int) string { return filepath.Join(dir, fmt.Sprintf("DEC-%03d.json", i)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		what     string
		do       func()
		all, bad int
	}{
		{"an edit in place that keeps size and time", func() {
			fi, err := os.Stat(file(7))
			must(err)
			text, err := os.ReadFile(file(7))
			must(err)
			must(os.WriteFile(file(7), bytes.Replace(text, []byte("pears"), []byte("plums"), 1), 0o644))
			must(os.Chtimes(file(7), fi.ModTime(), fi.ModTime()))
		}, many, 0},
		{"another file put there", func() {
			text, err := os.ReadFile(file(8))
			must(err)
			must(os.WriteFile(file(8)+"~", bytes.Replace(text, []byte("pears"), []byte("figs!"), 1), 0o644))
			must(os.Rename(file(8)+"~", file(8)))
		}, many, 0},
		{"two that change places", func() { // then neither is named by its id
			must(os.Rename(file(9), file(9)+"~"))
			must(os.Rename(file(10), file(9)))
			must(os.Rename(file(9)+"~", file(10)))
		}, many - 2, 2},
		{"and back", func() {
			must(os.Rename(file(9), file(9)+"~"))
			must(os.Rename(file(10), file(9)))
			must(os.Rename(file(9)+"~", file(10)))
		}, many, 0},
		{"a new one", func() {
			must(os.WriteFile(filepath.Join(dir, "A.json"), []byte(`{"id": "A", "decision": "a"}`), 0o644))
		}, many + 1, 0},
		{"one that is gone", func() { must(os.Remove(file(11))) }, many, 0},
		{"one that is broken", func() { must(os.WriteFile(file(12), []byte("{"), 0o644)) }, many - 1, 1},
		{"a link, a directory, and what is no decision", func() {
			must(os.Remove(file(13)))
			must(os.Symlink("/etc/passwd", file(13)))
			must(os.Mkdir(filepath.Join(dir, "D.json"), 0o755))
			must(os.WriteFile(filepath.Join(dir, "notes.md"), nil, 0o644))
		}, many - 2, 2},
		{"a second name", func() { must(os.Link(file(14), filepath.Join(tree.Root(), "elsewhere"))) }, many - 3, 3},
	} {
		c.do()
		all, faults := same(t, tree)
		if len(all) != c.all || len(faults) != c.bad {
			t.Errorf("%s: %d decisions and %d faults", c.what, len(all), len(faults))
		}
	}
	text := fmt.Sprint(records.Decisions(tree))
	for _, words := range []string{"Use plums 007", "Use figs! 008"} {
		if !bytes.Contains([]byte(text), []byte(words)) {
			t.Errorf("nothing of %q", words)
		}
	}
}

func TestADamagedIndexIsNone(t *testing.T) {
	tree := bigLedger(t)
	same(t, tree)
	good := index(t, tree)
	path := filepath.Join(tree.Root(), ".forgemind/.local/index/decisions")
	for at := 0; at < len(good); at += 1 + len(good)/20 {
		flipped := bytes.Clone(good)
		flipped[at] ^= 0x10
		for _, bad := range [][]byte{flipped, good[:at]} {
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if all, _, _ := records.Decisions(tree); len(all) != many || all[0].Decision != "Use pears 000" {
				t.Fatalf("damaged at %d: %d decisions", at, len(all))
			}
			if now := index(t, tree); !bytes.Equal(now, good) {
				t.Fatalf("damaged at %d: not made anew as it was", at)
			}
		}
	}
}

func TestAnIndexIsOnlyWrittenWhereItHelps(t *testing.T) {
	small := open(t, map[string]string{".forgemind/decisions/DEC-1.json": `{"id": "DEC-1", "decision": "a"}`})
	small.Now = func() time.Time { return time.Now().Add(time.Hour) }
	same(t, small)
	dry := bigLedger(t)
	dry.DryRun = true
	same(t, dry)
	fresh := bigLedger(t)
	fresh.Now = func() time.Time { return time.Unix(0, 0) } // a file could change again within one tick of the clock
	same(t, fresh)
	blocked := bigLedger(t)
	if err := os.MkdirAll(filepath.Join(blocked.Root(), ".forgemind/.local"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(blocked.Root(), ".forgemind/.local/index"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	same(t, blocked)
	for _, tree := range []*fs.Tree{small, dry, fresh} {
		if len(index(t, tree)) > 0 {
			t.Error("an index was written")
		}
	}

	// Few new files are read, and the index stays.
	tree := bigLedger(t)
	same(t, tree)
	before := index(t, tree)
	if err := tree.Update(context.Background(), ".forgemind/decisions/DEC-NEW.json", func([]byte) ([]byte, error) {
		return []byte(`{"id": "DEC-NEW", "decision": "one more"}`), nil
	}); err != nil {
		t.Fatal(err)
	}
	if all, _ := same(t, tree); len(all) != many+1 || !bytes.Equal(index(t, tree), before) {
		t.Errorf("%d decisions", len(all))
	}
}

// In a transaction the index tells what stands, and what is staged is read.
func TestATransactionReadsDecisionsByTheIndex(t *testing.T) {
	t.Parallel()
	tree := bigLedger(t)
	same(t, tree)
	_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		tx.Write(".forgemind/decisions/DEC-NEW.json", []byte(`{"id": "DEC-NEW", "decision": "one more"}`))
		tx.Remove(".forgemind/decisions/DEC-007.json")
		got, _, faults := records.Decisions(tx)
		want, _, _ := records.Decisions(plain{tx})
		if !reflect.DeepEqual(got, want) || len(got) != many || len(faults) > 0 {
			t.Errorf("%d decisions with the index, %d without, or others; %v", len(got), len(want), faults)
		}
		return errors.New("nothing is to be written")
	})
	if err == nil {
		t.Error("it was written")
	}
}
