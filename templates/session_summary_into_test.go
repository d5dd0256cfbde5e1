package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/templates"
)

func TestIntoSessionSummaryKeepsWhatOthersWrote(t *testing.T) {
	old := "# Session Summary (conv-1)\n\n## Objective\nold\n\n## Compaction cmp-1\n\n- kept\n\n## Progress\n- ✅ old\n\n## My notes\n```\n## no heading\n```\nmine\n"
	now := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "new"}}
	want := "# Session Summary (conv-1)\n\n## Objective\nnew\n\n## Compaction cmp-1\n\n- kept\n\n## My notes\n```\n## no heading\n```\nmine\n"
	got := templates.IntoSessionSummary([]byte(old), now)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := templates.IntoSessionSummary(got, now); string(again) != want {
		t.Errorf("the second time it is\n%s", again)
	}
}

// What somebody wrote before the first heading is kept, though it be all there is.
func TestIntoSessionSummaryKeepsThePreface(t *testing.T) {
	now := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "new"}}
	for old, want := range map[string]string{
		"# Session Summary (conv-0)\n\nAnn: mind the gate.\n\n## Objective\nold\n": "Ann: mind the gate.\n",
		"# Ann's notes\n\nMind the gate.":                                          "# Ann's notes\n\nMind the gate.\n",
		"```\n## left open\n":                                                      "```\n## left open\n```\n",
	} {
		want = "# Session Summary (conv-1)\n\n" + want + "\n## Objective\nnew\n"
		got := templates.IntoSessionSummary([]byte(old), now)
		if string(got) != want {
			t.Errorf("of %q: %q", old, got)
		}
		if again := templates.IntoSessionSummary(got, now); string(again) != want {
			t.Errorf("of %q, the second time: %q", old, again)
		}
		told := templates.WithOverview(got, "They built.", "gpt")
		if again := templates.IntoSessionSummary(told, now); string(again) != string(told) {
			t.Errorf("of %q, with an overview: %q, of %q", old, again, told)
		}
	}
}

func TestWithOverview(t *testing.T) {
	s := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "walls"}}
	once := templates.WithOverview(s.Markdown(), "They built.\n## Objective\nfaked", "gpt (openai)")
	want := "# Session Summary (conv-1)\n\n## Overview\nBy gpt (openai):\n\n> They built.\n>\n> \\## Objective\n>\n> faked\n\n## Objective\nwalls\n"
	if string(once) != want {
		t.Errorf("got\n%s\nwant\n%s", once, want)
	}
	twice := string(templates.WithOverview(once, "Again.", "gpt (openai)"))
	if strings.Count(twice, "## Overview") != 1 || strings.Contains(twice, "They built") || !strings.HasSuffix(twice, "> Again.\n\n## Objective\nwalls\n") {
		t.Errorf("another overview: %s", twice)
	}
	if kept := templates.IntoSessionSummary(once, s); string(kept) != string(once) {
		t.Errorf("an overview of what still holds did not stay: %s", kept)
	}
	s.Objective.Text = "gates"
	if now := templates.IntoSessionSummary(once, s); string(now) != string(s.Markdown()) {
		t.Errorf("an overview outlived the summary it retells: %s", now)
	}
}
