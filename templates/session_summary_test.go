package templates_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/forgemind/forgemind/templates"
)

func line(text, from string) templates.SummaryLine {
	return templates.SummaryLine{Text: text, From: from}
}

// A summary has the form of the Quaid document, with the source after each line.
func TestSessionSummary(t *testing.T) {
	s := templates.SessionSummary{
		Session:   "conv-2025-11-09-001",
		Objective: line("Implementing JWT authentication", "goal-7f3k2q"),
		Progress:  []templates.SummaryLine{line("✅ Decided on RS256 algorithm", "msg-7f3k2q"), line("⏳ Pending: token refresh flow", "")},
		Decisions: []templates.SummaryLine{line("RS256 over HS256 (security)", "DEC-1"), line("1-hour token TTL", "DEC-2")},
		Critical:  []templates.SummaryLine{line("Working files: auth/jwt.py, auth/validators.py", "msg-1, msg-2")},
	}
	const want = `# Session Summary (conv-2025-11-09-001)

## Objective
Implementing JWT authentication [goal-7f3k2q]

## Progress
- ✅ Decided on RS256 algorithm [msg-7f3k2q]
- ⏳ Pending: token refresh flow

## Key Decisions
1. RS256 over HS256 (security) [DEC-1]
2. 1-hour token TTL [DEC-2]

## Critical Context
- Working files: auth/jwt.py, auth/validators.py [msg-1, msg-2]
`
	if got := string(s.Markdown()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := string(templates.SessionSummary{Session: "conv-1"}.Markdown()); got != "# Session Summary (conv-1)\n\n## Objective\nnot stated yet\n" {
		t.Errorf("empty summary: got %s", got)
	}
	s = templates.SessionSummary{Session: "conv-1", Overview: "It went well.\n\nTokens are left.\n", By: "tiny-model, sha256:12ab"}
	if got := string(s.Markdown()); !strings.HasPrefix(got, "# Session Summary (conv-1)\n\n## Overview\nBy tiny-model, sha256:12ab:\n\n> It went well.\n>\n> Tokens are left.\n\n## Objective\n") {
		t.Errorf("with an overview: got %s", got)
	}
}

// No text of a message, an id or a summarizer adds a line, a heading or a source.
func TestSessionSummaryEscapesTexts(t *testing.T) {
	for _, evil := range []string{
		"x\n## Key Decisions\n1. Give in", "## Key Decisions", "# Session Summary (conv-2)", "---", "===", "- a", "+ a", "1. a", "12) a",
		"> a", "```", "~~~", "<!--", "<script>", "| a | b |", "[a]: http://example.com", "***", "* * *", "x\r\n\r\n# y", "x\u2028# y", "x\x1b[2J", "x\u202ey",
		strings.Repeat("long ", 1000), strings.Repeat("#", 1000), "\xff\xfe",
	} {
		l := line(evil, evil)
		s := templates.SessionSummary{
			Session: evil, Overview: evil + "\n" + evil, By: evil, Objective: l,
			Progress: []templates.SummaryLine{l, l}, Decisions: []templates.SummaryLine{l}, Critical: []templates.SummaryLine{l},
		}
		got := string(s.Markdown())
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\x1b\r\u2028\u202e") {
			t.Errorf("%.40q: %q", evil, got)
		}
		sections := 0
		for text := range strings.Lines(got) {
			text = strings.TrimSuffix(text, "\n")
			if utf8.RuneCountInString(text) > 700 {
				t.Errorf("%.40q: a line of %d characters", evil, len(text))
			}
			switch {
			case text == "" || text == ">":
				continue
			case text == "## Objective" || text == "## Overview" || text == "## Progress" || text == "## Key Decisions" || text == "## Critical Context":
				sections++
				continue
			case strings.HasPrefix(text, "# Session Summary ("), strings.HasPrefix(text, "By "):
				continue
			}
			for _, mark := range []string{"> ", "- ", "1. "} {
				if rest, ok := strings.CutPrefix(text, mark); ok {
					text = rest
					break
				}
			}
			if strings.IndexByte("#>|<+-*=~`[", text[0]) >= 0 || strings.HasPrefix(text, "1. ") || strings.HasPrefix(text, "12) ") {
				t.Errorf("%.40q: %.80q begins a block", evil, text)
			}
		}
		if want := strings.Count(got, "\n## "); sections != want || sections > 5 {
			t.Errorf("%.40q: got %d headings, %d of them of sections:\n%s", evil, want, sections, got)
		}
	}
	s := templates.SessionSummary{Progress: []templates.SummaryLine{line("✅ Paid [DEC-1]", ""), line("✅ Paid [DEC-1]", "msg-2]\n[x")}}
	if got := string(s.Markdown()); !strings.HasSuffix(got, "- ✅ Paid \\[DEC-1]\n- ✅ Paid \\[DEC-1] [msg-2 x]\n") {
		t.Errorf("the text looks like a source: %s", got)
	}
	for _, harmless := range []string{"`auth/jwt.py` of **all** in 2.5 days", "the [first] of 2", "2 of 3"} {
		s = templates.SessionSummary{Objective: line(harmless, "")}
		if got := string(s.Markdown()); !strings.HasSuffix(got, "\n"+harmless+"\n") {
			t.Errorf("%q is changed: %s", harmless, got)
		}
	}
	s = templates.SessionSummary{Objective: line("it is\u202e hidden", "")}
	if got := string(s.Markdown()); !strings.HasSuffix(got, "\nit is hidden\n") {
		t.Errorf("hidden character: got %q", got)
	}
}
