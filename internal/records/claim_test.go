package records

import (
	"encoding/json"
	"testing"
)

// TestConcurrentClaims folds claims that know nothing of each other: the higher number holds, and one
// that others were asked about holds against a local one.
func TestConcurrentClaims(t *testing.T) {
	t.Parallel()
	claim := func(id, at, text string) Change {
		return Change{ID: id, At: at, Set: Members{ClaimMember: json.RawMessage(text)}}
	}
	for _, c := range []struct {
		name string
		a, b Change
		want string
	}{
		{"the higher number", claim("a", "2026-01-02T10:00:00Z", `{"by": "ann", "fence": 1}`), claim("b", "2026-01-02T09:00:00Z", `{"by": "bob", "fence": 2}`), "bob"},
		{"a late release", claim("a", "2026-01-02T09:00:00Z", `{"by": "ann", "fence": 2, "until": "2026-01-02T10:00:00Z"}`), claim("b", "2026-01-02T11:00:00Z", `{"by": "bob", "fence": 1}`), "ann"},
		{"a local one", claim("a", "2026-01-02T10:00:00Z", `{"by": "ann", "fence": 9, "local": true}`), claim("b", "2026-01-02T09:00:00Z", `{"by": "bob", "fence": 1}`), "bob"},
		{"no claim", claim("a", "2026-01-02T10:00:00Z", `"mine"`), claim("b", "2026-01-02T09:00:00Z", `{"by": "bob", "fence": 1}`), "bob"},
	} {
		for _, changes := range [][]Change{{c.a, c.b}, {c.b, c.a}} {
			record := Record{State: Fold(Action, Members{}, changes)}
			if got := record.Claim(); got == nil || got.By != c.want {
				t.Errorf("%s: %+v holds it, want %s", c.name, got, c.want)
			}
		}
	}
}
