package fs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSizeIsThatOfWhatWillStandThere(t *testing.T) {
	tree := newTree(t)
	put(t, tree, Messages, "{}\n{}\n")
	age(t, tree, Messages)
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		expect := func(what string, want int64) {
			t.Helper()
			if n, err := tx.Size(Messages); n != want || err != nil {
				t.Errorf("%s: %d, %v; want %d", what, n, err, want)
			}
		}
		expect("as it stands", 6)
		tx.Append(Messages, []byte(`{"a":1}`))
		expect("with a line more", 14)
		tx.Remove(Messages)
		expect("removed", 0)
		tx.Append(Messages, []byte(`{}`))
		expect("begun anew", 3)
		tx.Write(Messages, []byte("{}\n"))
		expect("replaced", 3)
		if n, err := tx.Size(Clarifications); n != 0 || err != nil {
			t.Errorf("missing: %d, %v", n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsNoFileHasNoSize(t *testing.T) {
	tree := newTree(t)
	put(t, tree, Messages, "{}\n")
	if err := os.Mkdir(filepath.Join(tree.Root(), Clarifications), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(tree.Root(), Messages), filepath.Join(tree.Root(), Forgemind, "other")); err != nil {
		t.Skip(err)
	}
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		for _, name := range []string{Clarifications, Messages} {
			if n, err := tx.Size(name); !errors.Is(err, ErrIrregular) {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		}
		if _, err := tx.Size("../out"); !errors.Is(err, ErrName) {
			t.Error(err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An edit that depends on a size has the same result if another process writes to the
// file while it is published, and the edit runs again.
func TestALogThatIsWrittenToWhileItIsRotatedLosesNothing(t *testing.T) {
	const rotated = ".forgemind/context/old.jsonl"
	for _, foreign := range []string{"append", "save"} {
		tree := newTree(t)
		old := strings.Repeat("{\"old\":1}\n", 10)
		put(t, tree, Messages, old)
		age(t, tree, Messages)
		between(tree, func() {
			if foreign == "save" {
				saveAs(t, tree, Messages, old+"{\"foreign\":1}\n")
				return
			}
			f, err := os.OpenFile(filepath.Join(tree.Root(), Messages), os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("{\"foreign\":1}\n")
			}
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
		})
		_, err := tree.Transaction(ctx, func(tx *Tx) error {
			n, err := tx.Size(Messages)
			if err == nil && n > 50 {
				full, err := tx.Read(Messages)
				if err != nil {
					return err
				}
				tx.Restore(rotated, full)
				tx.Remove(Messages)
			}
			tx.Append(Messages, []byte(`{"new":1}`))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		all := get(t, tree, rotated) + get(t, tree, Messages)
		for word, want := range map[string]int{"old": 10, "foreign": 1, "new": 1} {
			if n := strings.Count(all, `{"`+word+`":1}`); n != want {
				t.Errorf("%s: %s stands there %d times, want %d\n%s", foreign, word, n, want, all)
			}
		}
	}
}
