package recall

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/yaml"
	"github.com/forgemind/forgemind/schema"
)

const jwt = `---
id: frag-7f3k2q
title: JWT Authentication
type: decision
tags: [jwt, authentication]
entities: [RS256, "auth/jwt.py: validate_jwt_token"]
importance: 0.9
created: 2025-11-09T06:30:00.000Z
session: conv-2025-11-09-001
---

# JWT Authentication

Use RS256.
`

func TestAFragmentIsReadAndWrittenAlike(t *testing.T) {
	f, err := ReadFragment(".quaid/memory/fragments/2025-11-09-jwt.md", []byte(jwt))
	if err != nil {
		t.Fatal(err)
	}
	want := Fragment{
		Name: ".quaid/memory/fragments/2025-11-09-jwt.md", ID: "frag-7f3k2q", Title: "JWT Authentication", Type: Decision,
		Tags: []string{"jwt", "authentication"}, Entities: []string{"RS256", "auth/jwt.py: validate_jwt_token"},
		Importance: 0.9, Created: "2025-11-09T06:30:00.000Z", Session: "conv-2025-11-09-001",
		Body: "# JWT Authentication\n\nUse RS256.",
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("read\n%+v\nwant\n%+v", f, want)
	}
	text, err := f.Markdown()
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != jwt {
		t.Errorf("written\n%s\nwant\n%s", text, jwt)
	}
}

// What people write by hand is read as they mean it.
func TestFrontMatterOfOtherHands(t *testing.T) {
	for _, c := range []struct {
		what, front string
		check       func(Fragment) bool
	}{
		{"tags with commas", "tags: jwt, login", func(f Fragment) bool { return reflect.DeepEqual(f.Tags, []string{"jwt", "login"}) }},
		{"tags in a list, numbers and days too", "tags:\n  - 2025\n  - 2025-11-09\n  - x", func(f Fragment) bool {
			return reflect.DeepEqual(f.Tags, []string{"2025", "2025-11-09", "x"})
		}},
		{"no tags", "tags:", func(f Fragment) bool { return f.Tags == nil }},
		{"a day", "created: 2025-11-08", func(f Fragment) bool { return f.Created == "2025-11-08T00:00:00Z" }},
		{"members of somebody else", "author: me\nlinks: [{a: b}]", func(f Fragment) bool { return f.Title == "T" }},
		{"CRLF", "tags: [a]\r", func(f Fragment) bool { return f.Tags[0] == "a" && f.Body == "# Body" }},
		{"no importance", "", func(f Fragment) bool { return f.Importance == 0.5 }},
		{"no importance at all", "importance: 0", func(f Fragment) bool { return f.Importance == 0 }},
	} {
		front := c.front
		for member, text := range map[string]string{"id": "frag-1", "title": "T", "type": "concept", "created": "2025-11-09T04:30:00Z"} {
			if !strings.Contains(front, member+":") {
				front += "\n" + member + ": " + text
			}
		}
		f, err := ReadFragment("x.md", []byte("---\n"+front+"\n---\n# Body\n"))
		if err != nil || !c.check(f) {
			t.Errorf("%s: %+v, %v", c.what, f, err)
		}
	}
}

// Errors have a line, and the file can be listed all the same.
func TestFilesThatAreNotQuiteFragments(t *testing.T) {
	const rest = "type: concept\ncreated: 2025-11-09T04:30:00Z\n---\n"
	for _, c := range []struct {
		what, text string
		line       int
		says       string
		title      string
	}{
		{"no front matter", "Intro\n\n```\n# code\n```\n## Fix Redis ##\n", 1, "no front matter", "Fix Redis"},
		{"empty", "", 1, "no front matter", "2025-11-09-notes"},
		{"front matter that never ends", "---\nid: x\n# Fix Redis\n", 1, "no front matter", "Fix Redis"},
		{"no id", "---\ntitle: T\n" + rest, 1, "id is missing", "T"},
		{"an id that is a path", "---\nid: ../x\ntitle: T\n" + rest, 2, `"../x" is no id`, "T"},
		{"no title", "---\nid: f-1\n" + rest + "# Fix Redis", 1, "title is missing", "Fix Redis"},
		{"another type", "---\nid: f-1\ntitle: T\ntype: novel\n---\n", 4, `type "novel" is not one of concept`, "T"},
		{"no such importance", "---\nid: f-1\ntitle: T\nimportance: 7\n" + rest, 4, "importance 7 is not between", "T"},
		{"importance in words", "---\nid: f-1\ntitle: T\nimportance: high\n" + rest, 4, "high", "T"},
		{"importance beyond numbers", "---\nid: f-1\ntitle: T\nimportance: .nan\n" + rest, 4, "NaN", "T"},
		{"no time", "---\nid: f-1\ntitle: T\ntype: concept\ncreated: soon\n---\n", 5, `created "soon" is no time`, "T"},
		{"a session that is a path", "---\nid: f-1\ntitle: T\nsession: ../..\n" + rest, 4, "is no id", "T"},
		{"no YAML", "---\nid: [\n---\n# Fix Redis\n", 0, "", "Fix Redis"},
		{"twice the same", "---\nid: a\nid: b\n---\n# Fix Redis\n", 0, "", "Fix Redis"},
		{"a list", "---\n- a\n---\n# Fix Redis\n", 2, "", "Fix Redis"},
		{"not UTF-8", "---\nid: \xff\xfe\n---\n# Fix Redis\xff\n", 0, "", "Fix Redis\ufffd"},
	} {
		f, err := ReadFragment(".quaid/memory/fragments/2025-11-09-notes.md", []byte(c.text))
		var where *yaml.Error
		if !errors.As(err, &where) || c.line != 0 && where.Line != c.line || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want line %d: %s", c.what, err, c.line, c.says)
		}
		if f.Title != c.title || !schema.ValidID(f.ID) || f.Type == "" || f.Importance < 0 || f.Importance > 1 {
			t.Errorf("%s: cannot be listed: %+v", c.what, f)
		}
		if _, err := schema.ParseTime(f.Created); err != nil {
			t.Errorf("%s: created: %v", c.what, err)
		}
	}
}

