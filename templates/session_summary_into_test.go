package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/templates"
)

func TestIntoSessionSummaryKeepsOtherSections(t *testing.T) {
	old := "# Session Summary (conv-1)\n\n## Objective\nold\n\n## Compaction cmp-1\n\n- kept\n\n## Progress\n- ✅ old\n\n## My notes\n```\n## no heading\n```\nmine\n"
	now := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "new"}}
	want := "# Session Summary (conv-1)\n\n## Objective\nnew\n\n## Compaction cmp-1\n\n- kept\n\n## My notes\n```\n## no heading\n```\nmine\n"
	got := templates.IntoSessionSummary([]byte(old), now)
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again := templates.IntoSessionSummary(got, now); string(again) != want {
		t.Errorf("second call: got\n%s", again)
	}
}

// The text before the first heading is kept, even if the file has nothing else.
func TestIntoSessionSummaryKeepsThePreface(t *testing.T) {
	now := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "new"}}
	for old, want := range map[string]string{
		"# Session Summary (conv-0)\n\nAnn: check the rate limit.\n\n## Objective\nold\n": "Ann: check the rate limit.\n",
		"# Ann's notes\n\nCheck the rate limit.":                                          "# Ann's notes\n\nCheck the rate limit.\n",
		"```\n## left open\n":                                                             "```\n## left open\n```\n",
	} {
		want = "# Session Summary (conv-1)\n\n" + want + "\n## Objective\nnew\n"
		got := templates.IntoSessionSummary([]byte(old), now)
		if string(got) != want {
			t.Errorf("%q: got %q", old, got)
		}
		if again := templates.IntoSessionSummary(got, now); string(again) != want {
			t.Errorf("%q, second call: got %q", old, again)
		}
		withOverview := templates.WithOverview(got, "They added tokens.", "gpt")
		if again := templates.IntoSessionSummary(withOverview, now); string(again) != string(withOverview) {
			t.Errorf("%q, with an overview: got %q, want %q", old, again, withOverview)
		}
	}
}

func TestWithOverview(t *testing.T) {
	s := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "token refresh"}}
	once := templates.WithOverview(s.Markdown(), "They added tokens.\n## Objective\nfaked", "gpt (openai)")
	want := "# Session Summary (conv-1)\n\n## Overview\nBy gpt (openai):\n\n> They added tokens.\n>\n> \\## Objective\n>\n> faked\n\n## Objective\ntoken refresh\n"
	if string(once) != want {
		t.Errorf("got\n%s\nwant\n%s", once, want)
	}
	twice := string(templates.WithOverview(once, "Again.", "gpt (openai)"))
	if strings.Count(twice, "## Overview") != 1 || strings.Contains(twice, "They added") || !strings.HasSuffix(twice, "> Again.\n\n## Objective\ntoken refresh\n") {
		t.Errorf("second overview: got %s", twice)
	}
	if kept := templates.IntoSessionSummary(once, s); string(kept) != string(once) {
		t.Errorf("the overview of an unchanged summary is gone: %s", kept)
	}
	s.Objective.Text = "rate limits"
	if now := templates.IntoSessionSummary(once, s); string(now) != string(s.Markdown()) {
		t.Errorf("the overview of a changed summary stays: %s", now)
	}
}
