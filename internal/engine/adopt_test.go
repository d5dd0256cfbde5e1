package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	names "github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/ledger"
)

// What a snapshot has with other content is not taken into the Ledger; what it has
// alike is.
func TestAlteredDecisionOfAViewIsNotTakenIntoTheLedger(t *testing.T) {
	t.Parallel()
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

// What the index of a large Ledger knows was in the Ledger.
func TestDecisionThatAnIndexKnowsIsNotTakenIntoTheLedger(t *testing.T) {
	t.Parallel()
	h := build(t)
	h.save(names.State, `"recent_decisions": []`, `"recent_decisions": [{"id": "DEC-001", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use TLS"}]`)
	h.clarity(1) // makes .local/
	for i := range 300 {
		id := fmt.Sprintf("DEC-%03d", i)
		write(t, h.root, ".forgemind/decisions/"+id+".json", `{"id": "`+id+`", "timestamp": "2026-03-01T10:00:00Z", "decision": "Use TLS"}`)
	}
	now := h.Now
	h.Now = func() time.Time { return time.Now().Add(time.Hour) } // what was just written is settled
	ledger.All(h.Tree.Tree)
	h.Now = now
	if err := os.Remove(filepath.Join(h.root, ".forgemind", "decisions", "DEC-001.json")); err != nil {
		t.Fatal(err)
	}
	out := h.clarity(2)
	if notes := strings.Join(out.Notes, "\n"); len(out.Adopted) > 0 || !strings.Contains(notes, "Lost decisions: DEC-001 [lost-decision]") {
		t.Errorf("adopted %v, told %q", out.Adopted, notes)
	}
}
