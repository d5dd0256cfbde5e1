package importer_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/internal/importer"
)

func TestRules(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"CLAUDE.md", "# App\n\n- Use pnpm\n- `pnpm dev`: starts it\n- src/ has the code\n\n## Conventions\n\n- Small functions and files\n",
			"constraint CLAUDE.md:3 \"Use pnpm\"\nconstraint CLAUDE.md:9 \"Small functions and files\"\n? CLAUDE.md:0 2 list items that state no rule were left out"},
		{"AGENTS.md", "1. **Never** push to `main`.\n   Open a pull request.\n2. Do you like it?\n\n```\n- Never in code\n```\n", "constraint AGENTS.md:1 \"Never push to `main`. Open a pull request.\"\n? AGENTS.md:0 1 list item that state no rule were left out"},
		{"GEMINI.md", "Immer Tabs.\n\n- Schreibe kleine Funktionen\n", "constraint GEMINI.md:3 \"Schreibe kleine Funktionen\"\nconstraint GEMINI.md:1 \"Immer Tabs.\""},
		{".github/copilot-instructions.md", "- 必须写测试\n- テストを必ず書く\n", "constraint .github/copilot-instructions.md:1 \"必须写测试\"\nconstraint .github/copilot-instructions.md:2 \"テストを必ず書く\""},
		{".cursorrules", "You must use tabs. Is it so? <!-- Never --> Ask @ann.\n", "constraint .cursorrules:1 \"You must use tabs.\""},
		{"CLAUDE.md", "@../out.md @/etc/passwd @~/x.md @gone/x.md\n", "? CLAUDE.md:1 ../out.md is outside of the project; it is not read\n? CLAUDE.md:1 /etc/passwd is outside of the project; it is not read\n? CLAUDE.md:1 ~/x.md is outside of the project; it is not read\n? CLAUDE.md:1 gone/x.md, which it imports, cannot be read"},
	} {
		if got := strings.TrimSpace(summary(read(t, importer.Rules, files{c.name: c.src}))); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	got := summary(read(t, importer.Rules, files{"CLAUDE.md": "@a.md\n", "a.md": "@CLAUDE.md @b.md\n- Use a\n", "b.md": "- Use b\n"}))
	if want := "constraint a.md:2 \"Use a\"\nconstraint b.md:1 \"Use b\"\n"; got != want {
		t.Errorf("imports: %s", got)
	}
}

// FuzzRead reads any text in every format. It ends, and no text of an item is empty or longer than its
// limit.
func FuzzRead(f *testing.F) {
	f.Add("# 1. A\n\nDate: 2020-01-02\n\n## Status\n\nSuperseded by [2](0002-x.md)\n\n## Decision\n\nB\n")
	f.Add("---\nstatus: [a, b]\ndate: 2020-01-02\ntitle: {name: x}\n---\n| Status | Date |\n|---|---|\n| x |\n- [ ] a #priority:high\n  - b:\n@x <!-- a\n")
	f.Add(`{"id": "a", "title": "b", "priority": -1e300, "dependencies": [{}]}`)
	f.Add("## [2026-01-20-143022] X\n\n**Status**: y\n\n- [decision] z [[w]]\n- a [[b]]\n=\n===\n---\n")
	f.Fuzz(func(t *testing.T, src string) {
		dirs := []string{
			"docs/adr/0001-x.md", "CLAUDE.md", "memory-bank/x.md", "memory-bank/decisionLog.md", ".context/DECISIONS.md", ".context/TASKS.md", ".beads/issues.jsonl",
			"backlog/tasks/x.md", "backlog/decisions/x.md", "basic-memory/x.md",
		}
		all := files{}
		for _, name := range dirs {
			all[name] = src
		}
		for _, format := range importer.Formats() {
			res, err := format.Read(all, format.Places(all))
			if err != nil {
				t.Fatal(format.Name, err)
			}
			for _, it := range res.Items {
				if it.Text == "" || len([]rune(it.Text)) > 2000 || strings.ContainsAny(it.Text, "\n\x1b") || it.Key == "" {
					t.Fatalf("%s: %+v", format.Name, it)
				}
			}
		}
		importer.Export([]byte(src))
		importer.Commits([]importer.CommitText{{ID: "0123456789abcdef", Message: src}})
	})
}
