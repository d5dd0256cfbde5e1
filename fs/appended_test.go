package fs

import "testing"

func TestAppendedTellsWhatIsOnlyAdded(t *testing.T) {
	tree := newTree(t)
	const grows, written, untouched = ".forgemind/a.jsonl", ".forgemind/b.jsonl", ".forgemind/c.jsonl"
	_, err := tree.Transaction(t.Context(), func(tx *Tx) error {
		tx.Append(grows, []byte(`{"n": 1}`))
		tx.Append(grows, []byte(`{"n": 2}`))
		tx.Write(written, []byte("{}\n"))
		tx.Append(written, []byte(`{"n": 3}`))
		if lines, ok := tx.Appended(grows); !ok || string(lines) != "{\"n\": 1}\n{\"n\": 2}\n" {
			t.Errorf("%q, %v", lines, ok)
		}
		for _, name := range []string{written, untouched} {
			if lines, ok := tx.Appended(name); ok {
				t.Errorf("%s: %q", name, lines)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
