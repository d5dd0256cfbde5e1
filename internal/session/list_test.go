package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

// planted is a real tree of these files.
func planted(t *testing.T, files map[string]string) *fs.Tree {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := fs.Open(root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree
}

// four is a tree of four sessions: one archived, one active, one of which the
// metadata is torn, and one that has none.
func four() map[string]string {
	return map[string]string{
		session.MetadataFile("conv-1"): `{"session_id":"conv-1","started":"2025-11-07T09:00:00Z","last_activity":"2025-11-07T10:00:00Z","message_count":12,"title":"First","status":"archived","completed":[{"goal":"G"}]}`,
		session.MetadataFile("conv-2"): `{"session_id":"conv-2","started":"2025-11-08T09:00:00Z","last_activity":"2025-11-10T10:00:00.5Z","message_count":3,"title":"Second","status":"active"}`,
		session.MetadataFile("conv-3"): `{"session_id":"conv-3","title":"Thi`,
		session.HotContext("conv-3"):   `{"conversation_id":"conv-3","session_started":"2025-11-09T04:30:00Z","active_goals":[]}`,
		session.Window("conv-3"):       `{"msg_id":"m-3","timestamp":"2025-11-09T06:00:00Z","agent":"quaid","content":"c"}` + "\n" + `{"msg_id":"m-4","ti`,
		session.ArchiveFile("conv-3"): `{"msg_id":"m-1","timestamp":"2025-11-09T05:00:00Z","agent":"user","content":"a"}` + "\n" +
			`{"msg_id":"s","kind":"summary","agent":"forgemind","content":"both","metadata":{"cluster":{"members":["m-1"]}}}` + "\n",
		session.Window("conv-4"):          `{"msg_id":"m-5","timestamp":"2025-11-06T06:00:00Z","agent":"user","content":"c"}` + "\n",
		fs.Sessions + "/conv-5/.DS_Store": "",
		fs.ActiveSession:                  "conv-2\n",
	}
}

// List tells the same with a right index, a wrong one, a torn one and none.
func TestListOfSessions(t *testing.T) {
	t.Parallel()
	const want = `conv-2 "Second" active 3 2025-11-10T10:00:00.5Z live
conv-3 "" - 2 2025-11-09T06:00:00.000Z [user quaid] unreadable
conv-1 "First" archived 12 2025-11-07T10:00:00Z
conv-4 "" - 1 2025-11-06T06:00:00.000Z [user] unreadable
`
	for what, index := range map[string]string{
		"none": "", "torn": `{"session_id":"conv-1","sta`, "older": `{"session_id":"conv-1","message_count":1}` + "\n" + `{"session_id":"conv-0"}` + "\n",
	} {
		files := four()
		if index != "" {
			files[fs.SessionIndex] = index
		}
		all, err := session.List(planted(t, files))
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, l := range all {
			fmt.Fprintf(&got, "%s %q %s %d %s", l.SessionID, l.Title, orDash(l.Status), l.MessageCount, l.LastActivity)
			if l.Live {
				got.WriteString(" live")
			}
			if l.Err != nil {
				fmt.Fprintf(&got, " %v unreadable", l.Agents)
			}
			got.WriteString("\n")
		}
		if got.String() != want {
			t.Errorf("index %s: got\n%s", what, got.String())
		}
	}
	if all, err := session.List(planted(t, map[string]string{fs.State: "{}"})); err != nil || len(all) > 0 {
		t.Errorf("a tree without sessions: %v, %v", all, err)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func TestIdleSessions(t *testing.T) {
	t.Parallel() // it waits
	files := four()
	files[session.MetadataFile("conv-0")] = `{"session_id":"conv-0","last_activity":"2025-10-01T10:00:00Z","status":"active"}`
	files[session.MetadataFile("conv-6")] = `{"session_id":"conv-6","status":"active"}`
	all, err := session.List(planted(t, files))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	if got := session.Idle(all, now, 30); !slices.Equal(got, []string{"conv-0"}) {
		t.Errorf("idle are %v", got)
	}
	if got := session.Idle(all, time.Date(2025, 10, 31, 10, 0, 0, 0, time.UTC), 30); len(got) > 0 {
		t.Errorf("to the second thirty days, and idle are %v", got)
	}
}

// The index is what the metadata files say, however it was before.
func TestTheIndexIsMended(t *testing.T) {
	t.Parallel()
	files := four()
	tree := planted(t, files)
	want, err := session.Index(tree)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(want), "\n"); lines != 2 || strings.Contains(string(want), "completed") {
		t.Fatalf("the index is\n%s", want)
	}
	delete(files, session.MetadataFile("conv-3"))
	tree = planted(t, files)
	var second schema.SessionMetadata
	if err := jsonedit.Decode([]byte(files[session.MetadataFile("conv-2")]), &second); err != nil {
		t.Fatal(err)
	}
	second.MessageCount, second.Completed = 4, []schema.Done{{Goal: "G"}}
	newer := strings.Replace(string(want), `"message_count":3`, `"message_count":4`, 1)
	foreign := strings.Replace(string(want), `"title":"First"`, `"x": 1, "title":"First"`, 1)
	for _, c := range []struct{ what, index, want string }{
		{"as it was", string(want), newer},
		{"as it is", newer, newer},
		{"without a last line ending", strings.TrimSuffix(string(want), "\n"), newer},
		{"with what another tool knows", foreign, strings.Replace(foreign, `"message_count":3`, `"message_count":4`, 1)},
		{"none", "", newer},
		{"torn", string(want[:len(want)-9]), newer},
		{"one too few", string(want[:strings.Index(string(want), "\n")+1]), newer},
		{"one too many", string(want) + `{"session_id":"conv-9"}` + "\n", newer},
		{"one twice", string(want) + string(want), newer},
	} {
		got, err := session.Indexed(tree, []byte(c.index), second)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s", c.what, err, got)
		}
	}
}

// What one session's metadata has wrong is not repeated: the index would be
// refused for it, and every change of the tree with the index.
func TestTheIndexRepeatsNoFault(t *testing.T) {
	tree := planted(t, map[string]string{
		session.MetadataFile("conv-1"):  `{"session_id":"conv-1","started":"yesterday","last_activity":"2025-11-07","message_count":-3,"title":"First"}`,
		session.MetadataFile("no id é"): `{"session_id":"conv-2"}`,
	})
	got, err := session.Index(tree)
	if err != nil {
		t.Fatal(err)
	}
	if found := validate.Bytes(fs.SessionIndex, got, validate.Options{}); len(found) > 0 || strings.Count(string(got), "\n") != 1 {
		t.Errorf("%s%v", got, found)
	}
}
