package fs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// age makes a file old enough not to be somebody's save in progress.
func age(t *testing.T, tree *Tree, name string) {
	t.Helper()
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(tree.Root(), name), old, old); err != nil {
		t.Fatal(err)
	}
}

func TestAppendAfterWhatOthersLeft(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for _, c := range []struct{ what, text, want, kept string }{
		{"nothing", "", "", ""},
		{"whole lines", "{\"a\":1}\n", "{\"a\":1}\n", ""},
		{"no last newline", `{"a":1}`, "{\"a\":1}\n", ""},
		{"a torn line", "{\"a\":1}\n{\"b\":", "{\"a\":1}\n", `{"b":`},
		{"nothing but a torn line", `{"b":`, "", `{"b":`},
		{"a long torn line", "{}\n{\"b\":\"" + long, "{}\n", `{"b":"` + long},
		{"a long line without newline", "{}\n{\"b\":\"" + long + "\"}", "{}\n{\"b\":\"" + long + "\"}\n", ""},
		{"NULs", "{\"a\":1}\n\x00\x00\x00", "{\"a\":1}\n", "\x00\x00\x00"},
		{"a line and NULs", "{\"a\":1}\n{}\x00\x00", "{\"a\":1}\n", "{}\x00\x00"},
		{"carriage returns", "{\"a\":1}\r\n{\"b\":2}", "{\"a\":1}\r\n{\"b\":2}\n", ""},
		{"damage in the middle", "{\"a\n{}\n", "{\"a\n{}\n", ""},
	} {
		for _, several := range []bool{false, true} {
			t.Run(c.what, func(t *testing.T) {
				tree := newTree(t)
				put(t, tree, Messages, c.text)
				age(t, tree, Messages)
				_, err := tree.Transaction(ctx, func(tx *Tx) error {
					tx.Append(Messages, []byte(`{"new":1}`))
					if several {
						tx.Write(State, []byte("{}\n"))
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				if got := get(t, tree, Messages); got != c.want+"{\"new\":1}\n" {
					t.Errorf("live: %.80q", got)
				}
				all, _ := tree.Incidents()
				if c.kept == "" && len(all) > 0 || c.kept != "" && (len(all) != 1 || get(t, tree, all[0].Kept) != c.kept) {
					t.Errorf("incidents: %+v", all)
				}
			})
		}
	}
}

func TestTornLineOfThisSecondIsWaitedFor(t *testing.T) {
	tree := newTree(t)
	put(t, tree, Messages, `{"a":`)
	finished := finishSave(tree, func() { put(t, tree, Messages, "{\"a\":1}\n") })
	if err := tree.Append(ctx, Messages, []byte(`{"b":2}`)); err != nil || *finished != 1 {
		t.Fatalf("%v, %d saves finished", err, *finished)
	}
	if got := get(t, tree, Messages); got != "{\"a\":1}\n{\"b\":2}\n" {
		t.Errorf("live: %q", got)
	}
}

func TestAppendToAFileThatIsReplaced(t *testing.T) {
	tree := newTree(t)
	put(t, tree, Messages, "{\"n\":1}\n")
	between(tree, func() { saveAs(t, tree, Messages, "{\"editor\":1}\n") })
	if err := tree.Append(ctx, Messages, []byte(`{"n":2}`)); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, Messages); got != "{\"editor\":1}\n{\"n\":2}\n" {
		t.Errorf("live: %q", got)
	}
}

func TestRecordsThatAreNone(t *testing.T) {
	tree := newTree(t)
	for _, record := range []string{"", " ", "{}\n{}", "{}\n", "\x00", strings.Repeat("x", MaxRecord+1)} {
		if err := tree.Append(ctx, Messages, []byte(record)); err == nil {
			t.Errorf("%.20q was appended", record)
		}
	}
	if _, err := tree.Read(Messages); !isNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}

// A process may be killed before, within or after an append that was already
// committed: doing it again makes no difference.
func TestAppendAtIsIdempotent(t *testing.T) {
	data := []byte("{\"n\":1}\n{\"n\":2}\n")
	for cut := range len(data) + 1 {
		tree := newTree(t)
		put(t, tree, Messages, "{}\n"+string(data[:cut]))
		h, err := tree.takeTurn(ctx, 0, newPlace())
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if len(get(t, tree, Messages)) > 3+len(data) {
				t.Fatal("it was done twice")
			}
			if err := h.appendAt(Messages, 3, data); err != nil {
				t.Error(err)
			}
		}
		put(t, tree, Messages, get(t, tree, Messages)+"{\"other\":1}\n")
		if err := h.appendAt(Messages, 3, data); err != nil {
			t.Error(err)
		}
		h.end()
		if got := get(t, tree, Messages); got != "{}\n"+string(data)+"{\"other\":1}\n" {
			t.Errorf("after %d bytes: %q", cut, got)
		}
	}
}

func FuzzLastLine(f *testing.F) {
	for _, text := range []string{"", "\n", "a", "a\n", "a\nb", strings.Repeat("x", 5000), strings.Repeat("x", 5000) + "\n" + strings.Repeat("y", 30000)} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		start, tail, err := lastLine(bytes.NewReader(text), int64(len(text)))
		want := bytes.LastIndexByte(text, '\n') + 1
		if err != nil || start != int64(want) || !bytes.Equal(tail, text[want:]) {
			t.Errorf("start %d, tail %q, %v; want %d", start, tail, err, want)
		}
	})
}
