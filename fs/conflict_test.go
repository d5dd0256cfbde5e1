package fs

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// between makes somebody save once, just when the writer has compared for the
// last time and is about to publish.
func between(tree *Tree, save func()) {
	tree.pause = func(step, _ string) {
		if s := save; s != nil && (step == "compared" || step == "appended") {
			save = nil
			s()
		}
	}
}

// saveAs saves as an editor does that writes a new file and renames it.
func saveAs(t *testing.T, tree *Tree, name, text string) {
	put(t, tree, name+"~", text)
	path := filepath.Join(tree.Root(), name)
	if err := os.Rename(path+"~", path); err != nil {
		t.Fatal(err)
	}
}

func addB(old []byte) ([]byte, error) {
	return append(slices.Clip(old), "tool\n"...), nil
}

const doc = ".forgemind/memory/a.md"

func TestSaveJustBeforeTheExchangeIsMerged(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	between(tree, func() { saveAs(t, tree, doc, "one\neditor\n") })
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, doc); got != "one\neditor\ntool\n" {
		t.Errorf("live: %q", got)
	}
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
	noLitter(t, tree)
}

func TestSaveThatTheEditRefusesIsPutBack(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	between(tree, func() { saveAs(t, tree, doc, "locked\n") })
	refused := errors.New("refused")
	err := tree.Update(ctx, doc, func(old []byte) ([]byte, error) {
		if strings.HasPrefix(string(old), "locked") {
			return nil, refused
		}
		return addB(old)
	})
	if !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	if got := get(t, tree, doc); got != "locked\n" {
		t.Errorf("live: %q", got)
	}
	noLitter(t, tree)
}

func TestSecondSaveOvertakesTheFirst(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	between(tree, func() { saveAs(t, tree, doc, "first\n") })
	runs := 0
	err := tree.Update(ctx, doc, func(old []byte) ([]byte, error) {
		if runs++; runs == 2 {
			saveAs(t, tree, doc, "second\n")
		}
		return addB(old)
	})
	if err != nil || runs != 3 {
		t.Fatalf("%d runs, %v", runs, err)
	}
	if got := get(t, tree, doc); got != "second\ntool\n" {
		t.Errorf("live: %q", got)
	}
	all, _ := tree.Incidents()
	if !tree.plainMoves && (len(all) != 1 || get(t, tree, all[0].Kept) != "first\n") {
		t.Errorf("incidents: %+v", all)
	}
	noLitter(t, tree)
}

// A round has displaced a save when another program is in the middle of writing a
// record: the transaction can't begin anew, and waits.
func TestRecordIsWrittenBetweenTwoRounds(t *testing.T) {
	tree := newTree(t)
	if tree.plainMoves {
		t.Skip("without an exchange the save is lost")
	}
	put(t, tree, doc, "one\n")
	put(t, tree, Messages, "{\"n\":0}\n")
	finished := finishSave(tree, func() { put(t, tree, Messages, "{\"n\":0}\n{\"n\":1}\n") })
	finish, saved := tree.pause, false
	tree.pause = func(step, name string) {
		switch {
		case step == "compared" && !saved:
			saved = true
			saveAs(t, tree, doc, "one\neditor\n")
		case step == "displaced" && *finished == 0:
			put(t, tree, Messages, "{\"n\":0}\n{\"n\":")
		}
		finish(step, name)
	}
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		old, _ := tx.Read(doc)
		tx.Write(doc, append(slices.Clip(old), "tool\n"...))
		tx.Append(Messages, []byte(`{"n":2}`))
		return nil
	})
	if err != nil || *finished != 1 {
		t.Errorf("%v, %d records finished", err, *finished)
	}
	if got := get(t, tree, doc); got != "one\neditor\ntool\n" {
		t.Errorf("live: %q", got)
	}
	if got := get(t, tree, Messages); got != "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n" {
		t.Errorf("messages: %q", got)
	}
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
	noLitter(t, tree)
}

