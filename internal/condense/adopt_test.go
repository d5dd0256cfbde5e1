package condense

import (
	"strings"
	"testing"
)

// The id of its decision comes behind the last label of a condensation, whatever people wrote around it,
// and is read back; nothing else changes.
func TestWithLedger(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"the form": {
			"## 📝 Condensation: Gate\n**Date:** 2026-02-14\n**Decision:** Oak\n**Supersedes:** _none named_\n",
			"## 📝 Condensation: Gate\n**Date:** 2026-02-14\n**Decision:** Oak\n**Supersedes:** _none named_\n**Ledger:** DEC-1\n",
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
		"no condensation": {"Oak is a wood.\n", "Oak is a wood.\n"},
	} {
		after := string(WithLedger([]byte(c.before), "DEC-1"))
		if after != c.after {
			t.Errorf("%s: %q, want %q", name, after, c.after)
		}
		if got, err := ReadCondensation("x.md", []byte(after)); err == nil && (got.DecisionID != "DEC-1" || got.Decision != "Oak") {
			t.Errorf("%s: read back as %q of decision %q", name, got.DecisionID, got.Decision)
		} else if err != nil && strings.Contains(c.before, "**") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
