package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// state returns the State of a session with decisions, questions and actions.
func state(clarity float64) schema.State {
	return schema.State{
		Metadata:        &schema.Metadata{SessionID: "s-1", SessionStart: "2026-03-02T09:00:00Z", Timestamp: "2026-03-02T18:00:00Z"},
		Project:         &schema.Project{Name: "Billing", CurrentLayer: 1, LayerName: "MODULE", Clarity: clarity},
		RecentDecisions: []schema.Decision{{ID: "DEC-1", Decision: "Use JWT\n## Session\n# not a heading", Rationale: "It is stateless"}, {ID: "DEC-2", Decision: "Rotate keys daily"}},
		OpenQuestions:   []schema.Question{{ID: "Q-1", Question: "Which algorithm?"}},
		PendingActions:  []schema.Action{{ID: "ACT-1", Action: "Add tests"}, {Action: "Deploy"}},
	}
}

const sessionText = `## Session

- Started: 2026-03-02T09:00:00Z
- Last checkpoint: 2026-03-02T18:00:00Z
- Project: Billing
- Layer: 1 MODULE, clarity 85.5 %

### Decisions

- DEC-1: Use JWT ## Session # not a heading (It is stateless)
- DEC-2: Rotate keys daily

### Open questions

- Q-1: Which algorithm?

### Pending actions

- ACT-1: Add tests
- Deploy
`

func TestNewSummary(t *testing.T) {
	if got := string(templates.IntoSummary(nil, state(85.5))); got != "# Session summary: s-1\n\n"+sessionText {
		t.Errorf("got\n%s", got)
	}
	bare := string(templates.IntoSummary(nil, schema.State{Metadata: &schema.Metadata{SessionID: "s-1", Timestamp: "2026-03-02T18:00:00Z"}}))
	if bare != "# Session summary: s-1\n\n## Session\n\n- Last checkpoint: 2026-03-02T18:00:00Z\n" {
		t.Errorf("got\n%s", bare)
	}
}

// Only the section "## Session" changes; the text around it stays byte for byte.
func TestSummaryReplacesItsSection(t *testing.T) {
	for _, c := range []struct{ what, before, own, after string }{
		{"at the end", "# Mine\r\n\r\nwords  \n\n", "## Session\n\nold\n### Decisions\n- old\n", ""},
		{"in the middle", "# Mine\n\n## Compaction 1\n\ntext\n\n", "## Session\n\nold\n\n", "## Compaction 2\n\n\ttext, no newline"},
		{"at the beginning", "", "## Session\n", "## Compaction 2\r\n"},
		{"a fence with its heading", "# Mine\n\n```\n## Session\n\nold\n```\n\n", "## Session\n\nold\n", ""},
		{"headings with the same beginning", "## Sessions of old\n\n### Session\n\n", "## Session\n\nold\n", "## Session of another\n\nkept\n"},
	} {
		got := string(templates.IntoSummary([]byte(c.before+c.own+c.after), state(85.5)))
		if !strings.HasPrefix(got, c.before+sessionText) || !strings.HasSuffix(got, c.after) || strings.Contains(got, "old\n#") {
			t.Errorf("%s: got\n%s", c.what, got)
		}
		if gap := strings.TrimSuffix(strings.TrimPrefix(got, c.before+sessionText), c.after); strings.Trim(gap, "\n") != "" {
			t.Errorf("%s: %q is left of the old section", c.what, gap)
		}
		if again := string(templates.IntoSummary([]byte(got), state(85.5))); again != got {
			t.Errorf("%s, second call: got\n%s", c.what, again)
		}
		later := string(templates.IntoSummary([]byte(got), state(90)))
		if later != strings.Replace(got, "85.5", "90", 1) {
			t.Errorf("%s, with another clarity: got\n%s", c.what, later)
		}
	}
}