// Between two rounds of a transaction the editor has read what the first one wrote,
// which has nothing of the save before.
func TestSecondSaveIsMadeFromWhatDisplacedTheFirst(t *testing.T) {
	for _, many := range []bool{false, true} {
		t.Run(fmt.Sprint("with others: ", many), func(t *testing.T) {
			tree := newTree(t)
			if tree.plainMoves {
				t.Skip("without an exchange the first save is lost")
			}
			put(t, tree, doc, "one\n")
			saves := []string{"one\nfirst\n", "one\ntool\nsecond\n"}
			tree.pause = func(step, _ string) {
				if step == "compared" && len(saves) > 0 {
					saveAs(t, tree, doc, saves[0])
					saves = saves[1:]
				}
			}
			_, err := tree.Transaction(ctx, func(tx *Tx) error {
				old, _ := tx.Read(doc)
				tx.Write(doc, append(slices.Clip(old), "tool\n"...))
				if many {
					tx.Write(State, []byte("{}\n"))
				}
				return nil
			})
			if err != nil || len(saves) > 0 {
				t.Fatalf("%v, %q", err, saves)
			}
			if got := get(t, tree, doc); got != "one\ntool\nsecond\ntool\n" {
				t.Errorf("live: %q", got)
			}
			all, _ := tree.Incidents()
			if len(all) != 1 || get(t, tree, all[0].Kept) != "one\nfirst\n" {
				t.Errorf("incidents: %+v", all)
			}
			noLitter(t, tree)
		})
	}
}

func TestNewFileMeetsAnother(t *testing.T) {
	tree := newTree(t)
	between(tree, func() { put(t, tree, doc, "editor\n") })
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, doc); got != "editor\ntool\n" {
		t.Errorf("live: %q", got)
	}
}

func TestFileDeletedJustBeforeTheExchange(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	between(tree, func() { os.Remove(filepath.Join(tree.Root(), doc)) })
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, doc); got != "tool\n" {
		t.Errorf("live: %q", got)
	}
}

func TestSaveJustBeforeARemovalIsSeen(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	runs := 0
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		if runs++; runs == 1 {
			saveAs(t, tree, doc, "editor\n") // after the edit would have read it
			tx.seen[doc] = version{exists: true, data: []byte("one\n"), mode: 0o644}
		}
		tx.Remove(doc)
		return nil
	})
	if err != nil || runs != 2 {
		t.Fatalf("%d runs, %v", runs, err)
	}
	trash := files(t, tree, LocalName(Forgemind, trashDir))
	if len(trash) != 1 || get(t, tree, trash[0]) != "editor\n" {
		t.Errorf("trash: %v", trash)
	}
}

// A transaction that removes is not done as long as the file stands: a save at
// the last moment is shown to the edit again, and goes to trash/ if that wants.
func TestSaveJustBeforeARemovalAmongOthers(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "one\n")
	taken := func(act func()) {
		tree.pause = func(step, name string) {
			if step == "compared" && name == doc && act != nil {
				act()
				act = nil
			}
		}
	}
	removal := func(tx *Tx) error {
		tx.Write(State, []byte("{}\n"))
		tx.Remove(doc)
		return nil
	}
	taken(func() { saveAs(t, tree, doc, "editor\n") })
	if _, err := tree.Transaction(ctx, removal); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(doc); !errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("it still stands there: %v", err)
	}
	trash := files(t, tree, LocalName(Forgemind, trashDir))
	if len(trash) != 1 || get(t, tree, trash[0]) != "editor\n" {
		t.Errorf("trash: %v", trash)
	}

	// What cannot even be looked at is put back where the system can do that, or
	// told of, and nobody says that it was removed.
	put(t, tree, doc, "two\n")
	path := filepath.Join(tree.Root(), doc)
	taken(func() { os.Remove(path); os.Symlink("elsewhere", path) })
	if _, err := tree.Transaction(ctx, removal); !errors.Is(err, ErrIrregular) {
		t.Errorf("error %v", err)
	}
	if to, err := os.Readlink(path); to != "elsewhere" {
		if all, _ := tree.Incidents(); len(all) == 0 {
			t.Errorf("there is %q, %v, and no incident", to, err)
		}
	}
}

