package fs

import (
	"context"
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

// newTree makes a tree of both folders and opens it.
func newTree(t testing.TB) *Tree {
	t.Helper()
	dir := t.TempDir()
	tree := openTree(t, dir)
	if err := tree.Create(Forgemind, Quaid); err != nil {
		t.Fatal(err)
	}
	return tree
}

func openTree(t testing.TB, dir string) *Tree {
	t.Helper()
	tree, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree.plain.Store(os.Getenv("FS_TEST_PLAIN") != "")
	tree.plainMoves = os.Getenv("FS_TEST_PLAIN_MOVES") != ""
	t.Cleanup(func() { tree.Close() })
	return tree
}

// finishSave gives an editor all the time it needs, and finishes its save as soon as the
// tree waits for it. It returns the number of saves that were finished.
func finishSave(tree *Tree, finish func()) *int {
	tree.saveTime = saveTime{youth: time.Hour, patience: time.Hour, absence: time.Hour}
	finished := new(int)
	tree.pause = func(step, _ string) {
		if step == "unsettled" && *finished == 0 {
			*finished++
			finish()
		}
	}
	return finished
}

// put writes a file as somebody else would.
func put(t testing.TB, tree *Tree, name, text string) {
	t.Helper()
	path := filepath.Join(tree.Root(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, tree *Tree, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tree.Root(), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files lists what stands below dir, as a shell would.
func files(t testing.TB, tree *Tree, dir string) []string {
	t.Helper()
	var all []string
	filepath.WalkDir(filepath.Join(tree.Root(), dir), func(path string, e iofs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(tree.Root(), path)
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	return all
}

func set(text string) func([]byte) ([]byte, error) {
	return func([]byte) ([]byte, error) { return []byte(text), nil }
}

var ctx = context.Background()

func TestUpdateCreatesReplacesAndKeepsWhatStoodThere(t *testing.T) {
	tree := newTree(t)
	if err := tree.Update(ctx, State, set("{}\n")); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(tree.Root(), State), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := tree.Update(ctx, State, set("{\"a\": 1}\n")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, State); got != "{\"a\": 1}\n" {
		t.Errorf("live: %q", got)
	}
	fi, _ := os.Stat(filepath.Join(tree.Root(), State))
	if fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, the target had 0640", fi.Mode())
	}
	kept := files(t, tree, ".forgemind/.local/displaced")
	if len(kept) != 1 || get(t, tree, kept[0]) != "{}\n" {
		t.Errorf("displaced: %v", kept)
	}
	if left := files(t, tree, ".forgemind/.local/stage"); len(left) > 0 {
		t.Errorf("left in stage: %v", left)
	}
	if got := get(t, tree, ".forgemind/.local/.gitignore"); got != "*\n" {
		t.Errorf(".local/.gitignore: %q", got)
	}
	if got := get(t, tree, ".forgemind/.gitignore"); got != string(GitIgnore(Forgemind)) {
		t.Errorf(".gitignore: %q", got)
	}
}

func TestSameBytesAreNoWrite(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	before, _ := os.Stat(filepath.Join(tree.Root(), State))
	changes, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, []byte("{}\n"))
		tx.Remove(".quaid/none.md")
		return nil
	})
	after, _ := os.Stat(filepath.Join(tree.Root(), State))
	if err != nil || changes != nil || !os.SameFile(before, after) {
		t.Errorf("changes %v, error %v", changes, err)
	}
	if _, err := os.Stat(filepath.Join(tree.Root(), ".forgemind/.gitignore")); err == nil {
		t.Error("a .gitignore was written, although nothing was")
	}
}

func TestTransactionOfSeveralNames(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	put(t, tree, ".quaid/memory/old.md", "old\n")
	put(t, tree, Messages, "{\"n\":1}\n")
	var judged []string
	tree.Check = func(before, after Reader, names []string) error {
		judged = names
		was, _ := before.Read(State)
		is, _ := after.Read(State)
		if string(was) != "{}\n" || string(is) != "{\"n\":2}\n" {
			t.Errorf("Check saw %q and %q", was, is)
		}
		return nil
	}
	changes, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, []byte("{\"n\":2}\n"))
		tx.Write(".quaid/context/sessions/s/summary.md", []byte("# S\n"))
		tx.Remove(".quaid/memory/old.md")
		tx.Append(Messages, []byte(`{"n":2}`))
		tx.Append(Messages, []byte(`{"n":3}`))
		tx.Write(LocalName(Forgemind, "acted"), []byte("x"))
		if got, _ := tx.Read(Messages); string(got) != "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n" {
			t.Errorf("tx reads %q", got)
		}
		var names []string
		for name := range tx.Names(".") {
			names = append(names, name)
		}
		if want := []string{".forgemind/context/current-context.json", ".forgemind/context/messages.jsonl", ".quaid/context/sessions/s/summary.md"}; !slices.Equal(names, want) {
			t.Errorf("names %q", names)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 7 || len(judged) != 4 { // two are new .gitignore files
		t.Errorf("%d changes, judged %v", len(changes), judged)
	}
	if got := get(t, tree, Messages); got != "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n" {
		t.Errorf("messages: %q", got)
	}
	if got := get(t, tree, ".quaid/context/sessions/s/summary.md"); got != "# S\n" {
		t.Errorf("summary: %q", got)
	}
	trash := files(t, tree, ".quaid/.local/trash")
	if len(trash) != 1 || get(t, tree, trash[0]) != "old\n" {
		t.Errorf("trash: %v", trash)
	}
	if left := files(t, tree, ".forgemind/.local/txn"); len(left) > 0 {
		t.Errorf("left in txn: %v", left)
	}
}

// What a transaction displaces may be as long as any JSONL file, whatever it is
// called in `.local/` until it is put away.
func TestTransactionReplacesALongConversation(t *testing.T) {
	tree := newTree(t)
	long := strings.Repeat(`{"msg_id":"m","content":"`+strings.Repeat("word ", 200)+"\"}\n", 9000) // 9 MiB
	put(t, tree, Messages, long)
	put(t, tree, State, "{}\n")
	for range 2 { // the next one finds nothing to be finished
		_, err := tree.Transaction(context.Background(), func(tx *Tx) error {
			old, err := tx.Read(Messages)
			if err != nil {
				return err
			}
			tx.Write(Messages, old[:len(old)/2])
			tx.Write(State, append([]byte(" "), get(t, tree, State)...))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := len(get(t, tree, Messages)); got != len(long)/4 {
		t.Errorf("%d bytes are left of %d", got, len(long))
	}
}

func TestCheckRefuses(t *testing.T) {
	tree := newTree(t)
	refused := errors.New("refused")
	tree.Check = func(_, _ Reader, _ []string) error { return refused }
	err := tree.Update(ctx, State, set("{}"))
	if !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	if _, err := tree.Read(State); !errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("it was written all the same: %v", err)
	}
}

// What stood there before is written back whatever Check says of it; what is
// written after it in the same transaction is judged.
func TestCheckIsNotAskedAboutWhatIsRestored(t *testing.T) {
	t.Parallel() // it waits
	tree := newTree(t)
	tree.Check = func(_, _ Reader, names []string) error { return fmt.Errorf("refused: %q", names) }
	restore := func(tx *Tx) error { tx.Restore(State, []byte("{")); return nil }
	if _, err := tree.Transaction(ctx, restore); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, State); got != "{" {
		t.Errorf("it holds %q", got)
	}
	if _, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Restore(State, []byte("["))
		tx.Write(State, []byte("]"))
		return nil
	}); err == nil {
		t.Error("what was written after it was not judged")
	}
}

func TestTryTakesBack(t *testing.T) {
	tree := newTree(t)
	changes, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(".forgemind/a.json", []byte("1\n"))
		if tx.Try(func(tx *Tx) error {
			tx.Write(".forgemind/a.json", []byte("2\n"))
			tx.Write(".forgemind/b.json", []byte("2\n"))
			return errors.New("no")
		}) == nil {
			t.Error("Try hid the error")
		}
		return nil
	})
	if err != nil || len(changes) != 2 || string(changes[0].After) != "1\n" || changes[1].Name != Forgemind+"/.gitignore" {
		t.Errorf("%+v, %v", changes, err)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	tree := newTree(t)
	put(t, tree, State, "{}\n")
	tree.DryRun = true
	changes, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, []byte("{\"a\":1}\n"))
		tx.Append(Messages, []byte("{}"))
		return nil
	})
	if err != nil || len(changes) != 2 || string(changes[0].Before) != "{}\n" || string(changes[1].Appended) != "{}\n" {
		t.Errorf("%+v, %v", changes, err)
	}
	if got := files(t, tree, "."); !slices.Equal(got, []string{State}) {
		t.Errorf("on disk: %v", got)
	}
}

