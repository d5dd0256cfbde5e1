package session_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/session"
	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/validate"
)

func describe(t *testing.T, src string, about session.MetadataChange) string {
	t.Helper()
	text, err := session.Describe("conv-1", []byte(src), about)
	if src == "" {
		text, err = session.Describe("conv-1", nil, about)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range validate.Bytes(session.MetadataFile("conv-1"), text, validate.Options{}) {
		t.Errorf("%s [%s] in\n%s", f.Message, f.Rule, text)
	}
	return string(text)
}

// A session that begins without metadata gets what the document shows of it.
func TestMetadataAsTheDocumentShowsIt(t *testing.T) {
	got := describe(t, "", session.MetadataChange{
		At: "2025-11-09T06:15:23Z", Messages: 45, Agents: []string{"user", "quaid", "user"},
		Files: []string{"auth/jwt.py", "auth/validators.py"}, Goals: []string{"Implement JWT authentication"},
	})
	want := `{
  "session_id": "conv-1",
  "started": "2025-11-09T06:15:23Z",
  "last_activity": "2025-11-09T06:15:23Z",
  "message_count": 45,
  "title": "JWT Authentication Implementation",
  "status": "active",
  "agents": [
    "user",
    "quaid"
  ],
  "primary_files": [
    "auth/jwt.py",
    "auth/validators.py"
  ],
  "tags": [
    "jwt",
    "authentication",
    "implementation"
  ]
}
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	if again := describe(t, got, session.MetadataChange{
		At: "2025-11-09T06:15:22.9Z", Messages: session.AsItIs, Agents: []string{"quaid"}, Goals: []string{"Implement JWT authentication"},
	}); again != got {
		t.Errorf("what is true already changed it:\n%s", again)
	}
}

// Only what changes is changed: formatting, order and unknown members stay.
func TestDescribeEditsTheText(t *testing.T) {
	src := "{\t\"x\": [1,\n2], \"agents\": [ \"user\" ],\r\n \"session_id\": \"conv-1\", \"message_count\": 7.0 }"
	got := describe(t, src, session.MetadataChange{
		Messages: 8, Agents: []string{"quaid"}, Status: session.Archived, Fragment: ".quaid/memory/fragments/f.md",
		Done: []schema.Done{{ID: "goal-1", Goal: "G", Completed: "2025-11-09T06:00:00Z", CompletedBy: "quaid"}},
	})
	for _, part := range []string{"{\t\"x\": [1,\n2], \"agents\": [ \"user\", \"quaid\" ],\r\n", `"message_count": 8`, `"archived"`, `"f.md"`} {
		if part = strings.Replace(part, `"f.md"`, `fragments/f.md"`, 1); !strings.Contains(got, part) {
			t.Errorf("%q is not in\n%s", part, got)
		}
	}
	twice := describe(t, got, session.MetadataChange{Messages: 8, Done: []schema.Done{{ID: "goal-1", Goal: "G", Completed: "2025-11-09T06:00:00Z", CompletedBy: "quaid"}}})
	if twice != got {
		t.Errorf("completed twice:\n%s", twice)
	}
	for _, src := range []string{"", "{", `{"agents": "user"}`} {
		if text, err := session.Describe("conv-1", []byte(src), session.MetadataChange{}); err == nil {
			t.Errorf("%q became %q", src, text)
		}
	}
}

