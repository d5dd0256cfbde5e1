package session_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
)

func TestTheLiveConversation(t *testing.T) {
	active := fs.Sessions + "/conv-1/recent_history.jsonl"
	state := func(id string) string { return `{"metadata": {"session_id": "` + id + `"}}` }
	for _, c := range []struct {
		what        string
		tree        shelf
		name, owner string
	}{
		{"an empty tree", shelf{}, fs.Messages, "conversation"},
		{"a State", shelf{fs.State: state("session-2026-01-01-01")}, fs.Messages, "session-2026-01-01-01"},
		{"a State whose id is none", shelf{fs.State: state("../up")}, fs.Messages, "conversation"},
		{"a State that cannot be read", shelf{fs.State: "{"}, fs.Messages, "conversation"},
		{"an active session", shelf{fs.State: state("s"), fs.ActiveSession: "conv-1\n", fs.Sessions + "/conv-1/metadata.json": "{}"}, active, "conv-1"},
		{"an active session that is gone", shelf{fs.State: state("s"), fs.ActiveSession: "conv-1\n", fs.Sessions + "/conv-11/metadata.json": "{}"}, fs.Messages, "s"},
	} {
		name, err := session.LiveName(c.tree)
		owner, err2 := session.Owner(c.tree)
		if err != nil || err2 != nil || name != c.name || owner != c.owner {
			t.Errorf("%s: %s (%v), %s (%v)", c.what, name, err, owner, err2)
		}
	}
	if name, err := session.LiveName(shelf{fs.ActiveSession: "../x"}); err == nil {
		t.Errorf("got %s", name)
	}
}

func TestTheTallyHoldsUntilTheConversationChanges(t *testing.T) {
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if err := tree.Create(fs.Forgemind); err != nil {
		t.Fatal(err)
	}
	if got, ok := session.ReadTally(tree); !ok || got != (session.Tally{Name: fs.Messages}) {
		t.Errorf("before anything was said: %+v, %v", got, ok)
	}
	counted := 0
	count := func(text string) int { counted++; return len(text) }
	src := []byte(talk + "not JSON\n")
	_, err = tree.Transaction(context.Background(), func(tx *fs.Tx) error {
		tx.Write(fs.Messages, src)
		return session.Count(fs.Messages, src, count, "bytes").Keep(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := session.Tally{Name: fs.Messages, Size: int64(len(src)), Messages: 3, Tokens: 19 + 15 + 16, Counter: "bytes"}
	if got, ok := session.ReadTally(tree); !ok || got != want {
		t.Errorf("%+v, %v; want %+v", got, ok, want)
	}
	if err := tree.Append(context.Background(), fs.Messages, []byte(`{"content":"more"}`)); err != nil {
		t.Fatal(err)
	}
	if got, ok := session.ReadTally(tree); ok {
		t.Errorf("of another size: %+v", got)
	}
}

func TestStoredCountsAreTaken(t *testing.T) {
	counted := 0
	count := func(text string) int { counted++; return 100 }
	src := []byte(`{"content":"a","tokens":3,"counter":"x"}
{"content":"b","tokens":5,"counter":"other"}
{"content":"c","tokens":7,"counter":"x"}
`)
	got := session.Count("n", src, count, "x")
	if got.Tokens != 110 || counted != 1 {
		t.Errorf("%+v, counted %d", got, counted)
	}
	more := got.Plus([]schema.Message{{Content: "d", Tokens: 2, Counter: "x"}}, 30, count)
	if more.Tokens != 112 || more.Messages != 4 || more.Size != int64(len(src))+30 || counted != 1 {
		t.Errorf("%+v", more)
	}
}

// The file is counted as its text is, line by line, and of very much text only
// the beginning: the rest is taken to cost as much.
func TestTheFileIsCountedAsItsText(t *testing.T) {
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if got, err := session.Recount(tree, fs.Messages, nil, "x"); err != nil || got != (session.Tally{Name: fs.Messages, Counter: "x"}) {
		t.Errorf("without a file: %+v, %v", got, err)
	}
	if err := tree.Create(fs.Forgemind); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", 100_000)
	much := strings.Repeat(`{"content":"`+long+`"}`+"\n", 90)
	for what, text := range map[string]string{
		"nothing": "", "an end": talk, "no end": talk + `{"content":"last"}`, "half a line": talk + `{"conte`,
		"a mark": "\ufeff" + talk, "blank lines and others": "\n\r\n" + talk + "not JSON\n\x00\n" + talk, "long lines": talk + much + talk,
	} {
		if err := os.MkdirAll(filepath.Join(tree.Root(), fs.Forgemind, "context"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(tree.Root(), fs.Messages), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		counted := 0
		count := func(text string) int { counted += len(text); return 2 * len(text) }
		want := session.Count(fs.Messages, []byte(text), count, "x")
		got, err := session.Recount(tree, fs.Messages, count, "x")
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; the text has %+v", what, got, err, want)
		}
		if what == "long lines" && (counted != 2*4<<20 || got.Tokens != 2*(90*len(long)+2*(19+15+16))) {
			t.Errorf("%d bytes counted, %d tokens", counted, got.Tokens)
		}
	}
}

// A tally says what of it are summaries, and which compaction it is since,
// however it was counted.
func TestTheTallyTellsSummariesAndTheCompaction(t *testing.T) {
	head := `{"msg_id":"s-1","kind":"summary","content":"So far: pears.","metadata":{"compaction":{"id":"compaction-1","session":"s"}}}` + "\n"
	src := "\ufeff" + head + `{"content":"ripe"}` + "\n" + `{"kind":"summary","content":"More."}` + "\n"
	want := session.Tally{Name: fs.Messages, Size: int64(len(src)), Messages: 3, Tokens: 14 + 4 + 5, Summaries: 14 + 5, Counter: "bytes", Compaction: "compaction-1"}
	count := func(text string) int { return len(text) }
	if got := session.Count(fs.Messages, []byte(src), count, "bytes"); got != want {
		t.Errorf("%+v", got)
	}
	tree, err := fs.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	path := filepath.Join(tree.Root(), filepath.FromSlash(fs.Messages))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := session.Recount(tree, fs.Messages, count, "bytes")
	if err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	if err := got.KeepIn(tree); err != nil {
		t.Fatal(err)
	}
	if kept, ok := session.ReadTally(tree); !ok || kept != want {
		t.Errorf("%+v, %v", kept, ok)
	}
	// The compaction is not that of a later line.
	if got := session.Count(fs.Messages, []byte(`{"content":"ripe"}`+"\n"+head), count, "bytes"); got.Compaction != "" {
		t.Errorf("%+v", got)
	}
	// An older version told no summaries: it is counted anew.
	tallied := fs.LocalName(fs.Forgemind, session.TallyFile)
	text, err := tree.Read(tallied)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(text), `"summaries": 19,`, "", 1)
	if err := os.WriteFile(filepath.Join(tree.Root(), filepath.FromSlash(tallied)), []byte(old), 0o644); err != nil || old == string(text) {
		t.Fatal(err, string(text))
	}
	if got, ok := session.ReadTally(tree); ok {
		t.Errorf("%+v", got)
	}
}
