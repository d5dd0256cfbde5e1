package fs

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// interrupted commits a transaction of four names and stops before anything of
// it is published.
func interrupted(t *testing.T, tree *Tree) (home string, writes []write) {
	t.Helper()
	put(t, tree, State, "{\"n\":1}\n")
	put(t, tree, notes2, "gone\n")
	put(t, tree, Messages, "{\"n\":1}\n")
	h, err := tree.takeTurn(ctx, 0, newPlace())
	if err != nil {
		t.Fatal(err)
	}
	defer h.end()
	tx := tree.begin(&past{}, nil)
	_, writes, err = tx.run(func(tx *Tx) error {
		tx.Write(State, []byte("{\"n\":2}\n"))
		tx.Write(doc, []byte("new\n"))
		tx.Remove(notes2)
		tx.Append(Messages, []byte(`{"n":2}`))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	home = LocalName(Forgemind, txnDir, "0123456789abcdef")
	var m manifest
	if err := h.record(home, &m, writes); err != nil {
		t.Fatal(err)
	}
	return home, writes
}

func TestCommittedTransactionIsFinishedByTheNext(t *testing.T) {
	tree := newTree(t)
	interrupted(t, tree)
	if got := get(t, tree, State); got != "{\"n\":1}\n" {
		t.Fatalf("already live: %q", got)
	}
	if err := tree.Update(ctx, ".quaid/x.md", set("x")); err != nil {
		t.Fatal(err)
	}
	finished(t, tree)
	if all, _ := tree.Incidents(); len(all) > 0 {
		t.Errorf("incidents: %v", all)
	}
}

func finished(t *testing.T, tree *Tree) {
	t.Helper()
	if a, b, c := get(t, tree, State), get(t, tree, doc), get(t, tree, Messages); a != "{\"n\":2}\n" || b != "new\n" || c != "{\"n\":1}\n{\"n\":2}\n" {
		t.Errorf("live: %q, %q, %q", a, b, c)
	}
	if _, err := tree.Read(notes2); !isNotExist(err) {
		t.Errorf("removed: %v", err)
	}
	noLitter(t, tree)
}

// Recovery that is itself cut off after each of its entries is begun again.
func TestRecoveryCutOff(t *testing.T) {
	for done := range 5 {
		tree := newTree(t)
		home, _ := interrupted(t, tree)
		h, err := tree.takeTurnOnly()
		if err != nil {
			t.Fatal(err)
		}
		m, ok, err := h.manifest(home)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		m.Entries = m.Entries[:min(done, len(m.Entries))]
		if err := h.rollForward(home, m, true); err != nil {
			t.Fatal(err)
		}
		h.end()
		if err := tree.Update(ctx, ".quaid/x.md", set("x")); err != nil {
			t.Fatal(err)
		}
		finished(t, tree)
	}
}

// takeTurnOnly takes the locks and recovers nothing.
func (t *Tree) takeTurnOnly() (*turn, error) {
	locks, err := t.takeLocks(context.Background(), newPlace())
	for _, l := range locks {
		l.read()
		l.state = held
	}
	return &turn{tree: t, locks: locks, dirs: map[string]*dir{}}, err
}

func TestSavedSinceTheTransactionWasCutOff(t *testing.T) {
	tree := newTree(t)
	interrupted(t, tree)
	saveAs(t, tree, State, "{\"editor\":1}\n")
	if err := tree.Update(ctx, ".quaid/x.md", set("x")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, State); got != "{\"editor\":1}\n" {
		t.Errorf("live: %q", got)
	}
	all, _ := tree.Incidents()
	if len(all) != 1 || all[0].Name != State || get(t, tree, all[0].Kept) != "{\"n\":2}\n" {
		t.Errorf("incidents: %+v", all)
	}
	if got := get(t, tree, doc); got != "new\n" {
		t.Errorf("the others: %q", got)
	}
	noLitter(t, tree)
}

func TestTransactionWithoutCommitNeverWas(t *testing.T) {
	tree := newTree(t)
	home, _ := interrupted(t, tree)
	path := filepath.Join(tree.Root(), home)
	if err := os.Rename(path+"/"+commitFile, path+"/"+manifestFile); err != nil {
		t.Fatal(err)
	}
	if err := tree.Update(ctx, ".quaid/x.md", set("x")); err != nil {
		t.Fatal(err)
	}
	if got := get(t, tree, State); got != "{\"n\":1}\n" {
		t.Errorf("live: %q", got)
	}
	noLitter(t, tree)
}

// What a killed process left in stage/: its own bytes go, a save of others that
// it had exchanged out does not.
func TestStageIsClearedWithoutLoss(t *testing.T) {
	tree := newTree(t)
	put(t, tree, doc, "live\n")
	if err := tree.Update(ctx, Config, set("{}\n")); err != nil {
		t.Fatal(err)
	}
	v := func(s string) string { return version{exists: true, data: []byte(s)}.sum() }
	stage := LocalName(Forgemind, stageDir) + "/"
	put(t, tree, stage+stagedName(doc, v("old\n"), v("new\n")), "new\n")
	put(t, tree, stage+stagedName(doc, v("old\n"), v("newer\n")), "old\n")
	put(t, tree, stage+stagedName(doc, v("old\n"), v("newest\n")), "editor\n")
	torn := stage + stagedName(doc, v("old\n"), v("new and long\n"))
	put(t, tree, torn, "new an")
	os.Chmod(filepath.Join(tree.Root(), torn), 0o644|os.ModeSticky)
	if err := os.Remove(filepath.Join(tree.Root(), LocalName(Forgemind, holderFile))); err != nil {
		t.Fatal(err)
	}
	again := openTree(t, tree.Root())
	if err := again.Update(ctx, Config, set("{ }\n")); err != nil {
		t.Fatal(err)
	}
	noLitter(t, tree)
	all, _ := tree.Incidents()
	if len(all) != 1 || get(t, tree, all[0].Kept) != "editor\n" {
		t.Errorf("incidents: %+v", all)
	}
	var kept []string
	for _, name := range files(t, tree, LocalName(Forgemind, displacedDir)) {
		kept = append(kept, get(t, tree, name))
	}
	slices.Sort(kept)
	if want := []string{"editor\n", "old\n", "{}\n"}; !slices.Equal(kept, want) {
		t.Errorf("displaced: %q, want %q", kept, want)
	}
}

// A turn whose holder file cannot be opened when it begins, and which leaves
// something in stage/, tells the next turn of it all the same.
func TestHolderFileThatCannotBeOpenedAtFirst(t *testing.T) {
	first := newTree(t)
	if err := first.Update(ctx, doc, set("live\n")); err != nil { // the holder file says "free"
		t.Fatal(err)
	}
	holder := filepath.Join(first.Root(), LocalName(Forgemind, holderFile))
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	move(holder, holder+".away")
	if err := os.Mkdir(holder, 0o755); err != nil { // which nobody can open for writing
		t.Fatal(err)
	}
	second := openTree(t, first.Root())
	h, err := second.takeTurn(ctx, 0, newPlace())
	if err != nil {
		t.Fatal(err)
	}
	staged := LocalName(Forgemind, stageDir) + "/" + ownName(LocalName(Forgemind, "index/cold-a"), []byte("x"))
	put(t, second, staged, "x")
	h.litter = true
	if err := os.Remove(holder); err != nil {
		t.Fatal(err)
	}
	move(holder+".away", holder)
	h.end()
	if err := openTree(t, first.Root()).Update(ctx, doc, set("live again\n")); err != nil {
		t.Fatal(err)
	}
	noLitter(t, first)
}

// Who only reads has no lock, and is missed by nobody when it is killed: what it
// had begun to derive goes by and by.
func TestDerivedFilesOfKilledReadersGo(t *testing.T) {
	tree := newTree(t)
	stage := LocalName(Forgemind, stageDir) + "/"
	old, young := stage+ownName(LocalName(Forgemind, "index/cold-a"), []byte("x")), stage+ownName(LocalName(Forgemind, "index/cold-b"), []byte("x"))
	put(t, tree, old, "x")
	put(t, tree, young, "x")
	ago := time.Now().Add(-2 * stageYouth)
	if err := os.Chtimes(filepath.Join(tree.Root(), old), ago, ago); err != nil {
		t.Fatal(err)
	}
	h, err := tree.takeTurnOnly()
	if err != nil {
		t.Fatal(err)
	}
	h.sweepStage(Forgemind, time.Now())
	h.end()
	if left := files(t, tree, LocalName(Forgemind, stageDir)); !slices.Equal(left, []string{young}) {
		t.Errorf("there are %q", left)
	}
}
