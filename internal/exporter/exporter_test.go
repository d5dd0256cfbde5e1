package exporter

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/jsonedit"
)

const hostile = "<script>alert(1)</script> <!-- --> \u202eturned \\u001b[2J" // in JSON

// files are the files of the tree of the tests.
var files = map[string]string{
	".forgemind/config.json":                                                `{"format": 2, "views": "local"}`,
	".forgemind/decisions/DEC-A.json":                                       decision("DEC-A", "2026-03-01T09:00:00Z", "Sign tokens with HS256", ""),
	".forgemind/decisions/DEC-B.json":                                       decision("DEC-B", "2026-03-02T09:00:00Z", hostile, ""),
	".forgemind/goals/goal-a.json":                                          "{\n  \"id\": \"goal-a\",\n  \"goal\": \"Ship\",\n  \"created\": \"2026-03-01T09:00:00Z\",\n  \"weight\": 1.50\n}\n",
	".forgemind/goals/goal-a.done-x.json":                                   "{\n  \"of\": \"goal-a\",\n  \"at\": \"2026-03-09T09:00:00Z\",\n  \"set\": {\n    \"status\": \"done\"\n  }\n}\n",
	".forgemind/goals/goal-b.json":                                          "{\n  \"id\": \"goal-b\",\n  \"goal\": \"Rest\",\n  \"created\": \"2026-03-01T09:00:00Z\"\n}\n",
	".forgemind/questions/Q-1.json":                                         "{\n  \"id\": \"Q-1\",\n  \"question\": \"Which key?\",\n  \"asked_at\": \"2026-03-01T09:00:00Z\"\n}\n",
	".forgemind/clarifications/Q-1-x.json":                                  "{\n  \"id\": \"Q-1\",\n  \"question\": \"Which key?\",\n  \"answer\": \"The new one\",\n  \"answered_at\": \"2026-03-09T09:00:00Z\"\n}\n",
	".forgemind/threads/api/keys.jsonl":                                     "{\"msg_id\": \"msg-1\", \"timestamp\": \"2026-03-01T09:00:00Z\", \"content\": \"one\"}\n\nno\n{\"msg_id\": \"msg-2\", \"timestamp\": \"2026-03-01T09:01:00Z\", \"content\": \"two\"}\n",
	".forgemind/condensations/2026-03-01-keys.md":                           "## Condensation: Keys\n**Date:** 2026-03-01\n**Decision:** HS256\n",
	".forgemind/notes/note-a.json":                                          "{\n  \"id\": \"note-a\",\n  \"note\": \"token ghp_abcdefghijklmnopqrstuvwxyzABCDEFGHIJ\",\n  \"created\": \"2026-03-01T09:00:00Z\"\n}\n",
	".forgemind/notes/note-broken.json":                                     "{",
	".quaid/context/sessions/conv-1/metadata.json":                          `{"session_id": "conv-1"}`,
	".forgemind/memory/fragments/2026-03-01-keys.md":                        "---\nid: frag-1\ntitle: Keys\ncreated: 2026-03-01T09:00:00Z\n---\n\nRotate them.\n",
	".forgemind/context/context-history/s-left-0-20260301T090000.000Z.json": `{}`,
	".forgemind/progress/20260301T090000000Z-x.json":                        "{\n  \"of\": \"project\",\n  \"at\": \"2026-03-01T09:00:00Z\",\n  \"set\": {\n    \"name\": \"Orchard\"\n  }\n}\n",
	".forgemind/channels/api/messages.jsonl":                                "{\"msg_id\": \"msg-3\", \"timestamp\": \"2026-03-01T09:00:00Z\", \"content\": \"three\"}\n",
}

func decision(id, at, text, supersedes string) string {
	more := ""
	if supersedes != "" {
		more = fmt.Sprintf(",\n  \"supersedes\": %q", supersedes)
	}
	return fmt.Sprintf("{\n  \"id\": %q,\n  \"timestamp\": %q,\n  \"decision\": \"%s\",\n  \"immutable\": true%s\n}\n", id, at, text, more)
}

