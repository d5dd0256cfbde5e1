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

// actSession is a writer that is going to be killed. Each round n adds one
// record to the messages, and writes n to two files of two folders at once.
func actSession(tree *Tree, from string) error {
	first, err := strconv.Atoi(from)
	if err != nil {
		return err
	}
	for n := first; ; n++ {
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
	}
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

// Killed at any moment, files are old or new, transactions of several names are
// all or nothing after the next lock, and what was acknowledged is there.
func TestKilledAtRandom(t *testing.T) {
	kills := 60
	if s := os.Getenv("FS_TEST_KILLS"); s != "" {
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
		for _, line := range a.said {
			what, n, _ := strings.Cut(line, " ")
			acked[what], _ = strconv.Atoi(n)
		}
		if text, err := tree.Read(Config); err == nil { // before anything is mended
			number(t, text)
		}
		if err := tree.Update(ctx, ".quaid/after.md", set(fmt.Sprint(next, rand.Int()))); err != nil {
			t.Fatal(err)
		}
		state, note, config := 0, 0, 0
		if text, err := tree.Read(State); err == nil {
			state = number(t, text)
		}
		if text, err := tree.Read(notes); err == nil {
			note = number(t, text)
		}
		if text, err := tree.Read(Config); err == nil {
			config = number(t, text)
		}
		records, messages := records(t, tree, Clarifications), records(t, tree, Messages)
		if state != note || state != messages {
			t.Fatalf("half a transaction: state %d, notes %d, messages %d", state, note, messages)
		}
		_, err := tree.Read(".forgemind/old.md")
		if state > 0 && (err == nil) != (state%3 != 0) {
			t.Fatalf("half a transaction: state %d, old.md: %v", state, err)
		}
		if state < acked["both"] || config < acked["config"] || records < acked["record"] {
			t.Fatalf("acknowledged %v, found record %d, both %d, config %d", acked, records, state, config)
		}
		noLitter(t, tree)
		next = max(records, state, config) + 1
	}
	incidents, err := tree.Incidents()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range incidents {
		if i.What != "the last line was torn" {
			t.Errorf("%+v", i)
		}
	}
	t.Logf("%d kills, %d rounds, %d incidents", kills, next, len(incidents))
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