// A fence that is left open is closed, for it would enclose the section, and each call
// would add another one.
func TestSummaryAfterAnOpenFence(t *testing.T) {
	got := string(templates.IntoSummary([]byte("# Mine\n\n~~~~\n## Session\n"), state(85.5)))
	if got != "# Mine\n\n~~~~\n## Session\n~~~~\n\n"+sessionText {
		t.Errorf("got\n%s", got)
	}
	if again := string(templates.IntoSummary([]byte(got), state(85.5))); again != got {
		t.Errorf("second call: got\n%s", again)
	}
}

// What people wrote below a section that is replaced stays, whatever they left open in it.
func TestWhatFollowsAReplacedSectionStays(t *testing.T) {
	for _, rest := range []string{
		"## Compaction 1\n\ntext\n",
		"## Notes of Ann\nkeep\n\n```\ncode\n```\n\n## More\nm\n",
		"# Mine\n\nkeep\n",
		"## \n\nkeep\n",
	} {
		for _, left := range []string{"", "``` inline ```\n", "```go\nopen\n``` no end\n", "- ```\n  list\n  ```\n", "~~~\n"} {
			got := string(templates.IntoSummary([]byte("# Top\n\n## Session\n\n"+left+rest), state(85.5)))
			if got != "# Top\n\n"+sessionText+"\n"+rest {
				t.Errorf("%q %q: got\n%s", left, rest, got)
			}
			summary := templates.SessionSummary{Session: "conv-1", Objective: templates.SummaryLine{Text: "new"}}
			old := []byte("# Session Summary (conv-1)\n\n## Overview\nold\n\n## Critical Context\n- old\n" + left + rest)
			got = string(templates.IntoSessionSummary(old, summary))
			if got != "# Session Summary (conv-1)\n\n## Objective\nnew\n\n"+rest {
				t.Errorf("%q %q: got\n%s", left, rest, got)
			}
			old = []byte("# Session Summary (conv-1)\n\n## Overview\nold\n" + left + rest)
			got = string(templates.WithOverview(old, "new", ""))
			if got != "# Session Summary (conv-1)\n\n## Overview\n> new\n\n"+rest {
				t.Errorf("%q %q: got\n%s", left, rest, got)
			}
		}
	}
}

// An overview is replaced where a fence was left open before it.
func TestOverviewAfterAnOpenFence(t *testing.T) {
	once := templates.WithOverview([]byte("```\ncode"), "first", "")
	if twice := string(templates.WithOverview(once, "second", "")); twice != "```\ncode\n```\n\n## Overview\n> second\n" {
		t.Errorf("got\n%s", twice)
	}
}

// What is in a fence is no heading, and what nobody sees is left out of headings and points.
func TestSectionsOfCompactions(t *testing.T) {
	got := string(templates.AddSection(nil, "Session\u202e summary", "Compaction\x1b[2J 1", "# Said\n\n```sh\n# a comment\n"))
	if got != "# Session summary\n\n## Compaction[2J 1\n\n### Said\n\n```sh\n# a comment\n```\n" {
		t.Errorf("got\n%q", got)
	}
	if again := string(templates.AddSection([]byte(got), "Session summary", "Compaction[2J 1", "other")); again != got {
		t.Errorf("second call: got\n%s", again)
	}
	fenced := "```\n## Compaction 1\n```\n"
	if got := string(templates.AddSection([]byte(fenced), "", "Compaction 1", "text")); got != fenced+"\n## Compaction 1\n\ntext\n" {
		t.Errorf("got\n%s", got)
	}
}

// A file without the section gets it at its end.
func TestSummaryIsAppended(t *testing.T) {
	for _, before := range []string{"# Mine", "# Mine\n", "# Mine\n\n\n", "text with ## Session\nin it\n"} {
		got := string(templates.IntoSummary([]byte(before), state(85.5)))
		if got != strings.TrimRight(before, "\n")+"\n\n"+sessionText {
			t.Errorf("%q: got\n%s", before, got)
		}
	}
}
