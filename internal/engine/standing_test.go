package engine

import (
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// What goes on into the next session is what holds: by the Ledger, whatever the hot
// context itself knows of it.
func TestWhatHoldsNoMoreIsNotCarriedOn(t *testing.T) {
	t.Parallel()
	standing := schema.Current([]schema.Decision{{ID: "DEC-1"}, {ID: "DEC-2"}, {ID: "DEC-3", Timestamp: "2026-02-15T10:00:00Z", Supersedes: schema.IDs{"DEC-1", "DEC-2"}}})
	for given, want := range map[string]string{
		`{"key_decisions": [{"id": "DEC-1"}, {"decision_id": "DEC-2"}, {"id": "DEC-3"}, "free"], "mine": 1.50}`: `{"key_decisions": [{"id": "DEC-3"}, "free"], "mine": 1.50}`,
		`{"key_decisions": 7}`: `{"key_decisions": 7}`,
		`{}`:                   `{}`,
	} {
		if got, err := withoutSuperseded([]byte(given), standing); err != nil || string(got) != want {
			t.Errorf("%s became %s, %v", given, got, err)
		}
	}
	if got, err := withoutSuperseded(nil, standing); got != nil || err != nil {
		t.Errorf("nothing became %s, %v", got, err)
	}
}