// The edit makes another id at each run, as ids are random: what the first run
// has published must not stay beside what the second one publishes.
func TestSaveWithinATransactionOfSeveralNames(t *testing.T) {
	for _, way := range []string{"saved", "deleted", "created", "saved the removed one"} {
		t.Run(way, func(t *testing.T) {
			tree := newTree(t)
			if way != "created" {
				put(t, tree, doc, "one\n")
			}
			put(t, tree, notes2, "gone\n")
			put(t, tree, Messages, "{\"n\":0}\n")
			committed := false
			tree.pause = func(step, name string) {
				if committed || step == "staged" {
					return
				}
				committed = true
				switch way {
				case "saved", "created":
					saveAs(t, tree, doc, "editor\n")
				case "deleted":
					os.Remove(filepath.Join(tree.Root(), doc))
				case "saved the removed one":
					saveAs(t, tree, notes2, "editor\n")
				}
			}
			runs := 0
			changes, err := tree.Transaction(ctx, func(tx *Tx) error {
				runs++
				id := string(rune('0' + runs))
				old, _ := tx.Read(doc)
				was, _ := tx.Read(notes2)
				tx.Write(doc, append(slices.Clip(old), "tool "+id+"\n"...))
				tx.Write(".forgemind/decisions/"+id+".json", []byte(id))
				tx.Write(".forgemind/moved.md", was)
				tx.Remove(notes2)
				tx.Append(Messages, []byte(`{"n":`+id+`}`))
				return nil
			})
			if err != nil || runs != 2 || len(changes) != 7 { // two are new .gitignore files
				t.Fatalf("%d runs, %d changes, %v", runs, len(changes), err)
			}
			want := map[string]string{"saved": "editor\n", "created": "editor\n", "deleted": "", "saved the removed one": "one\n"}[way] + "tool 2\n"
			if got := get(t, tree, doc); got != want {
				t.Errorf("live: %q, want %q", got, want)
			}
			if got := files(t, tree, ".forgemind/decisions"); !slices.Equal(got, []string{".forgemind/decisions/2.json"}) {
				t.Errorf("decisions: %v", got)
			}
			if got := get(t, tree, Messages); got != "{\"n\":0}\n{\"n\":2}\n" {
				t.Errorf("messages: %q", got)
			}
			moved := "gone\n"
			if way == "saved the removed one" {
				moved = "editor\n"
			}
			if got := get(t, tree, ".forgemind/moved.md"); got != moved {
				t.Errorf("moved: %q", got)
			}
			if _, err := tree.Read(notes2); !isNotExist(err) {
				t.Errorf("the removed one: %v", err)
			}
			if all, _ := tree.Incidents(); len(all) > 0 {
				t.Errorf("incidents: %v", all)
			}
			noLitter(t, tree)
		})
	}
}

const notes2 = ".quaid/memory/b.md"

func TestEndlessSavesAreBusy(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "0\n")
	n := 0
	tree.pause = func(step, _ string) {
		if n < 12 && step == "compared" {
			n++
			saveAs(t, tree, doc, strings.Repeat("x", n)+"\n")
		}
	}
	err := tree.Update(ctx, doc, addB)
	if !errors.Is(err, ErrBusy) {
		t.Errorf("error %v", err)
	}
	if got := get(t, tree, doc); got != strings.Repeat("x", n)+"\n" {
		t.Errorf("live: %q after %d saves", got, n)
	}
	noLitter(t, tree)
}

func TestUnfinishedSaveIsWaitedFor(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, `{"a": `)
	finished := finishSave(tree, func() { saveAs(t, tree, State, "{\"a\": 1}\n") })
	err := tree.Update(ctx, State, func(old []byte) ([]byte, error) {
		if !json.Valid(old) {
			t.Errorf("the edit saw %q", old)
		}
		return []byte("{\"a\": 2}\n"), nil
	})
	if err != nil || *finished != 1 {
		t.Errorf("%v, %d saves finished", err, *finished)
	}
}

func TestUnfinishedSaveIsWaitedForWithoutTheLock(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, `{"a": `)
	finished := finishSave(tree, func() {
		other := openTree(t, tree.Root())
		other.LockTimeout = 0
		if err := other.Update(ctx, doc, addB); err != nil {
			t.Error(err)
		}
		saveAs(t, tree, State, "{}")
	})
	if err := tree.Update(ctx, State, set("{}\n")); err != nil || *finished != 1 {
		t.Errorf("%v, %d saves finished", err, *finished)
	}
}

// vim moves the old file away, then creates the new one; others truncate first.
func TestMomentsWithinASaveAreNotTakenForItsEnd(t *testing.T) {
	for what, begin := range map[string]func(path string) error{
		"gone":  func(path string) error { return os.Rename(path, path+"~") },
		"empty": func(path string) error { return os.Truncate(path, 0) },
		"cut":   func(path string) error { return os.Truncate(path, 3) },
	} {
		t.Run(what, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, doc, "one\n")
			if err := tree.Update(ctx, doc, addB); err != nil {
				t.Fatal(err)
			}
			if what == "empty" {
				tree = openTree(t, tree.Root()) // which has not seen it before
			}
			if err := begin(filepath.Join(tree.Root(), doc)); err != nil {
				t.Fatal(err)
			}
			finished := finishSave(tree, func() { put(t, tree, doc, "one\ntool\neditor\n") })
			if err := tree.Update(ctx, doc, addB); err != nil || *finished != 1 {
				t.Fatalf("%v, %d saves finished", err, *finished)
			}
			if got := get(t, tree, doc); got != "one\ntool\neditor\ntool\n" {
				t.Errorf("live: %q", got)
			}
		})
	}
}

