//go:build unix

package fs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const notes = ".quaid/memory/notes.md"

// actRound is what a writer does that is going to be killed: it adds n to a
// JSONL file, then to five names of two folders and a view at once, then to one document.
func actRound(tree *Tree, n int) error {
	if err := tree.Append(ctx, Clarifications, fmt.Appendf(nil, `{"n":%d}`, n)); err != nil {
		return err
	}
	fmt.Printf("record %d\n", n)
	_, err := tree.Transaction(ctx, func(tx *Tx) error {
		tx.Write(State, numbered(n))
		tx.Write(notes, numbered(n))
		tx.Append(Messages, fmt.Appendf(nil, `{"n":%d}`, n))
		if n%3 == 0 {
			tx.Remove(".forgemind/old.md")
		} else {
			tx.Write(".forgemind/old.md", numbered(n))
		}
		tx.Write(shownDoc, numbered(n))
		tx.AsView(shownDoc, true)
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("both %d\n", n)
	if err := tree.Update(ctx, Config, func([]byte) ([]byte, error) { return numbered(n), nil }); err != nil {
		return err
	}
	fmt.Printf("config %d\n", n)
	return nil
}

// numbered is a text that is no longer itself when cut or mixed.
func numbered(n int) []byte {
	return fmt.Appendf(nil, "[%d%s, %d]\n", n, strings.Repeat(" ", 3000), n)
}

func number(t *testing.T, text []byte) int {
	t.Helper()
	var pair []int
	if err := json.Unmarshal(text, &pair); err != nil || len(pair) != 2 || pair[0] != pair[1] {
		t.Fatalf("torn: %v in %.40q… of %d bytes", err, text, len(text))
	}
	return pair[0]
}

// found is what a round left, as far as each of its parts got.
type found struct{ record, both, config int }

// afterwards checks, once the next transaction has run, that files are old or
// new, that the transaction is all or nothing, that what was acknowledged is
// there, and that nothing lies about.
func afterwards(t *testing.T, tree *Tree, acked map[string]int) found {
	t.Helper()
	for _, name := range []string{Config, shownDoc} { // before anything is mended
		if text, err := tree.Read(name); err == nil {
			number(t, text)
		}
	}
	if err := tree.Update(ctx, ".quaid/after.md", set(fmt.Sprint(rand.Int()))); err != nil {
		t.Fatal(err)
	}
	at := func(name string) int {
		text, err := tree.Read(name)
		if isNotExist(err) {
			return 0
		}
		return number(t, text)
	}
	f := found{records(t, tree, Clarifications), at(State), at(Config)}
	if note, messages := at(notes), records(t, tree, Messages); f.both != note || f.both != messages {
		t.Fatalf("half a transaction: state %d, notes %d, messages %d", f.both, note, messages)
	}
	if old := at(".forgemind/old.md"); f.both%3 == 0 && old != 0 || f.both%3 != 0 && old != f.both {
		t.Fatalf("half a transaction: state %d, old.md %d", f.both, old)
	}
	if f.both < acked["both"] || f.config < acked["config"] || f.record < acked["record"] {
		t.Fatalf("acknowledged %v, found %+v", acked, f)
	}
	noLitter(t, tree)
	return f
}

// heard notes what an actor acknowledged.
func heard(a *actor, acked map[string]int) {
	for _, line := range a.said {
		what, n, _ := strings.Cut(line, " ")
		acked[what], _ = strconv.Atoi(n)
	}
}

func onlyTornLines(t *testing.T, tree *Tree) {
	t.Helper()
	incidents, err := tree.Incidents()
	if err != nil {
		t.Error(err)
	}
	for _, i := range incidents {
		if i.What != "the last line was torn" {
			t.Errorf("%+v", i)
		}
	}
}

func TestKilledAtRandom(t *testing.T) {
	kills := 60
	if s := os.Getenv("FS_TEST_KILLS"); s != "" {
		t.Parallel() // beside the sweeps
		kills, _ = strconv.Atoi(s)
	} else if testing.Short() {
		kills = 10
	}
	tree := newTree(t)
	next, acked := 1, map[string]int{}
	for range kills {
		a := start(t, "session", tree.Root(), strconv.Itoa(next))
		time.Sleep(5*time.Millisecond + time.Duration(rand.IntN(40_000))*time.Microsecond)
		a.Process.Kill()
		<-a.ended
		a.Wait()
		a.in.Close()
		if a.err.Len() > 0 {
			t.Fatal(a.err.String())
		}
		heard(a, acked)
		f := afterwards(t, tree, acked)
		next = max(f.record, f.both, f.config) + 1
	}
	onlyTornLines(t, tree)
	t.Logf("%d kills, %d rounds", kills, next)
}

// records checks that name has whole lines only, numbered upwards, none twice,
// and gives the last number.
func records(t *testing.T, tree *Tree, name string) int {
	t.Helper()
	text, err := tree.Read(name)
	if isNotExist(err) {
		return 0
	}
	last := 0
	for line := range bytes.Lines(text) {
		var r struct{ N int }
		if err := json.Unmarshal(line, &r); err != nil || !bytes.HasSuffix(line, []byte("\n")) {
			if len(text) == cap(text) || bytes.HasSuffix(text, line) {
				continue // a torn tail stands until somebody appends
			}
			t.Fatalf("%s: %q: %v", name, line, err)
		}
		if r.N <= last {
			t.Fatalf("%s: %d after %d", name, r.N, last)
		}
		last = r.N
	}
	return last
}
