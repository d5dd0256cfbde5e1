package condense_test

import (
	"slices"
	"testing"

	"github.com/forgemind/forgemind/internal/condense"
	"github.com/forgemind/forgemind/schema"
)

// A statement that something replaces something else supersedes the one decision for that,
// and nothing if it is ambiguous.
func TestImplied(t *testing.T) {
	known := []schema.Decision{
		{ID: "DEC-1", Decision: "Material: Zerodur Class 0 for the blank"},
		{ID: "DEC-2", Decision: "Daily standup at nine"},
		{ID: "DEC-3", Decision: "Sessions are kept in Redis cluster A"},
		{ID: "DEC-4", Decision: "The queue runs on Redis cluster A"},
		{ID: "DEC-5", Decision: "Paper forms for visitors", Supersedes: nil},
		{ID: "DEC-6", Decision: "Tablets for visitors", Supersedes: schema.IDs{"DEC-5"}},
	}
	for text, want := range map[string][]string{
		"Clearceram-Z HS replaces Zerodur Class 0 as mirror material.":  {"DEC-1"},
		"We take Clearceram instead of the Zerodur blank.":              {"DEC-1"},
		"We release weekly instead of daily.":                           nil, // one word
		"Valkey replaces Redis cluster A.":                              nil, // which of two?
		"Badges take the place of nothing, rather than of paper forms.": nil, // that holds no more
		"Zerodur Class 0 stays.":                                        nil,
	} {
		if got := condense.ImpliedSupersedes(text, known); !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}