// A reader that finds a document in the middle of a save reads it again.
func TestReadersWaitForASave(t *testing.T) {
	const decision = ".forgemind/decisions/DEC-1.json"
	for what, begin := range map[string]func(path string) error{
		"moved":   func(path string) error { return os.Rename(path, path+"~") },
		"removed": os.Remove,
		"empty":   func(path string) error { return os.Truncate(path, 0) },
		"cut":     func(path string) error { return os.Truncate(path, 3) },
	} {
		for _, name := range []string{State, decision} {
			if what == "removed" && name == decision {
				continue // nothing shows that it will come back
			}
			t.Run(what+"/"+name, func(t *testing.T) {
				tree := newTree(t)
				put(t, tree, Config, "{}") // a State exists beside it
				for _, read := range []func() bool{
					func() bool {
						text, err := tree.Read(name)
						return err == nil && string(text) == `{"a": 2}`
					},
					func() bool { return slices.Contains(slices.Collect(namesOf(tree, ".")), name) },
				} {
					put(t, tree, name, `{"a": 1}`)
					if err := begin(filepath.Join(tree.Root(), name)); err != nil {
						t.Fatal(err)
					}
					finished := finishSave(tree, func() { put(t, tree, name, `{"a": 2}`) })
					if !read() {
						t.Errorf("the document is missing or old, after %d saves", *finished)
					}
				}
			})
		}
	}
}

// An editor that moves the old file back between two looks of a reader has not removed
// the document.
func TestDocumentThatIsMovedBackIsNotGone(t *testing.T) {
	const decision = ".forgemind/decisions/DEC-1.json"
	tree := newTree(t)
	tree.saveTime.absence = time.Hour
	put(t, tree, decision, "{}")
	if !tree.saving(decision, version{}, 0) { // a reader that found nothing there before
		t.Error("the document counts as removed")
	}
}

// A document that was known is waited for while its directory has just changed: an editor may
// have moved it away to write it anew. No editor takes the directory away.
func TestDocumentThatWentWithItsFolderIsGone(t *testing.T) {
	const decision = ".forgemind/decisions/DEC-1.json"
	tree := newTree(t)
	tree.saveTime.absence = time.Hour
	put(t, tree, decision, "{}")
	tree.know(decision, version{exists: true, data: []byte("{}")})
	path := filepath.Join(tree.Root(), filepath.FromSlash(decision))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !tree.saving(decision, version{}, 0) {
		t.Error("a document that has just been moved away counts as removed")
	}
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Dir(path), old, old); err != nil {
		t.Fatal(err)
	}
	if tree.saving(decision, version{}, 0) {
		t.Error("a document is waited for in a folder where nothing happened")
	}
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if tree.saving(decision, version{}, 0) {
		t.Error("a document is waited for in a folder that is not there")
	}
	if v, err := tree.settle(t.Context(), decision, time.Now().Add(time.Hour)); v.exists || err != nil {
		t.Error(v.exists, err)
	}
	if _, known := tree.known[decision]; known {
		t.Error("a document that is gone is still known")
	}

	put(t, tree, Config, "{}")
	tree.know(State, version{exists: true, data: []byte("{}")})
	folder := filepath.Join(tree.Root(), ".forgemind/context")
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.Chtimes(folder, old, old)); err != nil {
		t.Fatal(err)
	}
	if !tree.saving(State, version{}, 0) {
		t.Error("the State is not waited for, which others would render anew")
	}
}

// A document that stays broken or missing is returned as it is.
func TestReadersTakeWhatStays(t *testing.T) {
	t.Parallel() // it waits
	tree := newTree(t)
	put(t, tree, State, "{")
	if text, err := tree.Read(State); err != nil || string(text) != "{" {
		t.Errorf("read %q, %v", text, err)
	}
	if err := os.Remove(filepath.Join(tree.Root(), State)); err != nil {
		t.Fatal(err)
	}
	if _, err := tree.Read(State); !errors.Is(err, iofs.ErrNotExist) {
		t.Error(err)
	}
}

