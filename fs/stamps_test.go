package fs

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestStampsTellEveryChange(t *testing.T) {
	tree := newTree(t)
	dir := filepath.Join(tree.Root(), Forgemind, "decisions")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	taken := func() ([]Stamp, []string) {
		t.Helper()
		stamps, other, err := tree.Stamps(".forgemind/decisions")
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("no stamps here")
		}
		must(err)
		return stamps, other
	}
	if stamps, other := taken(); len(stamps)+len(other) > 0 {
		t.Errorf("of no directory: %v, %v", stamps, other)
	}
	must(os.MkdirAll(filepath.Join(dir, "below"), 0o755))
	for _, base := range []string{"c", "a", "b", "linked"} {
		must(os.WriteFile(filepath.Join(dir, base), []byte("one"), 0o644))
	}
	must(os.Link(filepath.Join(dir, "linked"), filepath.Join(dir, "twin")))
	must(os.Symlink("a", filepath.Join(dir, "link")))

	before, other := taken()
	if len(before) != 3 || before[0].Name != ".forgemind/decisions/a" || before[2].Name != ".forgemind/decisions/c" || before[0].Size != 3 {
		t.Errorf("%+v", before)
	}
	if want := []string{".forgemind/decisions/link", ".forgemind/decisions/linked", ".forgemind/decisions/twin"}; !slices.Equal(other, want) {
		t.Errorf("other: %v", other)
	}
	all, others, err := tree.StampsOfAll(".forgemind/decisions")
	must(err)
	if i := slices.IndexFunc(all, func(s Stamp) bool { return s.Name == ".forgemind/decisions/below/" }); i < 0 || !slices.Equal(slices.Delete(slices.Clone(all), i, i+1), before) || !slices.Equal(others, other) {
		t.Errorf("with directories: %+v, %v", all, others)
	}
	if again, _ := taken(); !slices.Equal(again, before) {
		t.Errorf("nothing changed, and %+v", again)
	}

	time.Sleep(20 * time.Millisecond) // the clock of a file system ticks slowly
	old := time.Unix(0, before[0].Written)
	must(os.WriteFile(filepath.Join(dir, "a"), []byte("two"), 0o644))
	must(os.Chtimes(filepath.Join(dir, "a"), old, old))
	must(os.WriteFile(filepath.Join(dir, "b~"), []byte("two"), 0o644))
	must(os.Rename(filepath.Join(dir, "b~"), filepath.Join(dir, "b")))
	after, _ := taken()
	for i, changed := range []bool{true, true, false} {
		if (after[i] != before[i]) != changed {
			t.Errorf("%s: before %+v, after %+v", after[i].Name, before[i], after[i])
		}
	}
	if _, _, err := tree.Stamps("../x"); !errors.Is(err, ErrName) {
		t.Error(err)
	}
}

func TestDeriveMakesItsFolder(t *testing.T) {
	tree := newTree(t)
	name := LocalName(Forgemind, "index", "x")
	for _, text := range []string{"one", "two"} {
		if err := tree.Derive(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := tree.Read(name); err != nil || !bytes.Equal(got, []byte(text)) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := tree.Derive(".forgemind/x", nil); err == nil || !strings.Contains(err.Error(), "not exist") {
		t.Errorf("outside .local/: %v", err)
	}
}

func TestStampsBelowAreThoseOfTheWantedFiles(t *testing.T) {
	tree := newTree(t)
	dir := filepath.Join(tree.Root(), Forgemind, "rooms")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/one", "a/two", "a/three", "a-b/one", "b/deep/one", "c/other", "elsewhere"} {
		must(os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755))
		must(os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644))
	}
	must(os.MkdirAll(filepath.Join(dir, "d", "one"), 0o755))
	must(os.Symlink("../a/one", filepath.Join(dir, "c", "one")))
	must(os.Symlink("a", filepath.Join(dir, "e")))

	stamps, other, err := tree.StampsBelow(".forgemind/rooms", "two", "one")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no stamps here")
	}
	must(err)
	var names []string
	for _, s := range stamps {
		names = append(names, strings.TrimPrefix(s.Name, ".forgemind/rooms/"))
		of, _, err := tree.Stamps(s.Name[:strings.LastIndexByte(s.Name, '/')])
		if err != nil || !slices.Contains(of, s) {
			t.Errorf("%+v is not among %+v, %v", s, of, err)
		}
	}
	if want := []string{"a-b/one", "a/one", "a/two"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
	if want := []string{".forgemind/rooms/c/one"}; !slices.Equal(other, want) {
		t.Errorf("beside them %q", other)
	}
	if stamps, _, err := tree.StampsBelow(".forgemind/none", "one"); err != nil || len(stamps) > 0 {
		t.Errorf("of no directory: %v, %v", stamps, err)
	}
	if _, _, err := tree.StampsBelow("../x", "one"); !errors.Is(err, ErrName) {
		t.Error(err)
	}
}

func TestATransactionHasNoStampsOfWhatItStages(t *testing.T) {
	tree := newTree(t)
	dir := Forgemind + "/goals"
	for _, base := range []string{"a.json", "b.json", "c.json"} {
		path := filepath.Join(tree.Root(), dir, base)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("{}"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := tree.Transaction(t.Context(), func(tx *Tx) error {
		tx.Write(dir+"/b.json", []byte(`{"id": "b"}`))
		tx.Write(dir+"/d.json", []byte(`{"id": "d"}`))
		tx.Remove(dir + "/c.json")
		tx.Write(dir+"/below/e.json", []byte(`{}`))
		stamps, other, err := tx.Stamps(dir)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("no stamps here")
		}
		if err != nil || len(stamps) != 1 || stamps[0].Name != dir+"/a.json" || !slices.Equal(other, []string{dir + "/b.json", dir + "/d.json"}) {
			t.Errorf("%+v, beside them %q, %v", stamps, other, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
