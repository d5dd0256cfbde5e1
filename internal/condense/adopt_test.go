package condense

import (
	"strings"
	"testing"
)

// The id of its decision comes behind the last label of a condensation, whatever people wrote around it,
// and is read back; what names its thread and what it supersedes in other words has their ids.
func TestWithRecord(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"the form": {
			"## 📝 Condensation: Gate\n**Date:** 2026-02-14\n**Decision:** Oak\n**Rationale:** It lasts\n",
			"## 📝 Condensation: Gate\n**Date:** 2026-02-14\n**Decision:** Oak\n**Rationale:** It lasts\n**Ledger:** DEC-1\n",
		},
		"a list at the end, no last newline": {
			"**Decision:** Oak\n**Action items:**\n- ann: buy it",
			"**Decision:** Oak\n**Action items:**\n- ann: buy it\n\n**Ledger:** DEC-1\n",
		},
		"a section of somebody's own": {
			"**Decision:** Oak\n**Date:** 2026-02-14\n\n## Afterwards\nIt rained.\n",
			"**Decision:** Oak\n**Date:** 2026-02-14\n**Ledger:** DEC-1\n\n## Afterwards\nIt rained.\n",
		},
		"CRLF and a byte order mark": {
			"\uFEFF**Decision:** Oak\r\n**Date:** 2026-02-14\r\n",
			"\uFEFF**Decision:** Oak\r\n**Date:** 2026-02-14\r\n**Ledger:** DEC-1\r\n",
		},
		"the label, empty": {
			"**Decision:** Oak\n**Ledger:**\n\n## Afterwards\n",
			"**Decision:** Oak\n**Ledger:** DEC-1\n\n## Afterwards\n",
		},
		"the label, with a paragraph below": {
			"**Decision:** Oak\n**Ledger:** TBD\nIt rained.\n",
			"**Decision:** Oak\n**Ledger:** DEC-1\nIt rained.\n",
		},
		"code": {
			"**Decision:** Oak\n\n## As in\n```\n**Ledger:** DEC-2\n```\n",
			"**Decision:** Oak\n**Ledger:** DEC-1\n\n## As in\n```\n**Ledger:** DEC-2\n```\n",
		},
		"code that does not end": {
			"**Context:**\n```\n**Decision:** Oak\n",
			"**Context:**\n```\n**Decision:** Oak\n**Ledger:** DEC-1\n",
		},
		"ids": {
			"**Thread:** Hedge\n**Supersedes:**\n- the old wood\n- the older\n\n**Decision:** Oak\n",
			"**Thread:** thread-1\n**Supersedes:** DEC-0\n\n**Decision:** Oak\n**Ledger:** DEC-1\n",
		},
		"ids, and words": {
			"**Decision:** Oak\n**Supersedes:** the old wood and others",
			"**Decision:** Oak\n**Supersedes:** DEC-0\n**Ledger:** DEC-1\n",
		},
		"headings": {
			"## Decision\nOak\n## Thread\nHedge\n## Ledger\nopen\n",
			"## Decision\nOak\n## Thread\nthread-1\n## Ledger\nDEC-1\nopen\n",
		},
		"bullets": {
			"- **Decision:** Oak\n- **Thread:** Hedge\n",
			"- **Decision:** Oak\n- **Thread:** thread-1\n\n**Ledger:** DEC-1\n",
		},
		"all of it as code": {
			"```markdown\n**Decision:** Oak\n```\n",
			"```markdown\n**Decision:** Oak\n**Ledger:** DEC-1\n```\n",
		},
		"code in lines": {
			"```foo``` is slow.\n**Decision:** Oak\n```bar``` is fast.\n",
			"```foo``` is slow.\n**Decision:** Oak\n```bar``` is fast.\n**Ledger:** DEC-1\n",
		},
		"no condensation": {"Oak is a wood.\n", "Oak is a wood.\n"},
	} {
		after := string(WithRecord([]byte(c.before), Condensation{DecisionID: "DEC-1", Thread: "thread-1", Supersedes: []string{"DEC-0"}}))
		if after != c.after {
			t.Errorf("%s: %q, want %q", name, after, c.after)
		}
		if got, err := ReadCondensation("x.md", []byte(after)); err == nil && (got.DecisionID != "DEC-1" || !strings.HasPrefix(got.Decision, "Oak")) {
			t.Errorf("%s: read back as %q of decision %q", name, got.DecisionID, got.Decision)
		} else if err != nil && strings.Contains(c.before, "**") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A condensation that names its decision in other words than its id alone has one; a place that nobody filled in
// says nothing.
func TestWhatAFormSays(t *testing.T) {
	for text, want := range map[string]Condensation{
		"**Decision:** Oak\n**Ledger:** [DEC-84W880](../decisions/DEC-84W880.json)": {Decision: "Oak", DecisionID: "DEC-84W880"},
		"**Decision:** Oak\n**Ledger:** `DEC-A2`, DEC-B3 (accepted)":                {Decision: "Oak", DecisionID: "DEC-A2, DEC-B3"},
		"**Decision:** Oak\n**Ledger:** D12":                                        {Decision: "Oak", DecisionID: "D12"},
		"**Decision:** Oak\n**Ledger:** pending since 2026-02-14":                   {Decision: "Oak"},
		"**Decision:** [what was decided]\n**Rationale:** TBD":                      {},
		"**Decision:** <https://example.org/adr/7>\n**Rationale:** [a] and [b]":     {Decision: "<https://example.org/adr/7>", Rationale: "[a] and [b]"},
	} {
		got, err := ReadCondensation("x.md", []byte(text))
		if err != nil || got.Decision != want.Decision || got.Rationale != want.Rationale || got.DecisionID != want.DecisionID {
			t.Errorf("%q: decision %q, rationale %q, ledger %q, %v", text, got.Decision, got.Rationale, got.DecisionID, err)
		}
	}
}
