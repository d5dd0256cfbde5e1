package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	names "github.com/forgemind/forgemind/fs"
)

// What a snapshot has with other content is not taken into the Ledger; what it has
// alike is.
func TestAlteredDecisionOfAViewIsNotTakenIntoTheLedger(t *testing.T) {
	h := build(t)
	h.save(names.State, `"recent_decisions": []`, `"recent_decisions": [{"id": "DEC-001", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use TLS", "rationale": "tokens travel"},
    {"id": "DEC-002", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use HTTP/2"}]`)
	write(t, h.root, ".forgemind/context/context-history/session-1.json", h.read(names.State))
	h.save(names.State, "tokens travel", "somebody said so")
	out := h.clarity(2)
	if strings.Join(out.Adopted, " ") != "DEC-002" {
		t.Fatalf("adopted %v", out.Adopted)
	}
	if notes := strings.Join(out.Notes, "\n"); !strings.Contains(notes, "DEC-001 says otherwise here than in .forgemind/context/context-history/session-1.json: rationale [changed-decision]") {
		t.Errorf("it told %q", notes)
	}
	h.save(names.State, "somebody said so", "tokens travel")
	if out := h.clarity(3); strings.Join(out.Adopted, " ") != "DEC-001" {
		t.Errorf("adopted %v", out.Adopted)
	}
}

// The Ledger had what this working copy acted on: a copy in a view is not taken in, altered or not.
func TestLostDecisionIsNotTakenInFromAView(t *testing.T) {
	h := build(t)
	h.save(names.State, `"recent_decisions": []`, `"recent_decisions": [{"id": "DEC-001", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use TLS"}]`)
	if out := h.clarity(1); strings.Join(out.Adopted, " ") != "DEC-001" {
		t.Fatalf("adopted %v", out.Adopted)
	}
	if err := os.Remove(filepath.Join(h.root, ".forgemind", "decisions", "DEC-001.json")); err != nil {
		t.Fatal(err)
	}
	for i, edit := range []string{"Use TLS", "Use no TLS", "Use no TLS"} {
		if i == 1 {
			h.save(names.State, "Use TLS", edit)
		}
		out := h.clarity(float64(10 * (i + 1)))
		if notes := strings.Join(out.Notes, "\n"); len(out.Adopted) > 0 || !strings.Contains(notes, "Lost decisions: DEC-001 [lost-decision]") {
			t.Errorf("%q: adopted %v, told %q", edit, out.Adopted, notes)
		}
	}
}
