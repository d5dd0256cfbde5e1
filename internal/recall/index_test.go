package recall

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/relevance"
)

// keep keeps what a Past has read.
func keep(t testing.TB, p *Past) []byte {
	t.Helper()
	b := p.merged()
	if err := p.tree.WriteDerived(p.keptName(), b); err != nil {
		t.Fatal(err)
	}
	return b
}

func open(t testing.TB, tree *fs.Tree) *Past {
	t.Helper()
	p, err := Open(tree)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// stood returns the stored volume on disk, "" if there is none.
func stood(tree *fs.Tree) string {
	src, _ := os.ReadFile(filepath.Join(tree.Root(), fs.LocalName(fs.Quaid, "index", "recall")))
	return string(src)
}

// told returns the results of every kind of query.
func told(t testing.TB, p *Past) string {
	t.Helper()
	var b strings.Builder
	for _, q := range []Query{{}, {Words: "apple pear"}, {Words: "plum cellar cold", Limit: 3}, {Entity: "plum"}, {Tag: "storage"}} {
		found, err := p.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			text, err := jsonedit.Value(f.Message)
			fmt.Fprintf(&b, "%s %s %d %x %s %v %v\n", f.Session, f.Name, f.At, f.Score, text, f.Fragment, err)
		}
		fmt.Fprintln(&b, "--")
	}
	for at := range 4 {
		found, err := p.Around("s1", at, 2)
		fmt.Fprintln(&b, names(found), err)
	}
	return b.String()
}

// Whatever was kept on the way, and whatever happened to the files since, the
// answers are those of a tree that is read for the first time.
func TestAnswersDependOnTheDocumentsAlone(t *testing.T) {
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		tree := newTree(t)
		if seed%2 == 0 {
			tree.Now = early // no stamp is believed
		}
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		line := func() string {
			content := pick("apples", "pears", "plums", "") + " " + pick("in the cellar", "in the cold", "", "and apples")
			switch r.IntN(8) {
			case 0:
				return `{"torn":` + "\n"
			case 1:
				return fmt.Sprintf(`{"msg_id":"m%d","content":%q}`+"\n", r.IntN(9), content)
			case 2:
				return fmt.Sprintf("\xEF\xBB\xBF"+`{"msg_id":"m%d","content":"plum, marked"}`+"\n", r.IntN(9))
			}
			return said(fmt.Sprint("m", r.IntN(30)), r.IntN(60), content)
		}
		for i := range 25 {
			name := pick(archive("s1"), window("s1"), archive("s2"), window("s3"), fs.Messages)
			src, _ := tree.Read(name)
			switch r.IntN(8) {
			case 0, 1, 2:
				write(t, tree, name, string(src)+line()+line())
			case 3:
				write(t, tree, name, strings.TrimSuffix(string(src)+line(), "\n"))
			case 4:
				write(t, tree, name, line()+line()+line())
			case 5:
				write(t, tree, name, string(src[:r.IntN(len(src)+1)]))
			case 6:
				os.Remove(filepath.Join(tree.Root(), name))
			case 7:
				write(t, tree, pick(fs.Quaid, fs.Forgemind)+"/memory/fragments/"+pick("a", "b")+".md",
					fragment("f", "pattern", "storage", pick("plum", "pear"), line()))
			}
			// A torn file that is young would be waited for, as the middle of a save.
			written := time.Now().Add(-time.Hour + time.Duration(i)*time.Second)
			if err := os.Chtimes(filepath.Join(tree.Root(), name), written, written); err != nil && !errors.Is(err, iofs.ErrNotExist) {
				t.Fatal(err)
			}
			p := open(t, tree)
			if r.IntN(3) == 0 {
				keep(t, p)
			}
			got := told(t, p)
			fresh := &Past{tree: tree}
			if err := fresh.open(false); err != nil {
				t.Fatal(err)
			}
			if want := told(t, fresh); got != want {
				t.Fatalf("seed %d:\n%s\nand read anew:\n%s", seed, got, want)
			}
		}
	}
}

// much returns a file that is too long to be read each time.
func much() string {
	var b strings.Builder
	for i := 0; b.Len() <= maxLoose; i++ {
		b.WriteString(said(fmt.Sprint("much-", i), i%60, "much ado about apples"))
	}
	return b.String()
}

func TestAVolumeIsKeptAndBelieved(t *testing.T) {
	tree := library(t)
	if want := told(t, open(t, tree)); stood(tree) != "" || want != told(t, open(t, tree)) {
		t.Fatal("a volume was kept of next to nothing")
	}
	write(t, tree, archive("s9"), much())
	p := open(t, tree)
	if got := stood(tree); got != string(p.merged()) {
		t.Fatalf("a volume of %d bytes was kept", len(got))
	}
	want := told(t, p)
	again := open(t, tree)
	if n := again.volumes[loose].texts(); n != 0 {
		t.Errorf("%d texts were read again", n)
	}
	if told(t, again) != want {
		t.Error("the kept volume says otherwise")
	}
	if string(again.merged()) != stood(tree) {
		t.Error("it would be kept differently")
	}
}