// build makes a tree of files.
func build(t *testing.T) (*fs.Tree, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, dir, name, text)
	}
	tree, err := fs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tree.Close() })
	return tree, dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestJSONHoldsEveryRecordWithItsBytes(t *testing.T) {
	tree, _ := build(t)
	lines := JSON(tree, Query{})
	var got []string
	for _, l := range lines.All {
		got = append(got, l.Kind+" "+strings.TrimPrefix(l.File, ".forgemind/"))
		text, err := jsonedit.Marshal(l.Record)
		switch filepath.Ext(l.File) {
		case ".md":
			if l.Text != files[l.File] {
				t.Errorf("%s: %q", l.File, l.Text)
			}
		case ".json":
			if masked := strings.HasSuffix(l.File, "note-a.json"); err != nil || masked == (string(text) == files[l.File]) {
				t.Errorf("%s: %v: the bytes are others:\n%s", l.File, err, text)
			}
		}
	}
	want := []string{
		"message channels/api/messages.jsonl", "clarification clarifications/Q-1-x.json", "condensation condensations/2026-03-01-keys.md",
		"decision decisions/DEC-A.json", "decision decisions/DEC-B.json", "goal goals/goal-a.done-x.json", "goal goals/goal-a.json", "goal goals/goal-b.json",
		"fragment memory/fragments/2026-03-01-keys.md", "note notes/note-a.json", "project progress/20260301T090000000Z-x.json", "question questions/Q-1.json",
		"thread threads/api/keys.jsonl", "thread threads/api/keys.jsonl",
	}
	if !slices.Equal(got, want) {
		t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(lines.Faults) != 2 || lines.Faults[0].Name != ".forgemind/notes/note-broken.json" || !strings.HasPrefix(fmt.Sprint(lines.Faults[1].Err), "line 3: ") {
		t.Errorf("faults: %v", lines.Faults)
	}
	if len(lines.Masked) != 1 {
		t.Errorf("masked: %v", lines.Masked)
	}
}

func TestJSONSinceKeepsRecordsWhole(t *testing.T) {
	tree, _ := build(t)
	var got []string
	for _, l := range JSON(tree, Query{Kinds: []string{"goal", "decision"}, Since: at("2026-03-02T00:00:00Z")}).All {
		got = append(got, filepath.Base(l.File))
	}
	if want := []string{"DEC-B.json", "goal-a.done-x.json", "goal-a.json"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

// export writes the decision records of a tree into docs/adr and returns what became of them.
func export(t *testing.T, tree *fs.Tree, force bool) (changed []string, err error) {
	t.Helper()
	out, err := fs.OpenOutside(tree.Root())
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	records, faults, err := ADRs(tree, out, "docs/adr", time.Time{})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	changes, err := Plan(out, records, force)
	if err == nil {
		err = Write(out, changes)
	}
	for _, c := range changes {
		if c.What != Unchanged {
			changed = append(changed, c.What+" "+strings.TrimPrefix(c.Name, "docs/adr/"))
		}
	}
	return changed, err
}

func TestADRsKeepTheirNames(t *testing.T) {
	tree, dir := build(t)
	write(t, dir, "docs/adr/0007-ours-before.md", "# Ours before\n")
	first, err := export(t, tree, false)
	if err != nil || len(first) != 2 || first[0] != "created 0008-sign-tokens-with-hs256.md" {
		t.Fatal(first, err)
	}
	if again, err := export(t, tree, false); err != nil || len(again) > 0 {
		t.Errorf("twice: %v, %v", again, err)
	}
	// An older decision arrives, and one that supersedes another.
	write(t, dir, ".forgemind/decisions/DEC-0.json", decision("DEC-0", "2026-01-01T09:00:00Z", "Keep keys apart", ""))
	write(t, dir, ".forgemind/decisions/DEC-C.json", decision("DEC-C", "2026-04-01T09:00:00Z", "Sign tokens with RS256", "DEC-A"))
	want := []string{"created 0010-keep-keys-apart.md", "updated 0008-sign-tokens-with-hs256.md", "created 0011-sign-tokens-with-rs256.md"}
	if got, err := export(t, tree, false); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for name, part := range map[string]string{
		"0008-sign-tokens-with-hs256.md": "status: superseded by ADR-0011\n", "0011-sign-tokens-with-rs256.md": "* Supersedes [ADR-0008](0008-sign-tokens-with-hs256.md)\n",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, "docs/adr", name)); err != nil || !strings.Contains(string(text), part) {
			t.Errorf("%s: %v: want %q in\n%s", name, err, part, text)
		}
	}
}

func TestPlanRefusesFilesOfOthers(t *testing.T) {
	tree, dir := build(t)
	if _, err := export(t, tree, false); err != nil {
		t.Fatal(err)
	}
	name := "docs/adr/0001-sign-tokens-with-hs256.md"
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, msg string }{
		{strings.Replace(string(text), "HS256", "HS512", 1), "the file was changed since forgemind wrote it"},
		{string(text) + "And so on.\n", "the file was changed since forgemind wrote it"},
		{strings.ReplaceAll(string(text), "\n", "\r\n"), ""}, // as git may check it out
	} {
		write(t, dir, name, c.text)
		changed, err := export(t, tree, false)
		var refused *RefusedError
		if c.msg == "" && (err != nil || len(changed) != 1) || c.msg != "" && (!errors.As(err, &refused) || refused.Msg != c.msg || refused.Name != name) {
			t.Errorf("%q: %v, %v", c.msg, changed, err)
		}
	}
	write(t, dir, "page.html", "<p>mine</p>\n")
	out, err := fs.OpenOutside(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, name := range []string{"page.html", ".forgemind/page.html", ".git/page.html", "docs"} {
		var refused *RefusedError
		if _, err := Plan(out, []File{{name, nil}}, name != "page.html"); !errors.As(err, &refused) {
			t.Errorf("%s: %v, want a *RefusedError", name, err)
		}
	}
	if changes, err := Plan(out, []File{{"page.html", nil}}, true); err != nil || changes[0].What != Updated {
		t.Errorf("with force: %v, %v", changes, err)
	}
}

func TestPageIsInert(t *testing.T) {
	tree, _ := build(t)
	page := Page(tree, Query{})
	if !bytes.Equal(page, Page(tree, Query{})) {
		t.Error("two pages of one tree differ")
	}
	text := string(page)
	for _, bad := range []string{"alert(1)</", "\u202e", "\x1b", "ghp_abc", "http:", "https:", " src=", "<link"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q is on the page", bad)
		}
	}
	for _, want := range []string{"&lt;script&gt;alert(1)&lt;/script&gt;", `\u202eturned`, "answer: The new one", "<h1>Orchard</h1>", "Rotate them."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, tag := range []string{"style", "script"} { // the policy allows what is there
		_, rest, _ := strings.Cut(text, "<"+tag+">")
		inner, _, _ := strings.Cut(rest, "</"+tag+">")
		sum := sha256.Sum256([]byte(inner))
		if want := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(html.UnescapeString(text), want) {
			t.Errorf("the policy does not have %s", want)
		}
	}
}

func TestReport(t *testing.T) {
	tree, _ := build(t)
	got := string(Report(tree, Query{Kinds: []string{"goal", "question", "decision"}, Since: at("2026-03-02T00:00:00Z")}))
	want := "# Orchard: report\n\nSince 2026-03-02T00:00:00.000Z.\n\n## Decisions made\n\n" +
		"* &lt;script>alert(1)&lt;/script> &lt;!-- --> \\u202eturned \\u001b[2J (DEC-B, 2026-03-02)\n" +
		"\n## Goals reached\n\n* Ship (goal-a, 2026-03-01, done on 2026-03-09)\n\n## Open goals\n\n* Rest (goal-b, 2026-03-01)\n" +
		"\n## Questions answered\n\n* Which key? (Q-1, 2026-03-01, answered on 2026-03-09)\n  * answer: The new one\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
