package templates_test

import (
	"strings"
	"testing"

	"github.com/forgemind/forgemind/schema"
	"github.com/forgemind/forgemind/templates"
)

// evening is the State of a session that ends.
func evening(clarity float64) schema.State {
	return schema.State{
		Metadata:        &schema.Metadata{SessionID: "s-1", SessionStart: "2026-03-02T09:00:00Z", Timestamp: "2026-03-02T18:00:00Z"},
		Project:         &schema.Project{Name: "Orchard", CurrentLayer: 1, LayerName: "MODULE", Clarity: clarity},
		RecentDecisions: []schema.Decision{{ID: "DEC-1", Decision: "Use pears\n## Session\n# not a heading", Rationale: "They keep"}, {ID: "DEC-2", Decision: "Water at noon"}},
		OpenQuestions:   []schema.Question{{ID: "Q-1", Question: "Which pears?"}},
		PendingActions:  []schema.Action{{ID: "ACT-1", Action: "Plant"}, {Action: "Prune"}},
	}
}

const account = `## Session

- Started: 2026-03-02T09:00:00Z
- Last checkpoint: 2026-03-02T18:00:00Z
- Project: Orchard
- Layer: 1 MODULE, clarity 85.5 %

### Decisions

- DEC-1: Use pears ## Session # not a heading (They keep)
- DEC-2: Water at noon

### Open questions

- Q-1: Which pears?

### Pending actions

- ACT-1: Plant
- Prune
`

func TestSummaryBegins(t *testing.T) {
	if got := string(templates.IntoSummary(nil, evening(85.5))); got != "# Session summary: s-1\n\n"+account {
		t.Errorf("got\n%s", got)
	}
	bare := string(templates.IntoSummary(nil, schema.State{Metadata: &schema.Metadata{SessionID: "s-1", Timestamp: "2026-03-02T18:00:00Z"}}))
	if bare != "# Session summary: s-1\n\n## Session\n\n- Last checkpoint: 2026-03-02T18:00:00Z\n" {
		t.Errorf("got\n%s", bare)
	}
}

// Only the part under "## Session" is forgemind's; what stands around it stays
// byte for byte.
func TestSummaryReplacesItsOwnPart(t *testing.T) {
	for _, c := range []struct{ what, before, own, after string }{
		{"at the end", "# Mine\r\n\r\nwords  \n\n", "## Session\n\nold\n### Decisions\n- old\n", ""},
		{"in the middle", "# Mine\n\n## Compaction 1\n\ntext\n\n", "## Session\n\nold\n\n", "## Compaction 2\n\n\ttext, no newline"},
		{"at the beginning", "", "## Session\n", "## Compaction 2\r\n"},
		{"another heading that begins alike", "## Sessions of old\n\n### Session\n\n", "## Session\n\nold\n", "## Session of another\n\nkept\n"},
	} {
		got := string(templates.IntoSummary([]byte(c.before+c.own+c.after), evening(85.5)))
		if !strings.HasPrefix(got, c.before+account) || !strings.HasSuffix(got, c.after) || strings.Contains(got, "old\n#") {
			t.Errorf("%s: got\n%s", c.what, got)
		}
		if gap := strings.TrimSuffix(strings.TrimPrefix(got, c.before+account), c.after); strings.Trim(gap, "\n") != "" {
			t.Errorf("%s: left %q", c.what, gap)
		}
		if again := string(templates.IntoSummary([]byte(got), evening(85.5))); again != got {
			t.Errorf("%s, twice: got\n%s", c.what, again)
		}
		later := string(templates.IntoSummary([]byte(got), evening(90)))
		if later != strings.Replace(got, "85.5", "90", 1) {
			t.Errorf("%s, later: got\n%s", c.what, later)
		}
	}
}

// A file of others' gets the part at its end.
func TestSummaryIsAddedToWhatIsThere(t *testing.T) {
	for _, before := range []string{"# Mine", "# Mine\n", "# Mine\n\n\n", "text with ## Session\nin it\n"} {
		got := string(templates.IntoSummary([]byte(before), evening(85.5)))
		if got != strings.TrimRight(before, "\n")+"\n\n"+account {
			t.Errorf("%q: got\n%s", before, got)
		}
	}
}