// A file that goes on is read from where it was left.
func TestOnlyWhatIsNewIsRead(t *testing.T) {
	tree := library(t)
	write(t, tree, archive("s9"), much())
	before := open(t, tree).volumes[loose].texts()
	write(t, tree, archive("s9"), much()+said("more", 59, "one apple, and a cherry"))
	p := open(t, tree)
	if k, n := p.volumes[kept], p.volumes[loose].texts(); k.texts() != before || n != 1 {
		t.Errorf("%d texts were kept, %d were read", k.texts(), n)
	}
	if found, err := p.Search(Query{Words: "cherries"}); err != nil || names(found) != "s9@938:more +s9@937:much-899" {
		t.Errorf("%v: %s", err, names(found))
	}
	keep(t, p)
	write(t, tree, archive("s9"), much()+said("more", 59, "one apple, and a cherry")+said("last", 59, "the last apple"))
	if n := open(t, tree).volumes[loose].texts(); n != 1 {
		t.Errorf("it went on again, and %d texts were read", n)
	}
	write(t, tree, archive("s9"), strings.Replace(much(), "much ado", "many ads", 1)+said("more", 59, "one apple, and a cherry"))
	if n := open(t, tree).volumes[loose].texts(); n < 100 {
		t.Errorf("a line was changed in the middle, and %d texts were read", n)
	}
}

// A change in place is detected by the stamp, even if the size is the same.
func TestAFileThatChangedInPlace(t *testing.T) {
	tree := newTree(t)
	write(t, tree, archive("s"), said("a", 1, "apples"))
	keep(t, open(t, tree))
	time.Sleep(20 * time.Millisecond) // a file system's clock ticks slowly
	write(t, tree, archive("s"), said("a", 1, "quince"))
	if found, err := Search(tree, Query{Words: "quince"}); err != nil || names(found) != "s@0:a" {
		t.Errorf("%v: %s", err, names(found))
	}
}

// A file that was written a moment ago may be written again without a new
// stamp: its bytes are compared.
func TestNoStampIsBelievedOfAFileStillWarm(t *testing.T) {
	tree := newTree(t)
	tree.Now = early
	write(t, tree, archive("s9"), much())
	open(t, tree)
	v, ok := openKept([]byte(stood(tree)))
	if !ok || v.parts[0].stamp != (fs.Stamp{Name: archive("s9")}) {
		t.Fatalf("%v: %+v", ok, v.parts)
	}
	if p := open(t, tree); p.volumes[loose].texts() != 0 || !p.files[0].proven {
		t.Error("its bytes were not compared")
	}
}

// Once it has cooled down, a long file need not be compared each time.
func TestAStampIsBelievedInTheEnd(t *testing.T) {
	tree := newTree(t)
	tree.Now = early
	write(t, tree, archive("s9"), strings.Repeat(much(), maxProven/maxLoose+1))
	open(t, tree)
	tree.Now = later
	open(t, tree)
	if p := open(t, tree); p.files[0].proven || p.volumes[loose].texts() != 0 {
		t.Error("its bytes were compared again")
	}
}

func TestADamagedVolumeIsMadeAnew(t *testing.T) {
	tree := library(t)
	write(t, tree, archive("s9"), much())
	want := told(t, open(t, tree))
	good := []byte(stood(tree))
	bad := [][]byte{{}, []byte("x"), good[:len(good)/2], append(slices.Clone(good), 0), make([]byte, len(good))}
	for i := 0; i < len(good); i += 1 + i/64 {
		b := slices.Clone(good)
		b[i] ^= 1
		bad = append(bad, b)
	}
	for _, b := range bad {
		if _, ok := openKept(b); ok {
			t.Fatal("a damaged volume is believed")
		}
	}
	for _, b := range bad[:6] {
		if err := tree.WriteDerived(open(t, tree).keptName(), b); err != nil {
			t.Fatal(err)
		}
		if told(t, open(t, tree)) != want || stood(tree) != string(good) {
			t.Error("a damaged volume still stands")
		}
	}
}

// A volume of the right form that leads to wrong places is found out when a hit
// is read.
func TestAVolumeThatLeadsAstray(t *testing.T) {
	tree := newTree(t)
	first, second := said("a", 1, "apples are red"), said("b", 2, "plums are blue")
	write(t, tree, archive("s"), second+first)
	wrong := keep(t, open(t, tree))
	write(t, tree, archive("s"), first+second)
	p := open(t, tree)
	v, ok := openKept(wrong)
	if !ok {
		t.Fatal("not a volume")
	}
	v.parts[0].stamp, v.parts[0].end = p.files[0].stamp, 2
	words := string(wrong[len(wrong)-len(wordsOf(t, "plums are blue", "apples are red")):])
	if err := tree.WriteDerived(p.keptName(), v.appendKept(nil, func(b []byte) []byte { return append(b, words...) })); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if found, err := Search(tree, Query{Words: "apples"}); err != nil || names(found) != "s@0:a +s@1:b" {
			t.Errorf("%v: %s", err, names(found))
		}
	}
}

