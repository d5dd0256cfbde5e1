package fs

import (
	"errors"
	"slices"
	"testing"
)

// What Try takes back, at whatever depth, leaves no trace in what is staged, in what is
// listed, and in what Since tells of.
func TestTakenBackIsNowhere(t *testing.T) {
	tree := newTree(t)
	put(t, tree, ".forgemind/goals/old.json", "{}\n")
	no := errors.New("no")
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(".forgemind/goals/a.json", []byte("1\n"))
		tx.Append(".forgemind/decisions.jsonl", []byte("1"))
		mark := tx.Mark()
		tx.Write(".forgemind/goals/a.json", []byte("1\n")) // as before
		tx.Write(".forgemind/goals/b.json", []byte("2\n"))
		_ = tx.Try(func(tx *Tx) error {
			tx.Write(".forgemind/goals/b.json", []byte("3\n"))
			tx.Remove(".forgemind/goals/old.json")
			_ = tx.Try(func(tx *Tx) error {
				tx.Write(".forgemind/goals/c.json", []byte("4\n"))
				tx.Append(".forgemind/decisions.jsonl", []byte("2"))
				return no
			})
			tx.Write(".forgemind/actions/d.json", []byte("5\n"))
			return no
		})
		_ = tx.Try(func(tx *Tx) error {
			tx.Append(".forgemind/decisions.jsonl", []byte("2")) // thrice in a row
			tx.Append(".forgemind/decisions.jsonl", []byte("2"))
			tx.AsView(".forgemind/goals/b.json", true)
			_ = tx.Try(func(tx *Tx) error {
				tx.Append(".forgemind/decisions.jsonl", []byte("2"))
				return no
			})
			tx.Append(".forgemind/decisions.jsonl", []byte("2"))
			return no
		})
		if kind := tx.staged[".forgemind/goals/b.json"].view; kind != noView {
			t.Errorf("it is a view of kind %v", kind)
		}
		_ = tx.Try(func(tx *Tx) error {
			tx.Append(".forgemind/decisions.jsonl", []byte("3"))
			tx.Write(".forgemind/.local/e.json", []byte("6\n"))
			return nil
		})
		if got, want := tx.Since(mark), []string{".forgemind/decisions.jsonl", ".forgemind/goals/b.json"}; !slices.Equal(got, want) {
			t.Errorf("since the mark: %q", got)
		}
		staged := tx.Staged()
		if got := string(staged[".forgemind/goals/b.json"]) + string(staged[".forgemind/decisions.jsonl"]); got != "2\n1\n3\n" {
			t.Errorf("staged: %q", got)
		}
		for dir, want := range map[string][]string{
			".forgemind/goals":        {".forgemind/goals/a.json", ".forgemind/goals/b.json", ".forgemind/goals/old.json"},
			".forgemind/goals/b.json": {".forgemind/goals/b.json"},
			".forgemind/actions":      nil,
			".":                       {".forgemind/decisions.jsonl", ".forgemind/goals/a.json", ".forgemind/goals/b.json", ".forgemind/goals/old.json"},
		} {
			var got []string
			for name, err := range tx.Names(dir) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("in %s: %q, want %q", dir, got, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := files(t, tree, ".forgemind/actions"); len(got) > 0 {
		t.Errorf("on disk: %v", got)
	}
}
