package fs_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
)

// Made-up secrets, put together here so that no scanner reports this file.
var (
	oldToken = "ghp_" + strings.Repeat("aB3dE5gH7jK9", 3)
	newToken = "ghp_" + strings.Repeat("mN1pQ2rS4tU6", 3)
)

// A transaction masks the secrets that it adds, in every kind of document, and leaves
// those that were in the documents it read.
func TestATransactionMasksNewSecrets(t *testing.T) {
	const mask = "[masked:github-token]"
	notes, other := fs.Forgemind+"/memory/notes.md", fs.Forgemind+"/memory/other.md"
	log := fs.Forgemind + "/context/clarifications.jsonl"
	root := t.TempDir()
	for name, text := range map[string]string{notes: "- " + oldToken + "\n", fs.Messages: `{"content":"` + oldToken + `"}` + "\n"} {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, c := range []struct {
		what string
		edit func(tx *fs.Tx) (name string)
		want string
		told int
	}{
		{"new beside old", func(tx *fs.Tx) string {
			old, _ := tx.Read(notes)
			tx.Write(notes, append(slices.Clone(old), "- "+newToken+"\n"...))
			return notes
		}, "- " + oldToken + "\n- " + mask + "\n", 1},
		{"a copy of what was read", func(tx *fs.Tx) string {
			old, _ := tx.Read(notes)
			tx.Write(other, old)
			return other
		}, "- " + oldToken + "\n- " + mask + "\n", 0},
		{"what stood in an index", func(tx *fs.Tx) string {
			tx.Assume(fs.Forgemind+"/actions/ACT-1.json", []byte(`{"action": "use `+newToken+`"}`))
			tx.Write(other, []byte("- "+newToken+"\n"))
			return other
		}, "- " + newToken + "\n", 0},
		{"out of a document that git ignores", func(tx *fs.Tx) string {
			tx.Remove(notes)
			if _, err := tx.Read(fs.Messages); err != nil {
				t.Error(err)
			}
			tx.Write(fs.Forgemind+"/memory/third.md", []byte(oldToken))
			return fs.Forgemind + "/memory/third.md"
		}, mask, 1},
		{"not read, and not restored", func(tx *fs.Tx) string { tx.Restore(other, []byte(newToken)); return other }, newToken, 0},
		{"JSON", func(tx *fs.Tx) string {
			tx.Write(fs.Config, []byte(`{"a": ["x `+newToken+`"], "b": {"password": "hunt`+`er22"}, "`+newToken+`": 1.50}`))
			return fs.Config
		}, `{"a": ["x ` + mask + `"], "b": {"password": "[masked:password]"}, "` + mask + `": 1.50}`, 2},
		{"a record", func(tx *fs.Tx) string {
			tx.Append(log, []byte(`{"q":"\u0067hp_`+newToken[4:]+`"}`))
			tx.Append(log, []byte(`{"q":"`+newToken+`"}`))
			return log
		}, `{"q":"` + mask + `"}` + "\n" + `{"q":"` + mask + `"}` + "\n", 1},
		{"what was masked before", func(tx *fs.Tx) string { tx.Write(other, []byte(mask)); return other }, mask, 0},
		{"what the rooms keep", func(tx *fs.Tx) string {
			name := fs.LocalName(fs.Forgemind, "x.json")
			tx.Write(name, []byte(newToken))
			return name
		}, newToken, 0},
	} {
		var name string
		var told []string
		_, err := tree.Transaction(context.Background(), func(tx *fs.Tx) error {
			name = c.edit(tx)
			told = tx.Masked()
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		if got, err := tree.Read(name); err != nil || string(got) != c.want || len(told) != c.told {
			t.Errorf("%s: %s holds %q, not %q; told %v, %v", c.what, name, got, c.want, told, err)
		}
	}
}
