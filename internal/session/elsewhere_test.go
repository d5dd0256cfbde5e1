package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
)

// A message is elsewhere if its id is a message's in another session: not one
// that stands here, nor one that is only spoken of. However many are asked
// about, the answers are the same.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	tree := planted(t, map[string]string{
		session.Window("conv-1"):      `{"msg_id":"here","content":"a"}` + "\n",
		session.Window("conv-2"):      `{"msg_id":"window","content":"of \"spoken\" and \"quoted\""}` + "\n" + `{"id":"torn","con`,
		session.ArchiveFile("conv-2"): `{"id":"archive","content":"b","metadata":{"about":"spoken"}}` + "\n" + `{ "msg_id" : "escap\u0065d", "content": "c"}` + "\n" + `{"id":"torn\"`,
	})
	for _, before := range []int{0, 1000} {
		elsewhere, err := session.Elsewhere(tree, tree, "conv-1")
		if err != nil {
			t.Fatal(err)
		}
		for n := range before {
			if id := fmt.Sprint("nobody-", n); elsewhere(id) {
				t.Errorf("%s is elsewhere", id)
			}
		}
		for id, want := range map[string]bool{"window": true, "archive": true, "escaped": true, "here": false, "spoken": false, "quoted": false, "torn": false} {
			if elsewhere(id) != want {
				t.Errorf("after %d others, %s is elsewhere: %v", before, id, !want)
			}
		}
	}
}

// What is kept of files that are as they were never hides what they hold now, nor what
// a transaction is about to put there.
func TestElsewhereIsKept(t *testing.T) {
	long := func(id string) string {
		return fmt.Sprintf(`{"msg_id":%q,"content":%q}`, id, strings.Repeat("tide ", 30_000)) + "\n"
	}
	tree := planted(t, map[string]string{
		session.Window("conv-1"):      long("here"),
		session.Window("conv-2"):      long("two"),
		session.ArchiveFile("conv-3"): long("three"),
	})
	check := func(what string, r fs.Reader, want map[string]bool) {
		t.Helper()
		elsewhere, err := session.Elsewhere(r, tree, "conv-1")
		if err != nil {
			t.Fatal(err)
		}
		for id, is := range want {
			if elsewhere(id) != is {
				t.Errorf("%s: %s is elsewhere: %v", what, id, !is)
			}
		}
	}
	kept := filepath.Join(tree.Root(), ".quaid/.local/index/ids.json")
	tree.Now = func() time.Time { return time.Unix(0, 0) } // they were written a moment ago, however slow the machine is
	check("while they are new", tree, map[string]bool{"two": true, "three": true, "here": false})
	if _, err := os.Stat(kept); err == nil {
		t.Error("what could change again within a tick of the clock is kept")
	}
	tree.Now = func() time.Time { return time.Now().Add(time.Hour) } // they were left alone for long
	check("at first", tree, map[string]bool{"two": true, "three": true, "here": false})
	if _, err := os.Stat(kept); err != nil {
		t.Fatal(err)
	}
	check("from what is kept", tree, map[string]bool{"two": true, "three": true, "here": false})

	file := filepath.Join(tree.Root(), filepath.FromSlash(session.Window("conv-2")))
	fi, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond) // the file system's clock ticks slowly
	for _, err := range []error{os.WriteFile(file, []byte(long("six")), 0o644), os.Chtimes(file, fi.ModTime(), fi.ModTime())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	check("after an edit that keeps size and time", tree, map[string]bool{"two": false, "six": true, "three": true})

	for name, id := range map[string]string{session.Window("conv-2"): "ten", session.ArchiveFile("conv-3"): "eleven"} {
		if err := os.WriteFile(filepath.Join(tree.Root(), filepath.FromSlash(name)), []byte(long(id)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tree.Transaction(t.Context(), func(tx *fs.Tx) error {
		tx.Write(session.Window("conv-2"), []byte(long("seven")))
		tx.Write(session.Window("conv-4"), []byte(long("four")))
		tx.Write(session.ArchiveFile("conv-3"), []byte(long("nine")))
		check("in a transaction", tx, map[string]bool{"six": false, "seven": true, "four": true, "three": false, "nine": true})
		return errors.New("enough")
	}); err == nil {
		t.Fatal("it was written")
	}

	check("when it was given up", tree, map[string]bool{"ten": true, "eleven": true, "seven": false, "nine": false})

	if err := os.WriteFile(kept, []byte(`{"version":1,"files":[{"stamp":{"Name":`), 0o600); err != nil {
		t.Fatal(err)
	}
	check("with what is kept cut off", tree, map[string]bool{"ten": true, "eleven": true, "two": false})
}

// What stands for other messages is not counted; who speaks twice is named once.
func TestTold(t *testing.T) {
	window := `{"msg_id":"m-3","agent":"user","content":"c"}` + "\n" + `{"msg_id":"m-4","content":"d"}` + "\n" + `{"msg_id":"m-5"` + "\n"
	archive := strings.Join([]string{
		`{"msg_id":"m-1","agent":"quaid","content":"a"}`, `{"msg_id":"m-2","agent":"quaid","content":"b","kind":"summary"}`,
		`{"msg_id":"s-1","agent":"forgemind","kind":"summary","content":"both","metadata":{"cluster":{"members":["m-1","m-2"]}}}`,
		`{"msg_id":"s-2","agent":"forgemind","kind":"summary","content":"all","metadata":{"compaction":{"id":"cmp-1"}}}`,
	}, "\n")
	if n, agents := session.Told([]byte(window), []byte(archive)); n != 4 || !slices.Equal(agents, []string{"quaid", "user"}) {
		t.Errorf("%d messages of %v", n, agents)
	}
}