func TestNoFolderIsNoTree(t *testing.T) {
	tree := openTree(t, t.TempDir())
	if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, ErrNoTree) {
		t.Errorf("no folder: %v", err)
	}
	if err := tree.Create(Quaid); err != nil {
		t.Fatal(err)
	}
	if err := tree.Update(ctx, State, set("{}")); !errors.Is(err, iofs.ErrNotExist) {
		t.Errorf("the other folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(tree.Root(), Forgemind)); err == nil {
		t.Error("a write made the folder")
	}
}

func TestNamesAreSortedAndSkipLocal(t *testing.T) {
	tree := newTree(t)
	for _, name := range []string{".forgemind/a/b.json", ".forgemind/a.json", ".forgemind/.local/x", ".forgemind/p/.git/config", ".quaid/z.md", "README.md"} {
		put(t, tree, name, "1")
	}
	if err := os.Symlink("a.json", filepath.Join(tree.Root(), ".forgemind/link.json")); err != nil {
		t.Fatal(err)
	}
	var got []string
	for name, err := range tree.Names(".") {
		if err != nil {
			t.Error(err)
		}
		got = append(got, name)
	}
	want := []string{".forgemind/a.json", ".forgemind/a/b.json", ".forgemind/link.json", ".quaid/z.md"}
	if !slices.Equal(got, want) || !slices.IsSorted(got) {
		t.Errorf("names %q", got)
	}
	if _, err := tree.Read(".forgemind/link.json"); !errors.Is(err, ErrIrregular) {
		t.Errorf("reading a link: %v", err)
	}
}