func TestMarkdownRefusesWhatIsNoFragment(t *testing.T) {
	good := Fragment{ID: "f-1", Title: "T", Type: Concept, Created: "2025-11-09T04:30:00Z"}
	if _, err := good.Markdown(); err != nil {
		t.Fatal(err)
	}
	for what, spoil := range map[string]func(*Fragment){
		"id": func(f *Fragment) { f.ID = "a\nb" }, "title": func(f *Fragment) { f.Title = " \n" }, "type": func(f *Fragment) { f.Type = "x" },
		"importance": func(f *Fragment) { f.Importance = 1.1 }, "created": func(f *Fragment) { f.Created = "" }, "session": func(f *Fragment) { f.Session = "a/b" },
	} {
		f := good
		spoil(&f)
		if text, err := f.Markdown(); err == nil {
			t.Errorf("%s: written:\n%s", what, text)
		}
	}
}

// Other readers of YAML take some words for something else than text.
func TestWordsThatAreNoTextAreQuoted(t *testing.T) {
	f := Fragment{ID: "f-1", Title: "Yes", Type: Concept, Tags: []string{"null", "on", "once"}, Created: "2025-11-09T04:30:00Z"}
	text, err := f.Markdown()
	if err != nil || !strings.Contains(string(text), "\ntitle: \"Yes\"\n") || !strings.Contains(string(text), "\ntags: [\"null\", \"on\", once]\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// FuzzMarkdown: what is written is read back, whatever the strings are.
func FuzzMarkdown(f *testing.F) {
	f.Add("Use: RS256", "a", "b, c", "body\n---\nmore", 0.5)
	f.Add(`"quoted" 'title' # no comment`, "yes", "null", "\n\n---\nid: evil\n---\n", 1.0)
	f.Add("line\nid: evil\n---", "[x]", "{y: z}", "\ufeff---\n", 0.0)
	f.Add("\x00\x1b[31m\u2028\u202e\u0085é\\", "- x", "&a *b !c", "\r\nbody\r\n", 0.1)
	f.Add("12:30", "2025-11-09", "0x10", "", 1e-300)
	f.Add("~", " padded ", "a", "a\x7fb\xff", 0.30000000000000004)
	f.Fuzz(func(t *testing.T, title, tag, entity, body string, importance float64) {
		in := Fragment{
			Name: "x.md", ID: "frag-1", Title: title, Type: Pattern, Tags: []string{tag, entity}, Entities: []string{entity},
			Importance: importance, Created: "2025-11-09T04:30:00.000Z", Session: "conv-1", Body: body,
		}
		text, err := in.Markdown()
		if err != nil {
			if oneLine(title) != "" && importance >= 0 && importance <= 1 {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		out, err := ReadFragment("x.md", text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if want := in.normal(); !reflect.DeepEqual(out, want) {
			t.Fatalf("read\n%+v\nwant\n%+v\nof\n%s", out, want, text)
		}
		again, err := out.Markdown()
		if err != nil || string(again) != string(text) {
			t.Fatalf("%v: again\n%s\nfirst\n%s", err, again, text)
		}
	})
}

// FuzzReadFragment: any bytes can be listed, and what was read without an error
// can be written.
func FuzzReadFragment(f *testing.F) {
	f.Add([]byte(jwt))
	f.Add([]byte("---\ntags: &a [*a]\n---\n"))
	f.Add([]byte("---\nimportance: .inf\n...\n# x"))
	f.Fuzz(func(t *testing.T, src []byte) {
		f, err := ReadFragment("a/2025-11-09-b.md", src)
		if f.Title == "" || !schema.ValidID(f.ID) {
			t.Fatalf("cannot be listed: %+v", f)
		}
		if err != nil {
			return
		}
		if _, err := f.Markdown(); err != nil {
			t.Fatalf("%+v: %v", f, err)
		}
	})
}
