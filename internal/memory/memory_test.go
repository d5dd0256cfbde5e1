package memory_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/memory"
	"github.com/forgemind/forgemind/templates"
)

const questions = "Open questions"

// TestAdd shows notes before and after; what is added stands between ⟦ and ⟧.
func TestAdd(t *testing.T) {
	for _, c := range []struct {
		name, note string
		entry      memory.Entry
	}{
		{"an empty section", "# Notes\n\n## Open questions\n⟦\n- Pears?\n⟧\n## Lessons learned\n", memory.Entry{Text: "Pears?"}},
		{"when, which, why", "## Open questions\n⟦\n- 2026-11-21T09:30:00Z Q-1: Pears?\n  - Rationale: They keep\n⟧",
			memory.Entry{Text: "Pears?", ID: "Q-1", Time: "2026-11-21T10:30:00.123+01:00", Rationale: "They keep"}},
		{"no section", "# Notes\n\n## Tasks\n\n- a\n⟦\n## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"an empty note", "⟦## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"no final newline", "## Open questions\n\n- a⟦\n- Pears?⟧", memory.Entry{Text: "Pears?"}},
		{"no final newline, no section", "# Notes⟦\n\n## Open questions\n\n- Pears?⟧", memory.Entry{Text: "Pears?"}},
		{"CRLF", "## Open questions\r\n\r\n- a\r\n⟦- Pears?\r\n  second\r\n⟧\r\n## B\r\n", memory.Entry{Text: "Pears?\nsecond"}},
		{"the author's marker", "## Open questions\n * a\n   more\n⟦ * Pears?\n⟧\n## B\n", memory.Entry{Text: "Pears?"}},
		{"the marker of other sections", "## Tasks\n+ a\n\n## Open questions\n⟦\n+ Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"a wide list", "## Open questions\n\n- a\n\n- b\n⟦\n- Pears?\n⟧\nThat was all.\n", memory.Entry{Text: "Pears?"}},
		{"numbers", "## Open questions\n9. a\n10. b\n⟦11. Pears?\n    second\n⟧", memory.Entry{Text: "Pears?\nsecond"}},
		{"one number for all", "## Open questions\n1. a\n1. b\n⟦1. Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"boxes to tick", "## Open questions\n- [x] a\n⟦- [ ] Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"behind text", "## Open questions\nThose nobody answered:\n⟦\n- Pears?\n⟧\n---\n\n## B\n", memory.Entry{Text: "Pears?"}},
		{"behind a table", "## Open questions\n| a | b |\n|---|---|\n| 1 | 2 |\n⟦\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"before what hangs below", "## Open questions\n- a\n⟦- Pears?\n⟧### Answered\n- b\n", memory.Entry{Text: "Pears?"}},
		{"front matter", "---\n# Open questions\ntitle: x\n---\n# Notes\n⟦\n## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"nothing but front matter", "---\na: b\n---⟦\n## Open questions\n\n- Pears?⟧", memory.Entry{Text: "Pears?"}},
		{"headings in code", "# N\n\n```\n## Open questions\n- no\n```\n\n    ## Open questions\n⟦\n## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"headings in lists, quotations, HTML and comments", "- ## Open questions\n\n> ## Open questions\n\n<div>\n## Open questions\n</div>\n\n<!--\n## Open questions\n-->\n⟦\n## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"underlined headings", "Open\nquestions\n---------\n- a\n⟦- Pears?\n⟧\nLessons\n=======\n", memory.Entry{Text: "Pears?"}},
		{"signs and numbers in a heading", "## ❓ 3.2) **OPEN  Questions**: ##\n- a\n⟦- Pears?\n⟧\n## 4️⃣ Next\n", memory.Entry{Text: "Pears?"}},
		{"other languages", "# Notizen\n\n## Offene Fragen\n\n- Äpfel?\n\n## Уроки\n⟦\n## Open questions\n\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"code that is never closed", "## Open questions\n⟦\n- Pears?\n\n⟧```\nx\n", memory.Entry{Text: "Pears?"}},
		{"code that is never closed and no section", "# N\n\n⟦## Open questions\n\n- Pears?\n\n⟧```\nx\n", memory.Entry{Text: "Pears?"}},
		{"a heading that is indented", "## Open questions\n⟦\n- Pears?\n\n<!-- -->\n⟧\n  ## Next\n", memory.Entry{Text: "Pears?"}},
		{"a paragraph that the entry would swallow", "## Open questions\n-\n\n   b\n⟦\n- Q-1: Pears?\n⟧", memory.Entry{Text: "Pears?", ID: "Q-1"}},
		{"a byte order mark", "\ufeff## Open questions\n⟦\n- Pears?\n⟧", memory.Entry{Text: "Pears?"}},
		{"one more decision with the words of another", "## Open questions\n- DEC-1: Use pears\n⟦- DEC-2: Use pears\n⟧",
			memory.Entry{Type: memory.BossDecision, Text: "Use pears", ID: "DEC-2"}},
		{"a decision that another one names", "## Open questions\n- DEC-2: Not DEC-1\n⟦- DEC-1: Use pears\n⟧",
			memory.Entry{Type: memory.BossDecision, Text: "Use pears", ID: "DEC-1"}},
		{"a stranger's headings", "## Open questions\n- a\n⟦- x\n  \\# y\n  \\===\n  z\n  \\---\n⟧\n## B\n", memory.Entry{Text: "x\n# y\n===\nz\n---"}},
		{"a stranger's code", "## Open questions\n- a\n⟦- x\n  ```go\n  # y\n  ```\n  \\~~~\n⟧\n## B\n", memory.Entry{Text: "x\n```go\n# y\n```\n~~~"}},
		{"a stranger's HTML, links and bytes", "## Open questions\n⟦\n- x\n  \\<!-- y\n  \\[a]: b\n  <https://x.y>\n  \ufffd[2J\ufffd\n⟧", memory.Entry{Text: "x\n<!-- y\n[a]: b\n<https://x.y>\n\x1b[2J\xff"}},
		{"a stranger's headings in quotations", "## Open questions\n⟦\n- x\n  \\> # y\n⟧", memory.Entry{Text: "x\n> # y"}},
		{"a stranger's paragraphs", "## Open questions\n⟦\n- x\n\n   y\n  \t z\n⟧", memory.Entry{Text: "\n x \r\n\n\n\n y\n\t z\n\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := strings.NewReplacer("⟦", "", "⟧", "").Replace(c.note)
			front, rest, _ := strings.Cut(c.note, "⟦")
			_, back, _ := strings.Cut(rest, "⟧")
			src := front + back
			got, err := memory.Add([]byte(src), questions, c.entry)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", show(got), show([]byte(want)))
			}
			again, err := memory.Add(got, questions, c.entry)
			if err != nil || !bytes.Equal(again, got) {
				t.Errorf("a second time: %v\n%s", err, show(again))
			}
		})
	}
}

func show(b []byte) string {
	return strings.NewReplacer("\r", "␍", "\t", "␉").Replace(string(b))
}

func TestNoEntryTwice(t *testing.T) {
	for _, c := range []struct {
		note  string
		entry memory.Entry
	}{
		{"- 2026-01-02T03:04:05Z Use  pears\n", memory.Entry{Text: "Use\n pears ", Time: "2026-11-21T09:30:00Z"}},
		{"* **2026-01-02** Use pears\n", memory.Entry{Text: "Use pears"}},
		{"- [x] Use pears\n  - Rationale: They keep\n", memory.Entry{Text: "Use pears", Rationale: "another"}},
		{"- x\n\n### Done\n\n- Use pears\n", memory.Entry{Text: "Use pears"}},
		{"- **DEC-1**: in other words\n", memory.Entry{Text: "Use pears", ID: "DEC-1"}},
		{"- in other words (DEC-1).\n", memory.Entry{Text: "Use pears", ID: "DEC-1"}},
	} {
		src := []byte("## Key decisions log\n\n" + c.note)
		got, err := memory.Add(src, "Key decisions log", c.entry)
		if err != nil || !bytes.Equal(got, src) {
			t.Errorf("%q: %v\n%s", c.note, err, got)
		}
	}
}

func TestAddRefuses(t *testing.T) {
	pears := memory.Entry{Text: "Pears?"}
	for _, c := range []struct {
		src, section string
		entry        memory.Entry
		want         string
	}{
		{"ok\n\xff", questions, pears, "not UTF-8 on line 2"},
		{"a\x00b", questions, pears, "zero byte, on line 1"},
		{"x\n" + strings.Repeat("> ", 200_000), questions, pears, "on line 2 lists and quotations stand more than 100 deep"},
		{strings.Repeat("- x\n", 20_001), questions, pears, "it has 20001 lines, at most 20000 are edited"},
		{strings.Repeat("x", 2<<20+1), questions, pears, "it has 2097153 bytes, at most 2097152 are edited"},
		{"", questions, memory.Entry{Text: " \n"}, "is empty"},
		{"", "**", pears, "no title"},
		{"", questions, memory.Entry{Text: "x", ID: "a b"}, "no id"},
	} {
		if got, err := memory.Add([]byte(c.src), c.section, c.entry); err == nil || got != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %q, %v", c.src, got, err)
		}
	}
}

func TestReadGivesWhatWasAdded(t *testing.T) {
	note := []byte("- before\n\n# Notes\n\n## Open questions\n1. a\n   - b\n2. c\n\n\n## Empty\n")
	note, err := memory.Add(note, questions, memory.Entry{Text: "Pears?\n\nOr plums?", ID: "Q-1", Rationale: "Autumn"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := memory.Read(note)
	want := []memory.Section{
		{"", []string{"before"}},
		{"Notes", []string{}},
		{questions, []string{"a\n- b", "c", "Q-1: Pears?\n\nOr plums?\n- Rationale: Autumn"}},
		{"Empty", []string{}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n got %q\nwant %q", err, got, want)
	}
}

// Every type has its place in a note that a new tree begins with.
func TestPlace(t *testing.T) {
	for _, typ := range memory.Types() {
		name, section, err := memory.Place(fs.Quaid, memory.Entry{Type: typ})
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimPrefix(name, ".quaid/memory/")
		text, err := templates.MemoryNote(base)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\n## "+section+"\n") {
			t.Errorf("%s goes to %q of %s, which has no such section", typ, section, base)
		}
	}
	for agent, want := range map[string]string{
		"": "facilitator-notes.md", "BA Agent": "ba-agent-notes.md", "Domain Expert": "domain-expert-notes.md",
		"../../x": "x-notes.md", "Frau Müller": "frau-müller-notes.md", "CON": "con-notes.md",
	} {
		name, section, err := memory.Place(fs.Forgemind, memory.Entry{Type: "task", Agent: agent})
		if err != nil || name != ".forgemind/memory/"+want || section != "Active tasks" {
			t.Errorf("%q: %s, %s, %v", agent, name, section, err)
		}
	}
	for _, e := range []memory.Entry{{Type: "x"}, {}, {Type: "task", Agent: "..."}, {Type: "task", Agent: strings.Repeat("x", 101)}} {
		if name, _, err := memory.Place(fs.Forgemind, e); err == nil {
			t.Errorf("%.20v goes to %s", e, name)
		}
	}
	// What belongs to no agent does not go by the agent's name.
	if name, _, _ := memory.Place(fs.Forgemind, memory.Entry{Type: "glossary", Agent: "BA Agent"}); name != ".forgemind/memory/project-knowledge.md" {
		t.Error(name)
	}
}

func FuzzAdd(f *testing.F) {
	f.Add("## Open questions\n- a\n", "Pears?", "why")
	f.Add("---\na: b\n---\r\n# N\r\n\r\n1) a\r\n\r\n```\r\n## Open questions", "x\n# y\n```\n", "")
	f.Add("<!--\n## open questions\n\n> a\n  ## Open Questions\n\t- a", "- [x] a\n\n    b", "<b>\n===")
	f.Add("Open questions\n---\n* a\n\n\n  b\n***\n", "1. a\n> # b", "~~~\n# x\n~~~")
	f.Fuzz(func(t *testing.T, src, text, why string) {
		e := memory.Entry{Type: "open_question", Text: text, Rationale: why}
		out, err := memory.Add([]byte(src), questions, e)
		if err != nil {
			return
		}
		if string(out) == src {
			return
		}
		front, back := 0, 0
		for front < len(src) && out[front] == src[front] {
			front++
		}
		for back < len(src)-front && out[len(out)-1-back] == src[len(src)-1-back] {
			back++
		}
		if front+back != len(src) {
			t.Fatalf("%q became %q", src, out)
		}
		before, err := memory.Read([]byte(src))
		if err != nil {
			t.Fatal(err)
		}
		after, err := memory.Read(out)
		if err != nil {
			t.Fatal(err)
		}
		if titles(after)-titles(before) > 1 {
			t.Fatalf("%q opened a heading in %q", text, out)
		}
		if again, err := memory.Add(out, questions, e); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q, a second time: %q, %v", out, again, err)
		}
	})
}

func titles(sections []memory.Section) (n int) {
	for _, s := range sections {
		if s.Title != "" {
			n++
		}
	}
	return n
}