// namesOf are the names that tree yields for dir.
func namesOf(tree *Tree, dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range tree.Names(dir) {
			if !yield(name) {
				return
			}
		}
	}
}

func TestEditorThatNeverEndsIsReported(t *testing.T) {
	tree := newTree(t)
	tree.saveTime = saveTime{youth: time.Hour, patience: 100 * time.Millisecond, absence: time.Hour}
	saves := 1
	put(t, tree, State, "{")
	tree.pause = func(step, _ string) {
		if step == "unsettled" {
			saves++
			put(t, tree, State, strings.Repeat("{", saves))
		}
	}
	if err := tree.Update(ctx, State, set("{}\n")); !errors.Is(err, ErrUnsettled) {
		t.Errorf("error %v", err)
	}
	if got := get(t, tree, State); got != strings.Repeat("{", saves) {
		t.Errorf("live: %q after %d saves", got, saves)
	}
}

func TestTextThatHasBeenBrokenForLongIsGivenAsItIs(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, `{"a": `)
	old := time.Now().Add(-time.Minute)
	os.Chtimes(filepath.Join(tree.Root(), State), old, old)
	err := tree.Update(ctx, State, func(old []byte) ([]byte, error) {
		if string(old) != `{"a": ` {
			t.Errorf("the edit saw %q", old)
		}
		return nil, nil
	})
	if err != nil {
		t.Error(err)
	}
}

// editedTree returns a tree, and doc as an editor has opened it to write.
func editedTree(t *testing.T) (*Tree, *os.File) {
	t.Helper()
	tree := newTree(t)
	if tree.plainMoves {
		t.Skip("without an exchange only a copy of what was displaced is kept")
	}
	put(t, tree, doc, "one\n")
	editor, err := os.OpenFile(filepath.Join(tree.Root(), doc), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { editor.Close() })
	return tree, editor
}

// sweepNext has the next transaction look for late writes, as if the last had been killed.
func sweepNext(t *testing.T, tree *Tree) {
	t.Helper()
	tree.saveTime.quiet = 0
	for _, folder := range folders {
		if err := os.Remove(filepath.Join(tree.Root(), LocalName(folder, holderFile))); err != nil {
			t.Fatal(err)
		}
	}
}

// An editor that had the file open writes into what forgemind displaced.
func TestLateWriteIsAnIncident(t *testing.T) {
	tree, editor := editedTree(t)
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	var told []Incident
	tree.Report = func(i Incident) { told = append(told, i) }
	editor.Truncate(0)
	editor.WriteString("late\n")
	sweepNext(t, tree)
	if err := tree.Update(ctx, ".quaid/other.md", addB); err != nil {
		t.Fatal(err)
	}
	if len(told) != 1 || told[0].Name != doc || get(t, tree, told[0].Kept) != "late\n" {
		t.Fatalf("told %+v", told)
	}
	if got := get(t, tree, doc); got != "one\ntool\n" {
		t.Errorf("live: %q", got)
	}
	if all, err := tree.Incidents(); err != nil || len(all) != 1 || all[0] != told[0] {
		t.Errorf("recorded %+v, %v", all, err)
	}
	if err := tree.Update(ctx, ".quaid/other.md", addB); err != nil || len(told) != 1 {
		t.Errorf("told again: %+v, %v", told, err)
	}
}

// An editor that had the file open writes to it while forgemind writes other files.
func TestWriteBeforeTheTransactionEndsIsAnIncident(t *testing.T) {
	tree, editor := editedTree(t)
	tree.pause = func(step, name string) {
		if step == "displaced" {
			editor.WriteString("two\n")
			time.Sleep(2 * tree.grain) // the rest of the transaction takes longer than a tick
		}
	}
	if err := tree.Update(ctx, doc, addB); err != nil {
		t.Fatal(err)
	}
	tree.pause = nil
	sweepNext(t, tree)
	if err := tree.Update(ctx, ".quaid/other.md", addB); err != nil {
		t.Fatal(err)
	}
	all, err := tree.Incidents()
	if err != nil || len(all) != 1 || get(t, tree, all[0].Kept) != "two\n" {
		t.Fatalf("incidents: %+v, %v", all, err)
	}
	if got := get(t, tree, doc); got != "one\ntool\n" {
		t.Errorf("live: %q", got)
	}
}