func TestAppendEndsEveryLine(t *testing.T) {
	tree := newTree(t)
	put(t, tree, Messages, `{"n":0}`)
	for i := range 3 {
		if err := tree.Append(ctx, Messages, fmt.Appendf(nil, `{"n":%d}`, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if got := get(t, tree, Messages); strings.Count(got, "\n") != 4 || !strings.HasSuffix(got, "{\"n\":3}\n") {
		t.Errorf("%q", got)
	}
}

func noLitter(t *testing.T, tree *Tree) {
	t.Helper()
	for _, folder := range folders {
		for _, where := range []string{stageDir, txnDir} {
			if left := files(t, tree, LocalName(folder, where)); len(left) > 0 {
				t.Errorf("litter: %v", left)
			}
		}
	}
}

func TestCanWriteTellsWhatStandsInTheWay(t *testing.T) {
	tree := newTree(t)
	put(t, tree, ".forgemind/notes/a.md", "a")
	if err := os.MkdirAll(filepath.Join(tree.Root(), ".forgemind/notes/b.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, ok := range map[string]bool{
		".forgemind/notes/a.md": true, ".forgemind/notes/new.md": true, ".forgemind/deep/deeper/new.md": true,
		".forgemind/notes/b.md": false, ".forgemind/notes/a.md/c.md": false,
	} {
		if err := tree.CanWrite(name); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