// A title follows the objective until a user sets one.
func TestWhoseTitleStands(t *testing.T) {
	none := session.AsItIs
	jwt, redis := "Implement JWT authentication", "Fix Redis connection"
	for _, c := range []struct {
		what, src string
		about     session.MetadataChange
		title     string
	}{
		{"none, nothing to derive one from", `{"session_id":"conv-1"}`, session.MetadataChange{Messages: none}, ""},
		{"none", `{"session_id":"conv-1","title":null}`, session.MetadataChange{Messages: none, Goals: []string{jwt}}, "JWT Authentication Implementation"},
		{"given", `{"session_id":"conv-1"}`, session.MetadataChange{Messages: none, Title: "Mine", Goals: []string{jwt}}, "Mine"},
		{"given before", `{"session_id":"conv-1","title":"Mine"}`, session.MetadataChange{Messages: none, Goals: []string{jwt}}, "Mine"},
		{"given in place of a derived one", `{"session_id":"conv-1","title":"Fix Redis connection"}`, session.MetadataChange{Messages: none, Title: "Mine", Goals: []string{redis}}, "Mine"},
		{"derived from another goal", `{"session_id":"conv-1","title":"Fix Redis connection"}`, session.MetadataChange{Messages: none, Goals: []string{jwt, redis}}, "JWT Authentication Implementation"},
		{"derived from a goal that was completed", `{"session_id":"conv-1","title":"Fix Redis connection","completed":[{"goal":"Fix Redis connection"}]}`, session.MetadataChange{Messages: none, Goals: []string{jwt}}, "Fix Redis connection"},
		{"derived from a goal that is completed now", `{"session_id":"conv-1","title":"Fix Redis connection"}`, session.MetadataChange{Messages: none, Goals: []string{jwt}, Done: []schema.Done{{Goal: redis}}}, "Fix Redis connection"},
		{"all goals complete", `{"session_id":"conv-1","title":"Fix Redis connection"}`, session.MetadataChange{Messages: none, Done: []schema.Done{{Goal: redis}}}, "Fix Redis connection"},
	} {
		got := describe(t, c.src, c.about)
		if has := strings.Contains(got, `"title":`+quote(c.title)) || strings.Contains(got, `"title": `+quote(c.title)); has != (c.title != "") {
			t.Errorf("%s: no title %q in\n%s", c.what, c.title, got)
		}
	}
}

func quote(s string) string { return `"` + s + `"` }

func TestListsOfASessionAreBounded(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, string(rune('A'+i)))
	}
	got := describe(t, `{"session_id":"conv-1","tags":["x"]}`, session.MetadataChange{Messages: session.AsItIs, Files: names, Tags: names})
	if !strings.Contains(got, `"tags":["x","A","B","C","D","E","F","G"]`) || !strings.Contains(got, `"primary_files":["U",`) {
		t.Errorf("got\n%s", got)
	}
}

// A session of more files than its metadata names goes on naming the newest.
func TestPrimaryFilesAreTheNewest(t *testing.T) {
	var files []string
	var src []byte
	for n := range 30 {
		files = append(files, fmt.Sprintf("f%d", n))
		hot := files[max(0, len(files)-20):] // as many as a hot context holds
		for range 2 {
			var err error
			if src, err = session.Describe("conv-1", src, session.MetadataChange{At: "2026-03-02T09:00:00Z", Files: hot}); err != nil {
				t.Fatal(err)
			}
			var about schema.SessionMetadata
			if err := json.Unmarshal(src, &about); err != nil {
				t.Fatal(err)
			}
			if want := files[max(0, len(files)-10):]; !slices.Equal(about.PrimaryFiles, want) {
				t.Fatalf("the files are %q, want %q", about.PrimaryFiles, want)
			}
		}
	}
}

// A goal can be completed whoever wrote down when it was set.
func TestWhatIsCompletedHasATimeOrNone(t *testing.T) {
	for created, want := range map[string]string{
		"2025-11-09T04:30:00Z":       `"created": "2025-11-09T04:30:00Z"`,
		"2025-11-09 04:30:00.123456": `"created": "2025-11-09T04:30:00.123Z"`,
		"2025-11-09T04:30:00":        `"created": "2025-11-09T04:30:00.000Z"`,
		"last week":                  "",
	} {
		done := schema.Done{Goal: "Plant pears", Created: created}
		got, err := session.Describe("conv-1", nil, session.MetadataChange{At: "2026-03-02T09:00:00Z", Done: []schema.Done{done}})
		if err != nil || !strings.Contains(string(got), want) || strings.Contains(string(got), "created") != (want != "") {
			t.Errorf("of %q it is %v\n%s", created, err, got)
		}
	}
}
