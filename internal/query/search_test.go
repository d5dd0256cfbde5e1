package query

import (
	"strings"
	"testing"
	"time"

	"github.com/forgemind/forgemind/schema"
)

func TestAnIDIsAWordOfItsOwn(t *testing.T) {
	for text, want := range map[string]bool{
		"":                             false,
		"DEC-1":                        true,
		"see DEC-1.":                   true,
		"(DEC-1), DEC-2":               true,
		"DEC-10 and XDEC-1":            false,
		"DEC-10, then DEC-1":           true,
		`{"blocked_by": "DEC-1"}`:      true,
		"DEC-1-b":                      false,
		"“DEC-1”":                      true,
		strings.Repeat("DEC-12 ", 100): false,
	} {
		if got := hasWord(text, "DEC-1"); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
	if hasWord("anything", "") {
		t.Error("an empty id is found")
	}
}

func TestExcerptsShowWhatAnswers(t *testing.T) {
	standing := schema.Current([]schema.Decision{{ID: "DEC-1"}, {ID: "DEC-2", Supersedes: schema.IDs{"DEC-1"}}})
	for _, c := range []struct {
		name, text string
		width      int
		want, line string
	}{
		{"nothing", "", 80, "", ""},
		{"all of it", "The token expires.", 80, "The token expires.", "The token expires."},
		{"the line that answers", "Bees fly.\nThe token expires.\nWasps too.", 20, "… The token expires. …", "The token expires."},
		{"with its neighbors", "Bees fly.\nThe token expires.\nWasps too.", 30, "… The token expires. Wasps too.", "The token expires."},
		{"a long sentence is cut", "The token " + strings.Repeat("really ", 20) + "expires.", 20, "The token really re…", ""},
		{"what a terminal obeys", "token \x1b[2J", 80, `token \u001b[2J`, "token \x1b[2J"},
		{"a superseded decision", "DEC-1: token", 80, "DEC-1: token (superseded by DEC-2)", "DEC-1: token"},
		{"a secret", "token AKIA" + "Q3EGRIOSFODNN7EX", 80, "", ""},
	} {
		got := excerpter{"token expiry", standing}.excerpt(c.text, c.width)
		switch {
		case c.name == "a secret":
			if strings.Contains(got.text, "AKIAQ3") {
				t.Errorf("%s: %q", c.name, got.text)
			}
		case got.text != c.want || c.line != "" && got.line != c.line:
			t.Errorf("%s: %q of the line %q", c.name, got.text, got.line)
		}
	}
}

func TestResultsOfOneScore(t *testing.T) {
	thing := func(id, at string, closed bool) scoredThing {
		return scoredThing{Thing{ID: id, Time: at, Closed: closed}, 0.5}
	}
	in := []scoredThing{ // as they are to come
		{Thing{ID: "z", Closed: true}, 0.6},
		thing("newest", "2026-03-02T09:00:00Z", false),
		thing("a", "2026-03-01T09:00:00Z", false),
		thing("b", "2026-03-01T09:00:00Z", false),
		thing("undated", "", false),
		thing("done", "2026-03-03", true),
	}
	for i := range in {
		for j := range in {
			if got := byScore(in[i], in[j]); (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("%s and %s: %d", in[i].ID, in[j].ID, got)
			}
		}
	}
}

func TestADayIsSinceItsMorning(t *testing.T) {
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]bool{
		"2026-03-02T12:00:00Z": true, "2026-03-02T11:59:59Z": false, "2026-03-02": true, "2026-03-01": false, "": false, "soon": false,
	} {
		if IsSince(text, noon) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