// A power cut can leave a displaced file without its bytes. There is nothing to
// keep, and nothing to report.
func TestDisplacedFileThatLostItsBytesIsRemoved(t *testing.T) {
	tree := newTree(t)
	if err := tree.Update(ctx, doc, set("one\n")); err != nil {
		t.Fatal(err)
	}
	lost := version{exists: true, data: []byte("what an editor saved\n")}
	for since, want := range map[time.Time]bool{time.Now().Add(-2 * ringYouth): false, time.Now(): true} {
		name := LocalName(Forgemind, displacedDir, fmt.Sprintf("%016x-%s-%s", since.UnixNano(), lost.sum(), flat(doc)))
		put(t, tree, name, "")
		again := openTree(t, tree.Root())
		os.Remove(filepath.Join(tree.Root(), LocalName(Forgemind, holderFile))) // so that the sweep is due
		if err := again.Update(ctx, doc, addB); err != nil {
			t.Fatal(err)
		}
		if _, err := tree.Look(name); (err == nil) != want {
			t.Errorf("displaced %v ago: %v", time.Since(since), err)
		}
	}
	if all, err := tree.Incidents(); err != nil || len(all) > 0 {
		t.Errorf("incidents %v, %v", all, err)
	}
}

func TestSaveFromOlderBytes(t *testing.T) {
	base := "{\n  \"goal\": \"x\",\n  \"clarity\": 40\n}\n"
	ours := strings.Replace(base, "40", "50", 1)
	for _, c := range []struct {
		what, save string
		incident   bool
	}{
		{"the old text and a new line", strings.Replace(base, "40\n", "40,\n  \"new\": 1\n", 1), true},
		{"the old text", base, true},
		{"our text and a new line", strings.Replace(ours, "50\n", "50,\n  \"new\": 1\n", 1), false},
		{"another value where we wrote", strings.Replace(base, "40", "60", 1), false},
	} {
		t.Run(c.what, func(t *testing.T) {
			tree := newTree(t)
			put(t, tree, State, base)
			if err := tree.Update(ctx, State, set(ours)); err != nil {
				t.Fatal(err)
			}
			saveAs(t, tree, State, c.save)
			if err := tree.Update(ctx, State, set("{}\n")); err != nil {
				t.Fatal(err)
			}
			all, _ := tree.Incidents()
			if len(all) > 0 != c.incident {
				t.Fatalf("incidents %+v", all)
			}
			if c.incident && get(t, tree, all[0].Kept) != ours {
				t.Errorf("kept %q", get(t, tree, all[0].Kept))
			}
		})
	}
}

func TestRemovedAndMadeAgainIsNoSaveOfOthers(t *testing.T) {
	tree := newTree(t)
	for _, text := range []string{"a\n", "b\n", "", "c\n", "d\n"} {
		_, err := tree.Transaction(ctx, func(tx *Tx) error {
			if tx.Write(doc, []byte(text)); text == "" {
				tx.Remove(doc)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
	for _, name := range files(t, tree, LocalName(Forgemind, displacedDir)) {
		if get(t, tree, name) == "b\n" {
			t.Error("what was removed is in displaced/ as well as in trash/")
		}
	}
}

func TestRingKeepsItsLimits(t *testing.T) {
	tree := newTree(t)
	for i := range 80 {
		if err := tree.Update(ctx, doc, set(strings.Repeat("x", i+1)+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	home := filepath.Join(tree.Root(), LocalName(Forgemind, displacedDir))
	all := files(t, tree, LocalName(Forgemind, displacedDir))
	if len(all) != 79 {
		t.Fatalf("%d kept: nothing this young may go", len(all))
	}
	// Twenty seconds later.
	aged := time.Now().Add(-20 * time.Second)
	for _, name := range all {
		os.Chtimes(filepath.Join(tree.Root(), name), aged.Add(-time.Second), aged.Add(-time.Second))
		file := fmt.Sprintf("%016x", aged.UnixNano()) + filepath.Base(name)[16:]
		if err := os.Rename(filepath.Join(tree.Root(), name), filepath.Join(home, file)); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(filepath.Join(tree.Root(), LocalName(Forgemind, holderFile)))
	again := openTree(t, tree.Root())
	if err := again.Update(ctx, doc, set("end\n")); err != nil {
		t.Fatal(err)
	}
	if n := len(files(t, tree, LocalName(Forgemind, displacedDir))); n != ringFiles+1 {
		t.Errorf("%d kept, want %d and the youngest", n, ringFiles)
	}
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
}