func wordsOf(t testing.TB, texts ...string) []byte {
	b := relevance.NewBuilder()
	for _, text := range texts {
		b.Add(text)
	}
	return b.Append(nil)
}

// Where nothing can be kept, everything is read.
func TestNothingNeedsToBeKept(t *testing.T) {
	tree := library(t)
	write(t, tree, archive("s9"), much())
	want := told(t, open(t, tree))
	os.RemoveAll(filepath.Join(tree.Root(), fs.LocalName(fs.Quaid, "index")))
	write(t, tree, fs.LocalName(fs.Quaid, "index"), "a file, where the folder should be")
	for range 2 {
		if told(t, open(t, tree)) != want {
			t.Error("it says otherwise")
		}
	}
	if stood(tree) != "" {
		t.Error("a volume was kept")
	}
}

// Many small new files are added to the volume, and removed ones are dropped from it.
func TestTheVolumeFollowsTheFiles(t *testing.T) {
	tree := newTree(t)
	for i := range maxLooseMany + 1 {
		write(t, tree, window(fmt.Sprint("s", i)), said(fmt.Sprint("m", i), i%60, "an apple"))
	}
	open(t, tree)
	if v, ok := openKept([]byte(stood(tree))); !ok || v.texts() != maxLooseMany+1 {
		t.Fatal("none was kept")
	}
	for i := range maxLooseMany {
		os.RemoveAll(filepath.Join(tree.Root(), fs.Sessions, fmt.Sprint("s", i)))
	}
	open(t, tree)
	if v, ok := openKept([]byte(stood(tree))); !ok || v.texts() != 1 || len(v.parts) != 1 {
		t.Errorf("%v: %d texts are kept", ok, v.texts())
	}
}

func TestATreeOfOneFolder(t *testing.T) {
	for _, home := range []string{fs.Forgemind, fs.Quaid} {
		tree, err := fs.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		tree.Now = later
		if found, err := Search(tree, Query{Words: "apple"}); err != nil || len(found) > 0 {
			t.Errorf("no folder: %v %v", found, err)
		}
		if err := tree.Create(home); err != nil {
			t.Fatal(err)
		}
		name := map[string]string{fs.Forgemind: fs.Messages, fs.Quaid: archive("s")}[home]
		write(t, tree, name, much())
		for range 2 {
			if found, err := Search(tree, Query{Words: "apple", Limit: 1}); err != nil || len(found) != 1 {
				t.Errorf("%s: %v %v", home, found, err)
			}
		}
		if _, err := os.Stat(filepath.Join(tree.Root(), fs.LocalName(home, "index", "recall"))); err != nil {
			t.Error(err)
		}
	}
}

// With any bytes as a volume, a search ends, and finds nothing that does not exist.
func FuzzOpenKept(f *testing.F) {
	tree := newTree(f)
	first, second := said("a", 1, "alpha beta"), said("b", 2, "beta gamma")
	write(f, tree, archive("s"), first+second)
	write(f, tree, window("s"), said("c", 3, "gamma alpha"))
	good := keep(f, open(f, tree))
	body := len(keptHeading) + checksumSize
	f.Add(good[body:])
	for i := body; i < len(good); i++ {
		for _, c := range []byte{0xff, 0x01, 0x80} {
			bad := slices.Clone(good)
			bad[i] ^= c
			f.Add(bad[body:])
		}
	}
	if err := os.RemoveAll(filepath.Join(tree.Root(), fs.LocalName(fs.Quaid))); err != nil {
		f.Fatal(err)
	}
	stamps, _, err := stampsOf(tree)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, rest []byte) {
		open := func() *Past {
			v, ok := openKept(sealed(slices.Concat(good[:body], rest)))
			if !ok {
				t.Skip()
			}
			p := &Past{tree: tree}
			if _, err := p.read(stamps, v); err != nil {
				t.Fatal(err)
			}
			return p
		}
		for _, q := range []Query{{}, {Words: "alpha beta gamma"}, {Entity: "beta"}} {
			found, err := open().Search(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				if src, err := tree.Read(f.Name); err != nil || !strings.Contains(string(src), fmt.Sprintf("%q", f.Message.Content)) {
					t.Errorf("%v: %s is not there", err, f.Message.Content)
				}
			}
		}
		p := open()
		p.merged()
		if _, err := p.Around("s", 1, 2); err != nil {
			t.Error(err)
		}
	})
}
