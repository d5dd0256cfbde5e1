package memory

import (
	"testing"

	"github.com/forgemind/forgemind/schema"
)

// TestCopies: of entries that show a decision it is known which, and whether people wrote
// something beside it.
func TestCopies(t *testing.T) {
	copies := CopiesOf([]schema.Decision{
		{ID: "DEC-1", Decision: "# Granite\nfor walls", Rationale: "it was there"},
		{ID: "DEC-2", Decision: "Sandstone"},
		{ID: "DEC-5", Decision: " "},
		{ID: "DEC-4", Decision: "Slate", Supersedes: []string{"DEC-1"}},
	})
	note := "# Notes\n\n## Key decisions log\n\n- An entry: without a decision\n- DEC-3: is none\n- DEC-2: Sandstone, says Ann\n- DEC-5: says nothing itself\n"
	for _, e := range []Entry{
		{Type: BossDecision, ID: "DEC-1", Time: "2026-03-02T09:00:00Z", Text: "# Granite\nfor walls", Rationale: "it was there"},
		{Type: BossDecision, ID: "DEC-4", Text: Superseding("Slate", "DEC-1")},
	} {
		out, err := Add([]byte(note), "Key decisions log", e)
		if err != nil {
			t.Fatal(err)
		}
		note = string(out)
	}
	sections, err := Read([]byte(note))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, s := range sections {
		for _, entry := range s.Entries {
			id, whole := copies.Find(entry)
			if whole {
				id += " whole"
			}
			got[id]++
		}
	}
	if len(got) != 5 || got["DEC-5"] != 1 || got[""] != 2 || got["DEC-2"] != 1 || got["DEC-1 whole"] != 1 || got["DEC-4 whole"] != 1 {
		t.Errorf("of\n%s\nit found %v", note, got)
	}
}
