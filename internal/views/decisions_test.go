package views_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/forgemind/forgemind/fs"
	"github.com/forgemind/forgemind/internal/views"
	"github.com/forgemind/forgemind/schema"
)

func TestTheStateShowsTenDecisionsAndLosesOnlyRecordedOnes(t *testing.T) {
	all := func(string) bool { return true }
	src := []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, all)
	}
	if got := view(src); got != "03 04 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
	if again := show(t, src, "DEC-05", 5, all); string(again) != string(src) {
		t.Errorf("shown already, yet changed:\n%s", again)
	}

	// Those that the Ledger lacks stay, and the next oldest goes for them.
	src = []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(id string) bool { return id != "DEC-01" && id != "DEC-03" })
	}
	if got := view(src); got != "01 03 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
	src = []byte(`{"recent_decisions": []}`)
	for n := 1; n <= 12; n++ {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(string) bool { return false })
	}
	if got := view(src); got != "01 02 03 04 05 06 07 08 09 10 11 12" {
		t.Errorf("got %s", got)
	}
}

func TestTheOldestDecisionByTimeLeavesWhereverItStands(t *testing.T) {
	src := []byte(`{"recent_decisions": []}`)
	for _, n := range []int{5, 4, 3, 2, 1, 6, 7, 8, 9, 10, 11} {
		src = show(t, src, fmt.Sprintf("DEC-%02d", n), n, func(string) bool { return true })
	}
	if got := view(src); got != "05 04 03 02 06 07 08 09 10 11" {
		t.Errorf("got %s", got)
	}
}

// A decision whose id was taken again is shown by its own id, in the spelling of whoever wrote it; the one that has
// the id is another one, unless the view has no form in which programs count.
func TestADecisionIsShownByItsOwnID(t *testing.T) {
	const plums = `"2026-02-01T10:00:00Z"`
	for _, c := range []struct {
		src, id, decision, at string
		want                  []string
	}{
		{`{"decision_id": "dec-0", "description": "Use plums", "timestamp": ` + plums + `}`, schema.OwnID("DEC-", "dec-0", "2026-02-01T10:00:00Z", "Use plums"), "Use plums", "2026-02-01T10:00:00Z", []string{`"decision_id": "DEC-`}},
		{`{"decision_id": "dec-0", "description": "Use plums", "timestamp": ` + plums + `}`, "dec-0", "Use pears", "2026-01-01T10:00:00Z", []string{`"decision_id": "dec-0"`, `"id": "dec-0"`}},
		{`{"id": "dec-0", "decision": "Use plums", "timestamp": ` + plums + `}`, "dec-0", "Use pears", "2026-01-01T10:00:00Z", []string{`"id": "dec-0"`}},
		{`{"decision": "Use plums", "timestamp": ` + plums + `}`, schema.AdoptedID("", "2026-02-01T10:00:00Z", "Use plums"), "Use plums", "2026-02-01T10:00:00Z", []string{`"id": "DEC-`}},
	} {
		d := schema.Decision{ID: c.id, Decision: c.decision, Timestamp: c.at}
		got, err := views.ShowDecision(hot, []byte(`{"key_decisions": [`+c.src+`]}`), d, nil)
		if ids := regexp.MustCompile(`"(decision_)?id": "(DEC-|dec-0")`).FindAllString(string(got), -1); err != nil || !slices.Equal(ids, c.want) {
			t.Errorf("%s, with %s: %s, %v", c.src, c.id, got, err)
		}
	}
}

func TestTheListOfDecisionsBegins(t *testing.T) {
	got := show(t, []byte("{\n  \"version\": \"1.0\"\n}\n"), "DEC-01", 1, nil)
	if view(got) != "01" || !strings.HasPrefix(string(got), "{\n  \"version\": \"1.0\",\n  \"recent_decisions\": [\n") {
		t.Errorf("got %s", got)
	}
}

func TestDecisionsAreAsTheyStand(t *testing.T) {
	raws, err := views.Decisions(fs.State, []byte(`{"recent_decisions": [{"id": "A" , "x": 1.50}, 7]}`))
	if err != nil || len(raws) != 2 || string(raws[0]) != `{"id": "A" , "x": 1.50}` || string(raws[1]) != "7" {
		t.Errorf("%q, %v", raws, err)
	}
	for _, src := range []string{`{}`, `{"recent_decisions": {}}`} {
		if raws, err := views.Decisions(fs.State, []byte(src)); err != nil || len(raws) > 0 {
			t.Errorf("%s: %q, %v", src, raws, err)
		}
	}
}

