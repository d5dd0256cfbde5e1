package fs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const shownDoc = ".forgemind/memory/shown.md"

// writeBoth publishes a document and a view that shows it, and returns what it wrote.
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
	for text := range tree.Displaced(shownDoc) {
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
			tree.pause = func(step, name string) {
				if step == "compared" && name == shownDoc {
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

// A save makes way for the view for a moment, and is put back. What an editor has opened
// in that moment is the view.
func TestSaveIntoAViewThatIsTakenBackIsAnIncident(t *testing.T) {
	for _, when := range []string{"at once", "later"} {
		t.Run(when, func(t *testing.T) {
			tree := newTree(t)
			if tree.plainMoves {
				t.Skip("without an exchange nothing is put back")
			}
			put(t, tree, shownDoc, "shows nothing\n")
			var editor *os.File
			tree.pause = func(step, name string) {
				switch {
				case name != shownDoc:
				case step == "compared":
					saveAs(t, tree, shownDoc, "first\n")
				case step == "displaced":
					var err error
					if editor, err = os.OpenFile(filepath.Join(tree.Root(), shownDoc), os.O_WRONLY|os.O_TRUNC, 0); err != nil {
						t.Fatal(err)
					}
					if when == "at once" {
						editor.WriteString("second\n")
					}
				}
			}
			writeBoth(t, tree, "one\n")
			tree.pause = nil
			if when == "later" {
				editor.WriteString("second\n")
			}
			editor.Close()
			sweepNext(t, tree)
			if err := tree.Update(ctx, State, set("{}")); err != nil {
				t.Fatal(err)
			}
			if got := get(t, tree, shownDoc); got != "first\n" {
				t.Errorf("the view: %q", got)
			}
			all, err := tree.Incidents()
			if err != nil || len(all) != 1 || get(t, tree, all[0].Kept) != "second\n" {
				t.Errorf("incidents: %+v, %v", all, err)
			}
			noLitter(t, tree)
		})
	}
}
