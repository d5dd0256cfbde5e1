package fs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const shownDoc = ".forgemind/memory/shown.md"

// writeBoth publishes a document and a view of it, and returns the names it wrote.
func writeBoth(t *testing.T, tree *Tree, text string) (names []string) {
	t.Helper()
	changes, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(doc, []byte(text))
		tx.Write(shownDoc, []byte("shows "+text))
		tx.AsView(shownDoc, true)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Name != Forgemind+"/.gitignore" {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestViewIsWrittenAfterItsDocument(t *testing.T) {
	tree := newTree(t)
	put(t, tree, shownDoc, "shows nothing\n")
	tree.pause = func(step, name string) {
		if got, err := os.ReadFile(filepath.Join(tree.Root(), doc)); name == shownDoc && string(got) != "one\n" {
			t.Errorf("%s: the document: %q, %v", step, got, err)
		}
	}
	if names := writeBoth(t, tree, "one\n"); !slices.Equal(names, []string{doc, shownDoc}) {
		t.Errorf("wrote %v", names)
	}
	if got := get(t, tree, shownDoc); got != "shows one\n" {
		t.Errorf("the view: %q", got)
	}
	var displaced []string
	for text := range tree.ReplacedContents(shownDoc) {
		displaced = append(displaced, string(text))
	}
	if !slices.Equal(displaced, []string{"shows nothing\n"}) {
		t.Errorf("displaced: %q", displaced)
	}
	noLitter(t, tree)
}

// A save of the view that comes between stays, and the document is published at once.
func TestSaveOfAViewStays(t *testing.T) {
	for way, save := range map[string]func(*testing.T, *Tree){
		"renamed":  func(t *testing.T, tree *Tree) { saveAs(t, tree, shownDoc, "edited\n") },
		"in place": func(t *testing.T, tree *Tree) { put(t, tree, shownDoc, "edited\n") },
	} {
		t.Run(way, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, shownDoc, "shows nothing\n")
			tree.pause = func(_, name string) {
				if name == shownDoc {
					save(t, tree)
				}
			}
			if names := writeBoth(t, tree, "one\n"); !slices.Equal(names, []string{doc}) {
				t.Errorf("wrote %v", names)
			}
			if got := get(t, tree, doc); got != "one\n" {
				t.Errorf("the document: %q", got)
			}
			if got := get(t, tree, shownDoc); got != "edited\n" {
				t.Errorf("the view: %q", got)
			}
			if all, _ := tree.Incidents(); len(all) > 0 {
				t.Errorf("incidents: %v", all)
			}
			noLitter(t, tree)
		})
	}
}