// show shows a decision of minute n.
func show(t *testing.T, src []byte, id string, n int, recorded func(string) bool) []byte {
	t.Helper()
	d := schema.Decision{ID: id, Decision: "Use pears", Timestamp: fmt.Sprintf("2026-03-02T09:%02d:00Z", n)}
	out, err := views.ShowDecision(fs.State, src, d, recorded)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// view lists the numbers of the decisions in a State's view.
func view(src []byte) string {
	var ids []string
	for _, m := range regexp.MustCompile(`"DEC-(\d+)"`).FindAllSubmatch(src, -1) {
		ids = append(ids, string(m[1]))
	}
	return strings.Join(ids, " ")
}

var pears = schema.Decision{ID: "DEC-1", Decision: "Use pears", Rationale: "They keep", Timestamp: "2026-03-02T09:00:00Z", RecordedBy: "BA Agent", Supersedes: schema.IDs{"dec-000"}}

// A hot context shows a decision in its own form, and the rest stays as it was.
func TestHotContextShowsADecision(t *testing.T) {
	const entry = `{"decision": "Use pears", "rationale": "They keep", "timestamp": "2026-03-02T09:00:00Z", "id": "DEC-1", "agent": "BA Agent"}`
	for _, c := range []struct{ what, src, want string }{
		{"into an empty list", "{\r\n\t\"version\" : 7,\r\n\t\"key_decisions\":[], \"mood\": 1.50 }",
			"{\r\n\t\"version\" : 7,\r\n\t\"key_decisions\":[ENTRY], \"mood\": 1.50 }"},
		{"after one of an older tool", `{"key_decisions": [{"decision": "Use figs"}]}`, `{"key_decisions": [{"decision": "Use figs"}, ENTRY]}`},
		{"shown already", `{"key_decisions": [{"id": "DEC-1"}]}`, `{"key_decisions": [{"id": "DEC-1"}]}`},
		{"where there is no list", `{"a": 1}`, `{"a": 1, "key_decisions": [ENTRY]}`},
		{"where the list is null", `{"key_decisions": null}`, `{"key_decisions": [ENTRY]}`},
		{"that supersedes one in the other form", `{"key_decisions": [{"decision_id": "dec-000", "description": "Use RS256"}]}`,
			`{"key_decisions": [{"decision_id": "dec-000", "description": "Use RS256", "superseded_by": "DEC-1"}, ENTRY]}`},
		{"that somebody wrote there without an id", `{"key_decisions": [{"timestamp": "2026-03-02T09:00:00Z", "decision": "Use plums"}]}`,
			`{"key_decisions": [{"timestamp": "2026-03-02T09:00:00Z", "decision": "Use plums", "id": "PLUMS"}]}`},
	} {
		d := pears
		if strings.Contains(c.want, "PLUMS") {
			d = schema.Decision{ID: schema.AdoptedID("", pears.Timestamp, "Use plums"), Decision: "Use plums"}
		}
		got, err := views.ShowDecision(hot, []byte(c.src), d, nil)
		want := strings.NewReplacer("ENTRY", entry, "PLUMS", d.ID).Replace(c.want)
		if err != nil || squeeze(string(got)) != squeeze(want) {
			t.Errorf("%s: %v\n%s", c.what, err, got)
		}
		again, err := views.ShowDecision(hot, got, d, nil)
		if err != nil || string(again) != string(got) {
			t.Errorf("%s, twice: %v\n%s", c.what, err, again)
		}
	}
	for _, src := range []string{"", "[]", `{"key_decisions": "none"}`} {
		if got, err := views.ShowDecision(hot, []byte(src), pears, nil); err == nil {
			t.Errorf("%q: %s", src, got)
		}
	}
}

// squeeze returns a text without white space outside of words.
func squeeze(s string) string {
	return regexp.MustCompile(`\s*([][{}:,])\s*`).ReplaceAllString(s, "$1")
}
